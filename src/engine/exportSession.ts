import { linkFiles } from '../core/changes';
import { keyLabel } from '../core/fileKey';
import { ancestors } from '../core/graph';
import { changesOf, nodeText, type GraphNode } from '../core/node';
import { marksOf } from './marks';
import type { OpenSession } from './openSession';

/** What an exported session says it is. */
export const exportFormat = { format: 'retrace-session', version: 1 } as const;

/** Returns everything a session holds as JSON, one message a line. Contents of files are not in it. */
export function exportJson({ info, state, standing, draft }: OpenSession): string {
  const nodes = [...state.nodes.values()].map((node) => JSON.stringify(node));
  const moves = state.steps.flatMap((step) =>
    step.type === 'move' ? [JSON.stringify(step.move)] : [],
  );
  return [
    '{',
    `"format": ${JSON.stringify(exportFormat.format)},`,
    `"version": ${exportFormat.version},`,
    `"session": ${JSON.stringify(info)},`,
    `"standing": ${JSON.stringify(standing)},`,
    `"draft": ${JSON.stringify(draft.draft)},`,
    `"marks": [${lines(marksOf(state).map((mark) => JSON.stringify(mark)))}],`,
    `"nodes": [${lines(nodes)}],`,
    `"moves": [${lines(moves)}]`,
    '}\n',
  ].join('\n');
}

function lines(items: readonly string[]): string {
  return items.length === 0 ? '' : `\n${items.join(',\n')}\n`;
}

/** Returns the conversation up to where the session stands as Markdown, for people. */
export function exportMarkdown(session: OpenSession): string {
  const { info, state, standing } = session;
  const path = ancestors(state.nodes, standing.head);
  const blocks = path.flatMap((node) => markdownOf(session, node));
  return `${[`# ${oneLine(info.title)}`, ...blocks].join('\n\n')}\n`;
}

function markdownOf({ info }: OpenSession, node: GraphNode): string[] {
  const time = new Date(node.createdAt).toISOString();
  switch (node.role) {
    case 'files':
    case 'summary':
      return [];
    case 'notice':
      return [`> ${oneLine(node.text)}`];
    case 'user':
      return [`## You · ${time}`, node.text];
    case 'assistant': {
      const calls = node.parts.flatMap((part) =>
        part.type === 'tool' ? [`- \`${oneLine(part.name)}\` (${part.state})`] : [],
      );
      const files = new Set(changesOf(node).flatMap(linkFiles));
      const names = [...files].map((file) => `\`${oneLine(keyLabel(info.folders, file))}\``);
      return [
        `## ${oneLine(node.model)} · ${time}`,
        ...(calls.length > 0 ? [calls.join('\n')] : []),
        nodeText(node),
        ...(node.status === 'done' ? [] : [`_${node.status}_`]),
        ...(names.length > 0 ? [`Files: ${names.join(', ')}`] : []),
      ].filter((block) => block !== '');
    }
  }
}

function oneLine(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}
