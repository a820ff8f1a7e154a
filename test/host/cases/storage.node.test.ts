import { readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { assert } from 'chai';
import * as vscode from 'vscode';
import type { CleanUpResult } from '../../../src/host/commands/cleanUpStorage';
import { activate, api, codeOf, Folder } from '../kit';
import { outcomes, texts, until } from './kit';
import { storeFolder } from './storeFolder';

const cleanUp = (argument: object): Promise<CleanUpResult> =>
  api.call<CleanUpResult>('cleanUpStorage', argument);

const setBudget = (megabytes: number | undefined) =>
  vscode.workspace
    .getConfiguration()
    .update('retrace.storage.budget', megabytes, vscode.ConfigurationTarget.Global);

/** Random text, which compressing makes little smaller. */
const noise = (length: number): string =>
  Array.from({ length }, () => Math.floor(Math.random() * 36).toString(36)).join('');

describe('the storage of copies', () => {
  let folder: Folder;

  before(activate);
  beforeEach(() => {
    folder = new Folder('storage');
  });
  afterEach(async () => {
    await setBudget(undefined);
    await folder.remove();
  });

  it('says what a clean-up costs, does nothing until then, and loses just what it named', async () => {
    await folder.put('a.txt', 'a\n');
    await folder.put('b.txt', 'b\n');
    const given = await api.newSession('given up');
    const kept = await api.newSession('kept');
    const one = await api.send(given, `write ${folder.path('a.txt')} with ${noise(50)}`);
    const two = await api.send(kept, `write ${folder.path('b.txt')} with ${noise(50)}`);
    const preview = await cleanUp({ sessionIds: [given], preview: true });
    assert.deepEqual(preview.lost, [
      {
        ...{ sessionId: given, title: 'given up', deleted: false, branches: 1 },
        files: [folder.uri('a.txt').toString()],
      },
    ]);
    assert.isAbove(preview.usedBytes, preview.freedBytes);
    assert.isAbove(preview.sessions.find(({ sessionId }) => sessionId === given)?.bytes ?? 0, 0);
    assert.equal(preview.budgetBytes, 2_000_000_000);
    const done = await cleanUp({ sessionIds: [given], confirm: false });
    assert.deepEqual(done.lost, preview.lost);
    assert.isAtLeast(done.freedCopies, 1);
    const back = await api.move('rewind', { sessionId: given, messageId: one.userMessageId });
    assert.deepEqual(outcomes(folder, back), { 'a.txt': 'uncovered' });
    const other = await api.move('rewind', { sessionId: kept, messageId: two.userMessageId });
    assert.deepEqual(outcomes(folder, other), { 'b.txt': 'restored' });
    assert.deepEqual(await texts(folder, 'b.txt'), ['b\n']);
    assert.equal(await codeOf(cleanUp({ sessionIds: ['gone'] })), 'not_found');
  });

  it('what no session needs goes, once it is older than a moment', async () => {
    const { usedBytes } = await cleanUp({ preview: true });
    const store = storeFolder();
    const hash = 'ab'.repeat(32);
    const blob = join(store, 'blobs', 'ab', hash);
    await vscode.workspace.fs.createDirectory(vscode.Uri.file(join(store, 'blobs', 'ab')));
    await writeFile(blob, new Uint8Array(12_345));
    assert.equal((await cleanUp({ confirm: false })).usedBytes, usedBytes + 12_345);
    const hourAgo = new Date(Date.now() - 3_600_000);
    await utimes(blob, hourAgo, hourAgo);
    const { freedBytes, lost } = await cleanUp({ confirm: false });
    assert.isAtLeast(freedBytes, 12_345);
    assert.deepEqual(lost, []);
    assert.notInclude(await readdir(join(store, 'blobs', 'ab')), hash);
    await rm(blob, { force: true });
  });

  it('full, the turn asks once, goes on without copies when told to, and says so', async () => {
    await setBudget(1);
    await folder.put('big.txt', noise(1_500_000));
    await folder.put('also.txt', noise(1_500_000));
    const sessionId = await api.newSession();
    const before = (await cleanUp({ preview: true })).usedBytes;
    const turn = api.send(
      sessionId,
      `delete ${folder.path('big.txt')}\ndelete ${folder.path('also.txt')}`,
    );
    const question = await pending(sessionId);
    assert.equal(question.kind, 'storage');
    assert.include(question.detail, '1');
    assert.isNotEmpty(await texts(folder, 'big.txt'));
    await api.call('answerApproval', { approvalId: question.approvalId, answer: 'once' });
    const sent = await turn;
    assert.equal(sent.status, 'done');
    const { nodes } = await api.getSession(sessionId);
    assert.deepEqual(
      nodes.find(({ id }) => id === sent.assistantMessageId)?.files.map((file) => file.uncovered),
      ['storage full', 'storage full'],
    );
    assert.equal((await cleanUp({ preview: true })).usedBytes, before);
    const back = await api.move('rewind', { sessionId, messageId: sent.userMessageId });
    assert.deepEqual(outcomes(folder, back), { 'big.txt': 'uncovered', 'also.txt': 'uncovered' });
  });

  it('full, the question is gone as soon as there is room', async () => {
    await setBudget(1);
    await folder.put('big.txt', noise(1_600_000));
    const sessionId = await api.newSession();
    const turn = api.send(sessionId, `delete ${folder.path('big.txt')}`);
    await pending(sessionId);
    await setBudget(100);
    const sent = await turn;
    assert.equal(sent.status, 'done');
    assert.isEmpty(await api.call<unknown[]>('pendingApprovals', { sessionId }));
    const back = await api.move('rewind', { sessionId, messageId: sent.userMessageId });
    assert.deepEqual(outcomes(folder, back), { 'big.txt': 'restored' });
  });
});

interface Question {
  readonly approvalId: string;
  readonly kind: string;
  readonly detail: string;
}

function pending(sessionId: string): Promise<Question> {
  return until(async () => {
    const [question] = await api.call<Question[]>('pendingApprovals', { sessionId });
    return question;
  });
}
