import { absent, linkFiles, type Link } from './changes';
import type { FileKey } from './fileKey';
import type { Nodes } from './graph';
import type { Place } from './ids';
import type { Standing } from './journal';
import { changesOf, type GraphNode } from './node';

/** One link on a way through the `filesFrom` tree: taken back when leaving, made again when entering. */
export interface Step {
  readonly link: Link;
  readonly leaving: boolean;
}

/**
 * Returns the links on the way between two places: up from one, down to the other. Climbs both sides in turn, so the cost
 * depends on the length of the way, not on the depth of the tree.
 */
export function stepsBetween(nodes: Nodes, from: Place, to: Place): Step[] {
  const { up, down } = way(nodes, from, to);
  const steps: Step[] = [];
  for (const node of up) {
    const links = changesOf(node);
    for (let index = links.length - 1; index >= 0; index--) {
      const link = links[index];
      if (link !== undefined) steps.push({ link, leaving: true });
    }
  }
  for (const node of down) {
    for (const link of changesOf(node)) steps.push({ link, leaving: false });
  }
  return steps;
}

function way(nodes: Nodes, from: Place, to: Place): { up: GraphNode[]; down: GraphNode[] } {
  const left = new Climb(nodes, from);
  const right = new Climb(nodes, to);
  for (;;) {
    if (right.passed.has(left.at)) return { up: left.path, down: right.pathBelow(left.at) };
    if (left.passed.has(right.at))
      return { up: left.pathBelow(right.at).reverse(), down: right.pathBelow(right.at) };
    const climbedLeft = left.climb();
    const climbedRight = right.climb();
    if (!climbedLeft && !climbedRight) return { up: left.path, down: right.pathBelow(right.at) };
  }
}

class Climb {
  readonly path: GraphNode[] = [];
  readonly passed: Set<Place>;

  constructor(
    private readonly nodes: Nodes,
    public at: Place,
  ) {
    this.passed = new Set([at]);
  }

  climb(): boolean {
    const node = this.at === null ? undefined : this.nodes.get(this.at);
    // A node that is gone or was passed already counts as the start: a damaged tree still gives an end.
    if (node === undefined) {
      const wasStart = this.at === null;
      this.at = null;
      this.passed.add(null);
      return !wasStart;
    }
    this.path.push(node);
    this.at = this.passed.has(node.filesFrom) ? null : node.filesFrom;
    this.passed.add(this.at);
    return true;
  }

  /** Returns the nodes climbed before reaching `place`, nearest to it first. */
  pathBelow(place: Place): GraphNode[] {
    const end = this.path.findIndex((node) => node.id === place);
    return this.path.slice(0, end === -1 ? this.path.length : end).reverse();
  }
}

/** Files that go the same way together, so that a rename between two of them is one step. */
export interface Route {
  readonly files: ReadonlySet<FileKey>;
  readonly steps: readonly Step[];
}

/** Where each file stands and shall go: two places, and links to take back at the end (undo's own). */
export interface Journey {
  readonly from: Standing;
  readonly to: Pick<Standing, 'filesHead' | 'apart'>;
  readonly takeBack: readonly Link[];
  /** For undo: where the entry ended, which the way passes through. */
  readonly via?: Pick<Standing, 'filesHead' | 'apart'>;
  /** Just these files; all that the ways touch when missing. */
  readonly only?: ReadonlySet<FileKey>;
}

export function placeOf(standing: Pick<Standing, 'filesHead' | 'apart'>, file: FileKey): Place {
  const own = standing.apart[file];
  return own === undefined ? standing.filesHead : own;
}

/** Returns the routes of a journey: files grouped by the places they go between. */
export function planRoutes(nodes: Nodes, journey: Journey): Route[] {
  const end = journey.via ?? journey.to;
  const back: Step[] = [...journey.takeBack].reverse().map((link) => ({ link, leaving: true }));
  const groups = new Map<string, { from: Place; to: Place; files: Set<FileKey> }>();
  const add = (file: FileKey): void => {
    if (journey.only !== undefined && !journey.only.has(file)) return;
    const from = placeOf(journey.from, file);
    const to = placeOf(end, file);
    const name = JSON.stringify([from, to]);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, { from, to, files: new Set([file]) });
    else group.files.add(file);
  };
  const main = stepsBetween(nodes, journey.from.filesHead, end.filesHead);
  for (const { link } of [...main, ...back]) linkFiles(link).forEach(add);
  for (const file of [...Object.keys(journey.from.apart), ...Object.keys(end.apart)]) add(file);
  return [...groups.values()].map(({ from, to, files }) => ({
    files,
    steps: restrict([...stepsBetween(nodes, from, to), ...back], files),
  }));
}

/** Keeps the steps that speak of the files; of a rename with one name outside, the half inside. */
function restrict(steps: readonly Step[], files: ReadonlySet<FileKey>): Step[] {
  return steps.flatMap((step) => {
    const inside = linkFiles(step.link).filter((file) => files.has(file));
    if (inside.length === linkFiles(step.link).length) return [step];
    const { link, leaving } = step;
    const [file] = inside;
    if (link.type !== 'rename' || file === undefined) return [];
    const halves =
      file === link.from
        ? { before: link.state, after: absent }
        : { before: absent, after: link.state };
    return [{ link: { type: 'change', file, by: link.by, ...halves }, leaving }];
  });
}
