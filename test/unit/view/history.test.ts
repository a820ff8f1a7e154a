import { describe, expect, it } from 'vitest';
import { History, type Written } from '../../../webview-ui/history';

const written = (text: string): Written => ({ text, attachments: [] });
const sent = [written('first'), written('second')];

describe('the history of the composer', () => {
  it('walks back to the first message and forth to the draft', () => {
    const history = new History();
    const draft = { text: 'not sent yet', attachments: [{ uri: 'file:///a' }] };
    expect(history.step(1, sent, draft)).toBeUndefined();
    expect(history.step(-1, sent, draft)).toBe(sent[1]);
    expect(history.step(-1, sent, written('second, changed'))).toBe(sent[0]);
    expect(history.step(-1, sent, written('first'))).toBeUndefined();
    expect(history.walking).toBe(true);
    expect(history.step(1, sent, written('first'))).toBe(sent[1]);
    expect(history.step(1, sent, written('second'))).toBe(draft);
    expect(history.walking).toBe(false);
  });

  it('gives the draft back when it ends, once', () => {
    const history = new History();
    expect(history.end()).toBeUndefined();
    history.step(-1, sent, written('draft'));
    expect(history.end()).toEqual(written('draft'));
    expect(history.end()).toBeUndefined();
  });

  it('has nowhere to go where nothing was sent', () => {
    const history = new History();
    expect(history.step(-1, [], written('draft'))).toBeUndefined();
    expect(history.walking).toBe(false);
  });
});
