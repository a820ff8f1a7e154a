import { expect } from 'vitest';
import type { ModelMessage } from 'ai';

/** Holds a request to what the strictest servers ask of a history. */
export function expectStrict(messages: readonly ModelMessage[]): void {
  const ids = new Set<string>();
  for (const [index, message] of messages.entries()) {
    const next = messages[index + 1];
    const { content } = message;
    expect(message.role).not.toBe('system');
    if (typeof content === 'string') throw new Error('Contents are lists.');
    expect(content.length).toBeGreaterThan(0);
    for (const part of content) {
      if (part.type === 'text') expect(part.text.trim()).not.toBe('');
    }
    switch (message.role) {
      case 'user':
        expect(next?.role).not.toBe('user');
        break;
      case 'assistant': {
        expect(index).toBeGreaterThan(0);
        expect(next?.role).not.toBe('assistant');
        const calls = content.filter((part) => part.type === 'tool-call');
        const results =
          next?.role === 'tool' ? next.content.filter((part) => part.type === 'tool-result') : [];
        expect(results.map((part) => part.toolCallId)).toEqual(
          calls.map((part) => part.toolCallId),
        );
        for (const call of calls) {
          expect(call.toolCallId).toMatch(/^[\w-]{1,64}$/u);
          expect(call.toolName).toMatch(/^[\w-]{1,64}$/u);
          expect(ids.has(call.toolCallId)).toBe(false);
          ids.add(call.toolCallId);
          expect(call.input).toBeTypeOf('object');
          expect(Array.isArray(call.input)).toBe(false);
          expect(call.input).not.toBeNull();
        }
        for (const { output } of results) {
          if (output.type !== 'text' && output.type !== 'error-text') throw new Error(output.type);
          expect(output.value.trim()).not.toBe('');
        }
        break;
      }
      case 'tool':
        expect(messages[index - 1]?.role).toBe('assistant');
        expect(next?.role).not.toBe('tool');
        break;
      case 'system':
        break;
    }
  }
  expect(messages[0]?.role ?? 'user').toBe('user');
}
