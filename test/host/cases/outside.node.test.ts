import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assert } from 'chai';
import * as vscode from 'vscode';
import { activate, api } from '../kit';
import { until } from './kit';

describe('a file outside every workspace folder', () => {
  let place: string;

  before(activate);
  beforeEach(async () => {
    place = await mkdtemp(join(tmpdir(), 'retrace-outside-'));
  });
  afterEach(() => rm(place, { recursive: true, force: true }));

  it('C12 is asked about, written, and restored byte for byte', async () => {
    const file = join(place, 'a.txt');
    await writeFile(file, '1\r\n');
    const sessionId = await api.newSession();
    const turn = api.send(sessionId, `append 2 to ${file}`);
    let done = false;
    void turn.finally(() => (done = true));
    await until(async () => {
      const open = await api.call<{ approvalId: string; kind: string }[]>('pendingApprovals', {
        sessionId,
      });
      for (const { approvalId, kind } of open) {
        assert.equal(kind, 'outside');
        assert.notInclude(await readFile(file, 'utf8'), '2');
        await api.call('answerApproval', { approvalId, answer: 'once' });
      }
      return done;
    });
    const { status, userMessageId } = await turn;
    assert.equal(status, 'done');
    assert.equal(await readFile(file, 'utf8'), '1\r\n2\r\n');
    const moved = await api.move('rewind', { sessionId, messageId: userMessageId });
    assert.equal(await readFile(file, 'utf8'), '1\r\n');
    assert.lengthOf(moved.restoredPaths, 1);
    assert.equal(vscode.Uri.parse(moved.restoredPaths[0] ?? '').fsPath, file);
  });
});
