import { emptyFileText } from '../tools/read';
import type { Translate } from '../../engine/ports';
import type { ChangeInstruction, DirectInstruction } from './instructions';

const maxQuoted = 80;

export function quoted(text: string): string {
  return text.length > maxQuoted ? `“${text.slice(0, maxQuoted)}…”` : `“${text}”`;
}

/** Says whether the write tool's answer speaks of a new file. */
export function isCreated(answer: string): boolean {
  return answer.startsWith('Created ');
}

/** Names an instruction as something wanted ("Could not …") and as something done ("Done: …"). */
export function describe(
  instruction: DirectInstruction | ChangeInstruction,
  created: boolean,
  t: Translate,
): { readonly wanted: string; readonly done: string } {
  switch (instruction.verb) {
    case 'create':
    case 'write':
      return {
        wanted: t('write {0}', instruction.file),
        done: created ? t('created {0}', instruction.file) : t('changed {0}', instruction.file),
      };
    case 'append':
    case 'replace':
      return {
        wanted: t('change {0}', instruction.file),
        done: t('changed {0}', instruction.file),
      };
    case 'delete':
      return {
        wanted: t('delete {0}', instruction.file),
        done: t('deleted {0}', instruction.file),
      };
    case 'read':
      return {
        wanted: t('read {0}', instruction.file),
        done: t('looked at {0}', instruction.file),
      };
    case 'rename':
      return {
        wanted: t('rename {0} to {1}', instruction.from, instruction.to),
        done: t('renamed {0} to {1}', instruction.from, instruction.to),
      };
    case 'list': {
      const folder = instruction.folder === '' ? t('the workspace') : instruction.folder;
      return { wanted: t('list {0}', folder), done: t('listed {0}', folder) };
    }
    case 'search':
      return {
        wanted: t('search for {0}', quoted(instruction.text)),
        done: t('searched for {0}', quoted(instruction.text)),
      };
    case 'run':
      return {
        wanted: t('run {0}', quoted(instruction.command)),
        done: t('ran {0}', quoted(instruction.command)),
      };
  }
}

/**
 * Returns the edit that puts text after the end of a file, or undefined for an empty file. It replaces the shortest
 * piece of the end that stands in the file once. The file goes on ending with a line end, or goes on ending without.
 */
export function append(
  content: string,
  text: string,
): { readonly old: string; readonly new: string } | undefined {
  if (content === emptyFileText) return undefined;
  const ended = content.endsWith('\n');
  let from = ended ? content.length - 1 : content.length;
  let old: string;
  do {
    from = from === 0 ? -1 : content.lastIndexOf('\n', from - 1);
    old = content.slice(from + 1);
  } while (from > -1 && content.indexOf(old) !== from + 1);
  if (ended) return { old, new: old + (text.endsWith('\n') ? text : `${text}\n`) };
  const separate = text.startsWith('\n') ? '' : '\n';
  return { old, new: old + separate + text.replace(/\n$/u, '') };
}

export function helpText(t: Translate): string {
  return t(
    `I am **Practice**: a built-in practice model, no AI. I follow plain instructions, one a line, so that you can try everything here without a key or a network:

- \`create notes.txt with hello\` (\`\\n\` makes a new line)
- \`write notes.txt with other text\`
- \`append one more line to notes.txt\`
- \`replace hello with goodbye in notes.txt\`
- \`rename notes.txt to ideas.txt\`
- \`delete ideas.txt\`
- \`read FILE\`, \`list\`, \`list FOLDER\`, \`search TEXT\`
- \`run COMMAND\`
- \`say TEXT\`, \`think TEXT\`, \`wait 5\`, \`fail\`

A text of several lines goes into a fenced block under the line. For real work choose another model.`,
  );
}
