import { describe, expect, test } from 'vitest';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { requestSchemas, type RequestName } from '../../../src/protocol/messages';
import { openChat } from './kit/chat';
import { prepared } from './kit/prepared';

const root = join(import.meta.dirname, '..', '..', '..');

const names = Object.keys(requestSchemas) as RequestName[];
/** Refused on purpose here: nothing of that name waits. */
const refused = new Map([
  ['answerApproval', 'not_found'],
  ['queued', 'not_found'],
]);

describe('the contract between page and host', () => {
  test.each(names)('%s is answered once, with the ids it came with', async (name) => {
    const chat = await prepared();
    const { id } = await chat.current.get();
    const answer = await chat.send(name, chat.params[name], id);
    expect(answer.sessionId).toBe(id);
    const code = refused.get(name);
    if (code === undefined) expect(answer.result).toMatchObject({ ok: true });
    else expect(answer.result).toMatchObject({ ok: false, code });
    chat.controller.dispose();
  });

  test.each(names)('%s with parameters of another shape is refused', async (name) => {
    const chat = await openChat();
    for (const params of [undefined, null, 7, { unexpected: true }]) {
      const answer = await chat.send(name, params, 's');
      expect(answer).toMatchObject({ sessionId: 's', result: { ok: false, code: 'invalid' } });
    }
  });

  test.each(names)('%s about a session that is not there is answered', async (name) => {
    const chat = await prepared();
    const answer = await chat.send(name, chat.params[name], 'gone');
    expect(answer.sessionId).toBe('gone');
    if (!answer.result.ok) expect(answer.result.message).not.toBe('');
    chat.controller.dispose();
  });

  test.each(names)(
    '%s is asked by the page, and its answer looked at or given up on purpose',
    async (name) => {
      const folder = join(root, 'webview-ui');
      const files = (await readdir(folder, { recursive: true })).filter((file) =>
        file.endsWith('.ts'),
      );
      const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
      const asks = new RegExp(`\\b(ask|tell|request)\\(\\s*'${name}'`, 'u');
      expect(texts.some((text) => asks.test(text))).toBe(true);
    },
  );

  test('what is no request, or has an unknown name, never throws out of the host', async () => {
    const chat = await openChat();
    expect(await chat.send('formatDisk', {}, 's')).toMatchObject({
      sessionId: 's',
      result: { ok: false, code: 'invalid' },
    });
    for (const data of [undefined, null, '', 3, [], {}, { type: 'request' }, { type: 'answer' }])
      await chat.controller.receive(data);
    expect(chat.frames).toHaveLength(1);
  });

  test('an error of ours keeps its code and its text for people; any other one is explained and logged', async () => {
    const chat = await openChat();
    await chat.ready();
    const move = await chat.send('planMove', { verb: 'undo' });
    expect(move.result).toEqual({
      ok: false,
      code: 'nothing_to_do',
      message: 'There is nothing to undo.',
    });
    const { id } = await chat.current.get();
    const opener = {
      ...chat.services.opener,
      copy: () => Promise.reject(new Error('no clipboard')),
    };
    Object.assign(chat.services, { opener });
    const other = await openChat();
    Object.assign(other.services.opener, opener);
    expect((await other.send('copy', { text: '' }, id)).result).toMatchObject({
      ok: false,
      message: 'no clipboard',
    });
    expect(other.log.lines.join()).toContain('copy failed');
  });

  test('every frame carries a session and a request id, and only answers and progress name a request', async () => {
    const chat = await prepared();
    const { id } = await chat.current.get();
    await chat.ask('applyMove', chat.params.applyMove, id);
    await chat.ask('send', { draft: { text: 'streamed', attachments: [] } }, id);
    await chat.settle();
    for (const frame of chat.frames) {
      expect(typeof frame.sessionId).toBe('string');
      if (frame.type === 'answer' || frame.type === 'progress')
        expect(frame.requestId).not.toBe('');
      else expect(frame).toMatchObject({ sessionId: id, requestId: '' });
    }
    expect(new Set(chat.frames.map((frame) => frame.type))).toContain('delta');
    expect(chat.gaps()).toBe(0);
    chat.controller.dispose();
  });
});
