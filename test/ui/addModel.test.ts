import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openAi, sendStream } from '../unit/agent/kit/streamServer';
import { Desk } from './desk.mts';

const key = 'sk-the-right-one';

/** A server as people run one: it wants a key, lists its models, and answers. */
function modelServer(): Server {
  return createServer((request, response) => {
    const body: string[] = [];
    request.setEncoding('utf8').on('data', (piece: string) => body.push(piece));
    request.on('end', () => {
      if (request.headers.authorization !== `Bearer ${key}`) {
        response.writeHead(401, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ error: { message: 'No such key.' } }));
      } else if (request.url === '/v1/models') {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ data: [{ id: 'small' }, { id: 'large' }] }));
      } else {
        const { model } = JSON.parse(body.join('')) as { model: string };
        sendStream(response, openAi.say(`This is ${model}.`));
      }
    });
  });
}

describe('a model is added', () => {
  let desk: Desk;
  let server: Server;
  beforeAll(async () => {
    server = modelServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    desk = await Desk.open('add-model', { files: { 'a.txt': 'a\n' } });
  });
  afterEach(({ task }) => (task.result?.state === 'fail' ? desk.shot('failed') : undefined));
  afterAll(async () => {
    await desk.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const quick = (): Locator => desk.workbench.page.locator('.quick-input-widget');
  const answer = async (question: string, text: string): Promise<void> => {
    await quick().getByText(question).first().waitFor();
    await quick().locator('input').first().fill(text);
    await desk.press('Enter');
  };

  test('step by step: the place, the key, the model, a word from it; then it answers', async () => {
    const { port } = server.address() as AddressInfo;
    await desk.find('add-model').click();
    await quick().getByText('Any other server').waitFor();
    await desk.shot('1-place');
    await quick().getByText('Any other server').click();
    await answer('Address of the server', `http://127.0.0.1:${port}/v1/`);
    await answer('It is kept in the secret storage', 'sk-mistyped');
    await desk.shot('2-key');
    // The server refuses it, and is asked with another one.
    await expect.poll(() => quick().locator('input').first().inputValue()).toBe('');
    await answer('It is kept in the secret storage', key);
    await quick().getByText('Which model?').or(quick().getByText('large')).first().waitFor();
    await desk.shot('3-models');
    await quick().getByText('large', { exact: true }).click();
    await expect.poll(() => desk.find('model').textContent()).toContain('large');
    await desk.shot('4-added');
    await desk.say('Who are you?');
    await desk.find('reply').getByText('This is large.').waitFor();
    await desk.shot('5-answered');
  });
});
