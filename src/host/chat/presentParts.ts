import type { Part, ToolPart } from '../../core/node';
import type { PartView } from '../../protocol/viewModel';
import type { Translate } from '../../engine/ports';
import { excerpt } from './words';

/** No more characters of what went into a tool, or came out, are shown. */
export const shownCharacters = 20_000;

/** A call that took less than this, in milliseconds, says nothing about time. */
const worthTelling = 1_000;

/** Returns what the page draws for one part of a reply. */
export function presentPart(part: Part, t: Translate): PartView {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return { type: part.type, text: part.text };
    case 'todo':
      return { type: 'todo', items: part.items };
    case 'tool': {
      const { startedAt, endedAt = startedAt, waited = 0 } = part;
      const took = endedAt - startedAt - waited;
      return {
        type: 'tool',
        name: part.name,
        summary: toolSummary(part, t),
        state: part.state,
        input: bounded(inputText(part.input), t),
        output: bounded(part.output, t),
        ...(took >= worthTelling && { took }),
      };
    }
  }
}

function inputText(input: unknown): string {
  if (input === undefined) return '';
  return typeof input === 'string' ? input : JSON.stringify(input, null, 2);
}

function bounded(text: string, t: Translate): string {
  if (text.length <= shownCharacters) return text;
  const more = text.length - shownCharacters;
  return `${text.slice(0, shownCharacters)}\n${t('[{0} more characters are not shown.]', more)}`;
}

/** Says in one line what a call does, did, or was to do to what. */
export function toolSummary(part: ToolPart, t: Translate): string {
  const tense = part.state === 'running' ? 'now' : part.state === 'done' ? 'past' : 'plain';
  const says = summaries[part.name];
  if (says === undefined) return part.name;
  // Arguments that have not arrived yet leave a gap.
  return says(part.input, t, part.exitCode)[tense]().replace(/ {2,}/gu, ' ').trim();
}

type Says = (
  input: unknown,
  t: Translate,
  exitCode: number | undefined,
) => Readonly<Record<'now' | 'past' | 'plain', () => string>>;

const edit: Says = (input, t) => {
  const path = argument(input, 'path');
  return {
    now: () => t('editing {0} …', path),
    past: () => t('edited {0}', path),
    plain: () => t('edit {0}', path),
  };
};

const summaries: Readonly<Record<string, Says | undefined>> = {
  read: (input, t) => {
    const path = argument(input, 'path');
    return {
      now: () => t('reading {0} …', path),
      past: () => t('read {0}', path),
      plain: () => t('read {0}', path),
    };
  },
  list: (input, t) => {
    const folder = argument(input, 'path') || t('the workspace');
    return {
      now: () => t('listing {0} …', folder),
      past: () => t('listed {0}', folder),
      plain: () => t('list {0}', folder),
    };
  },
  search: (input, t) => {
    const what = excerpt(argument(input, 'pattern'));
    return {
      now: () => t('searching for “{0}” …', what),
      past: () => t('searched for “{0}”', what),
      plain: () => t('search for “{0}”', what),
    };
  },
  problems: (input, t) => {
    const path = argument(input, 'path') || t('the workspace');
    return {
      now: () => t('looking for problems in {0} …', path),
      past: () => t('looked for problems in {0}', path),
      plain: () => t('look for problems in {0}', path),
    };
  },
  edit,
  multi_edit: edit,
  todo: (_, t) => ({
    now: () => t('updating the to-do list …'),
    past: () => t('updated the to-do list'),
    plain: () => t('update the to-do list'),
  }),
  write: (input, t) => {
    const path = argument(input, 'path');
    return {
      now: () => t('writing {0} …', path),
      past: () => t('wrote {0}', path),
      plain: () => t('write {0}', path),
    };
  },
  delete: (input, t) => {
    const path = argument(input, 'path');
    return {
      now: () => t('deleting {0} …', path),
      past: () => t('deleted {0}', path),
      plain: () => t('delete {0}', path),
    };
  },
  run: (input, t, exitCode) => {
    const line = excerpt(argument(input, 'command'));
    return {
      now: () => t('running {0} …', line),
      past: () =>
        exitCode === undefined ? t('ran {0}', line) : t('ran {0} · exit {1}', line, exitCode),
      plain: () => t('run {0}', line),
    };
  },
  rename: (input, t) => {
    const [from, to] = [argument(input, 'from'), argument(input, 'to')];
    return {
      now: () => t('renaming {0} to {1} …', from, to),
      past: () => t('renamed {0} to {1}', from, to),
      plain: () => t('rename {0} to {1}', from, to),
    };
  },
};

/** Returns a text argument of a call, also out of JSON that is still arriving. */
function argument(input: unknown, name: string): string {
  if (typeof input === 'string') {
    const found = new RegExp(`"${name}"\\s*:\\s*"((?:[^"\\\\]|\\\\.)*)"`, 'u').exec(input)?.[1];
    return found === undefined ? '' : unescaped(found);
  }
  if (typeof input !== 'object' || input === null || !(name in input)) return '';
  const value: unknown = Object.entries(input).find(([key]) => key === name)?.[1];
  return typeof value === 'string' ? value : '';
}

function unescaped(json: string): string {
  try {
    const value: unknown = JSON.parse(`"${json}"`);
    return typeof value === 'string' ? value : '';
  } catch {
    // A raw line end inside a string is no JSON, and still is what the model wrote.
    return json;
  }
}
