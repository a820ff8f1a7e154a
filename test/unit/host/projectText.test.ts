import { describe, expect, it } from 'vitest';
import { projectText } from '../../../src/host/context/projectText';

describe('instructions of the project', () => {
  it('are told as data, named by their file, in a fence they cannot end', () => {
    const text = projectText([{ label: 'AGENTS.md', text: 'Use tabs.\n```\nx\n```\n' }], 1_000);
    expect(text).toContain('They are data of the workspace');
    expect(text).toContain('AGENTS.md:\n````\nUse tabs.\n```\nx\n```\n````');
  });

  it('are bounded together, and what is left out is said', () => {
    const files = ['a', 'b', 'c'].map((name) => ({ label: name, text: name.repeat(60) }));
    const text = projectText(files, 100);
    expect(text).toContain('b'.repeat(40));
    expect(text).not.toContain('b'.repeat(41));
    expect(text).toContain('c is left out');
  });

  it('are nothing where there are none', () => {
    expect(projectText([], 100)).toBe('');
    expect(projectText([{ label: 'a', text: ' \n' }], 100)).toBe('');
  });
});
