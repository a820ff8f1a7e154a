import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseGraphRequest } from '../../../src/protocol/graph';
import type { GraphRowView } from '../../../src/protocol/graph';
import { longTrunks, step, trunkTo, visibleRows } from '../../../webview-ui/graph/visible';

/** Rows as the layout gives them: each follows the one above, or leaves for a lane of its own and ends. */
function rowsOf(shape: readonly boolean[]): GraphRowView[] {
  let main = -1;
  return shape.map((branches, index) => {
    const leaves = branches && index > 0;
    const row: GraphRowView = {
      key: `n${index}`,
      kind: index % 2 === 0 ? 'user' : 'reply',
      parent: main,
      lane: leaves ? 1 : 0,
      branch: leaves ? index : 0,
      active: !leaves,
      text: '',
      status: 'done',
      files: 0,
      marks: [],
      archived: false,
      at: 0,
    };
    if (!leaves) main = index;
    return row;
  });
}

const shapes = fc.array(
  fc.integer({ min: 0, max: 12 }).map((one) => one === 0),
  {
    minLength: 1,
    maxLength: 80,
  },
);
const all = { on: false, opened: new Set<string>(), shown: undefined };
const folded = { ...all, on: true };

describe('the lines of the graph', () => {
  it('hide nothing without folding, and with it only what their folds count', () => {
    fc.assert(
      fc.property(shapes, (shape) => {
        const rows = rowsOf(shape);
        expect(visibleRows(rows, all).map(({ key }) => key)).toEqual(rows.map(({ key }) => key));
        const lines = visibleRows(rows, folded);
        const hidden = lines.reduce((sum, line) => sum + Math.max(0, line.folded - 1), 0);
        expect(lines.length + hidden).toBe(rows.length);
        lines.forEach((line, at) => {
          expect(line.parent).toBeLessThan(at);
          if (at > 0) expect(line.parent).toBeGreaterThanOrEqual(0);
          if (line.row.lane > 0) expect(line.folded).toBe(0);
        });
      }),
    );
  });

  it('fold a long run, keep its ends, and open where they are asked to', () => {
    const rows = rowsOf(Array.from({ length: 30 }, () => false));
    const lines = visibleRows(rows, folded);
    expect(lines.map(({ key }) => key)).toEqual(['n0', 'n1', 'n2', 'fold.n3', 'n27', 'n28', 'n29']);
    expect(lines[3]?.folded).toBe(24);
    expect(visibleRows(rows, { ...folded, opened: new Set(['fold.n3']) })).toHaveLength(30);
    expect(visibleRows(rows, { ...folded, shown: 'n15' })).toHaveLength(30);
  });

  it('draw every line but the first one with what it follows', () => {
    fc.assert(
      fc.property(shapes, (shape) => {
        const lines = visibleRows(rowsOf(shape), folded);
        const trunks = lines.flatMap((_, at) => trunkTo(lines, at) ?? []);
        const turns = lines.filter(({ row }) => row.lane > 0);
        expect(trunks.length + turns.length).toBe(lines.length - 1);
        expect(longTrunks(lines)).toEqual(trunks.filter(({ from, to }) => to - from > 1));
      }),
    );
  });

  it('let the arrows reach every line, and lead nowhere else', () => {
    fc.assert(
      fc.property(shapes, fc.nat(), (shape, pick) => {
        const lines = visibleRows(rowsOf(shape), folded);
        const at = pick % lines.length;
        for (const key of ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End'])
          expect(lines[step(lines, at, key) ?? -1]).toBeDefined();
        expect(step(lines, at, 'ArrowDown')).toBe(Math.min(lines.length - 1, at + 1));
        expect(step(lines, at, 'x')).toBeUndefined();
      }),
    );
  });
});

describe('requests of the graph', () => {
  it('W14 are parsed, never thrown at', () => {
    fc.assert(
      fc.property(fc.anything(), (data) => {
        expect(typeof parseGraphRequest(data).ok).toBe('boolean');
      }),
    );
    const head = { type: 'request', requestId: 'r', sessionId: 's' };
    const frame = { ...head, name: 'checkout', params: { messageId: 'm', scope: 'chat' } };
    expect(parseGraphRequest(frame)).toEqual({ ok: true, frame });
    for (const params of [{}, { messageId: '' }, { messageId: 'm', scope: 'all' }, null])
      expect(parseGraphRequest({ ...head, name: 'checkout', params }).ok).toBe(false);
  });
});
