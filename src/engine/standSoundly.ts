import { nodeText } from '../core/node';
import type { SessionRecord } from '../core/session';
import { graphFaults, soundStanding } from '../core/soundness';
import type { OpenSession } from './openSession';

/** What is said of a damaged conversation when it opens. */
export interface DamageTexts {
  /** `beginnings` are those of the messages that cannot be shown. */
  readonly unreachable: (count: number, beginnings: readonly string[]) => string;
  /** The message the session stood at is not there. */
  readonly headLost: () => string;
  /** Different messages were stored under one id; the others are not shown. */
  readonly twice: (count: number) => string;
}

const shownBeginnings = 3;
const beginningLength = 40;

/**
 * Has a session whose graph is damaged stand at the nearest whole message, and returns what to say. Nothing is stored: the
 * records stay as they are until somebody goes on from there.
 */
export function standSoundly(
  session: OpenSession,
  records: readonly SessionRecord[],
  texts: DamageTexts,
): string[] {
  const { state } = session;
  const faults = graphFaults(state.nodes);
  const standing = soundStanding(state.nodes, state.standing, faults);
  const headLost = standing.head !== state.standing.head;
  if (standing !== state.standing) state.apply({ type: 'standing', standing });
  const lost = faults.unreachable.flatMap((id) => {
    const node = state.nodes.get(id);
    return node === undefined || node.role === 'files' ? [] : [node];
  });
  const beginnings = lost
    .filter((node) => node.role === 'user')
    .slice(0, shownBeginnings)
    .map((node) => nodeText(node).trim().slice(0, beginningLength));
  const twice = idsStoredTwice(session, records);
  return [
    ...(lost.length > 0 ? [texts.unreachable(lost.length, beginnings)] : []),
    ...(lost.length === 0 && headLost ? [texts.headLost()] : []),
    ...(twice > 0 ? [texts.twice(twice)] : []),
  ];
}

/** Counts the stored messages that are not shown because another one has their id. */
function idsStoredTwice({ state }: OpenSession, records: readonly SessionRecord[]): number {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const record of records) {
    if (record.type !== 'node') continue;
    if (seen.has(record.node.id)) repeated.add(record.node.id);
    seen.add(record.node.id);
  }
  if (repeated.size === 0) return 0;
  return records.filter(
    (record) =>
      record.type === 'node' &&
      repeated.has(record.node.id) &&
      !sameMessage(record.node, state.nodes.get(record.node.id)),
  ).length;
}

/** A reply that was given up and went on is one message, not two. */
function sameMessage(
  one: Extract<SessionRecord, { type: 'node' }>['node'],
  other: typeof one | undefined,
): boolean {
  if (one.role === 'assistant' && other?.role === 'assistant')
    return one.parentId === other.parentId && nodeText(other).startsWith(nodeText(one));
  return JSON.stringify(one) === JSON.stringify(other);
}
