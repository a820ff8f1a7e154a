import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { layoutGraph, type GraphRow } from '../../../src/core/graphLayout';
import type { NodeId } from '../../../src/core/ids';
import type { UserNode } from '../../../src/core/node';

/** A session of so many messages; each follows the one its number names, or is a first one. */
function session(parents: readonly number[], headAt: number, views: readonly number[] = []) {
  const nodes = new Map<NodeId, UserNode>();
  const children = new Map<NodeId | null, NodeId[]>();
  parents.forEach((pick, index) => {
    const id = `n${index}`;
    const parentId = pick % (index + 1) === index ? null : `n${pick % (index + 1)}`;
    const base = { filesFrom: null, createdAt: 0, order: 0, text: id, attachments: [] };
    nodes.set(id, { ...base, id, parentId, role: 'user' });
    const siblings = children.get(parentId) ?? [];
    siblings.push(id);
    children.set(parentId, siblings);
  });
  const viewed = new Map<NodeId | null, NodeId>();
  for (const view of views) {
    const node = nodes.get(`n${view % (parents.length + 1)}`);
    if (node !== undefined) viewed.set(node.parentId, node.id);
  }
  const at = headAt % (parents.length + 1);
  return { nodes, children, viewed, head: at === parents.length ? null : `n${at}` };
}

const sessions = fc
  .tuple(fc.array(fc.nat(), { maxLength: 60 }), fc.nat(), fc.array(fc.nat(), { maxLength: 20 }))
  .map(([parents, head, views]) => session(parents, head, views));

const shape = (rows: readonly GraphRow[]): string[] =>
  rows.map((row) => `${'| '.repeat(row.lane)}${row.id ?? row.kind}${row.active ? '*' : ''}`);

describe('the layout of the graph', () => {
  it('gives every node one row, under what it follows', () => {
    fc.assert(
      fc.property(sessions, (one) => {
        const rows = layoutGraph(one);
        const ids = rows.flatMap(({ id }) => id ?? []);
        expect([...ids].sort()).toEqual([...one.nodes.keys()].sort());
        rows.forEach(({ parent, kind }, index) => {
          expect(parent).toBeLessThan(index);
          if (index > 0) expect(parent).toBeGreaterThanOrEqual(0);
          if (index > 0) expect(kind).not.toBe('start');
        });
        for (const [id, { parentId }] of one.nodes) {
          const row = rows.find((other) => other.id === id);
          if (parentId !== null) expect(rows[row?.parent ?? -1]?.id).toBe(parentId);
        }
      }),
    );
  });

  it('crosses no lines: a lane between a node and what follows it is free, and a branch turns off by one lane', () => {
    fc.assert(
      fc.property(sessions, (one) => {
        const rows = layoutGraph(one);
        rows.forEach((row, index) => {
          const parent = rows[row.parent];
          if (parent === undefined) return;
          expect([parent.lane, parent.lane + 1]).toContain(row.lane);
          const between = rows.slice(row.parent + 1, index);
          for (const other of between) expect(other.lane).toBeGreaterThan(parent.lane);
          expect(row.branch === parent.branch).toBe(row.lane === parent.lane);
        });
      }),
    );
  });

  it('keeps the active path straight in the first lane, and ends it where the session stands', () => {
    fc.assert(
      fc.property(sessions, (one) => {
        const rows = layoutGraph(one);
        expect(rows.filter(({ lane }) => lane === 0)).toEqual(rows.filter(({ active }) => active));
        const here = rows.filter(({ kind }) => kind === 'here');
        expect(here).toHaveLength(1);
        expect(rows[here[0]?.parent ?? -1]?.id ?? null).toBe(one.head);
        expect(rows.at(-1)).toBe(here[0]);
      }),
    );
  });

  it('leaves out what is archived with everything under it, but never what is on the active path', () => {
    fc.assert(
      fc.property(sessions, fc.array(fc.nat(), { maxLength: 8 }), (one, picks) => {
        const ids = [...one.nodes.keys()];
        const left = new Set(picks.flatMap((pick) => ids[pick % (ids.length || 1)] ?? []));
        const active = new Set<NodeId>();
        for (let id = one.head; id !== null; id = one.nodes.get(id)?.parentId ?? null)
          active.add(id);
        const hidden = (id: NodeId | null): boolean =>
          id !== null &&
          !active.has(id) &&
          (left.has(id) || hidden(one.nodes.get(id)?.parentId ?? null));
        const rows = layoutGraph({ ...one, left });
        const kept = ids.filter((id) => !hidden(id));
        expect(rows.flatMap(({ id }) => id ?? []).sort()).toEqual(kept.sort());
        expect(rows.at(-1)?.kind).toBe('here');
        const all = layoutGraph(one).filter(({ active: lit }) => lit);
        const lit = rows.filter(({ active: on }) => on).map(({ id, kind }) => id ?? kind);
        // Several first messages have a start; with the others gone, the one left needs none.
        expect(all.map(({ id, kind }) => id ?? kind).slice(-lit.length)).toEqual(lit);
      }),
    );
  });

  it('draws branches before what goes on, in the order they were made', () => {
    // n0 is answered by n1, n2 and n3; n2 was chosen and goes on with n4, beside which there is n5.
    const parents = [0, 0, 0, 0, 2, 2];
    expect(shape(layoutGraph(session(parents, 4)))).toEqual([
      'n0*',
      '| n1',
      '| n3',
      'n2*',
      '| n5',
      'n4*',
      'here*',
    ]);
    expect(shape(layoutGraph(session(parents, 0)))).toEqual([
      'n0*',
      '| n1',
      '| n2',
      '| | n4',
      '| n5',
      '| n3',
      'here*',
    ]);
  });

  it('gives several first messages a start', () => {
    expect(shape(layoutGraph(session([0, 1], 1)))).toEqual(['start*', '| n0', 'n1*', 'here*']);
    expect(shape(layoutGraph(session([], 0)))).toEqual(['start*', 'here*']);
    expect(shape(layoutGraph(session([0], 1)))).toEqual(['start*', '| n0', 'here*']);
  });

  it('takes a session of 50,000 messages in one line or one fan', () => {
    const count = 50_000;
    for (const parents of [
      Array.from({ length: count }, (_, index) => Math.max(0, index - 1)),
      Array.from({ length: count }, () => 0),
    ]) {
      // What grows with the square of the session does not come back before the test's time is up.
      expect(layoutGraph(session(parents, count - 1))).toHaveLength(count + 1);
    }
  });
});
