import { linkFiles, sideOf, type ChangeLink, type FileState } from './changes';
import type { FileKey, SessionFolder } from './fileKey';
import { compareSiblings, type Children, type Nodes } from './graph';
import type { NodeId, SessionId } from './ids';
import type { JournalStep, Move, Standing } from './journal';
import { changesOf, fuller, type GraphNode } from './node';

/** What a session is apart from its history. */
export interface SessionInfo {
  readonly id: SessionId;
  readonly title: string;
  /** An explicit title is never replaced by a found one. */
  readonly titleLocked: boolean;
  /** The title was found by a model, which is asked once. */
  readonly titledByModel?: true;
  readonly folders: readonly SessionFolder[];
  readonly createdAt: number;
  readonly archived: boolean;
  readonly forkedFrom?: { readonly sessionId: SessionId; readonly messageId: NodeId | null };
}

/**
 * What somebody said of a message, each field for itself: a label (empty takes it away), and whether its branch is out of
 * the graph's sight. What is missing stays as it was.
 */
export interface Mark {
  readonly messageId: NodeId;
  readonly label?: string;
  readonly archived?: boolean;
}

/**
 * One thing that happened to a session. The stored session is its records in order; a record is written once.
 * `node` puts a finished node into the graph and, with `standing`, moves the head to it; `files` of a move come ahead
 * of the writes (`results` missing) and again when it has settled.
 */
export type SessionRecord =
  | { readonly type: 'info'; readonly info: SessionInfo }
  | { readonly type: 'node'; readonly node: GraphNode; readonly standing?: Standing }
  | { readonly type: 'move'; readonly move: Move }
  | { readonly type: 'standing'; readonly standing: Standing }
  | { readonly type: 'mark'; readonly mark: Mark };

/** Says whether a record says where the session stands. */
export function stands(record: SessionRecord): boolean {
  if (record.type === 'node') return record.standing !== undefined;
  return record.type === 'move' || record.type === 'standing';
}

/**
 * A session in memory: what its records say, in order. Changed only by {@link SessionState.apply} and, while a turn runs,
 * {@link SessionState.setRunning}; both cost the same however long the session is.
 */
export class SessionState {
  readonly #nodes = new Map<NodeId, GraphNode>();
  readonly #children = new Map<NodeId | null, NodeId[]>();
  readonly #origins = new Map<FileKey, FileState>();
  readonly #touching = new Map<FileKey, NodeId[]>();
  readonly #viewed = new Map<NodeId | null, NodeId>();
  readonly #steps: JournalStep[] = [];
  readonly #torn = new Map<FileKey, ChangeLink>();
  readonly #labels = new Map<NodeId, string>();
  readonly #archived = new Set<NodeId>();
  #counts = { shown: 0, users: 0, updatedAt: 0 };
  #info: SessionInfo;
  #standing: Standing = { head: null, filesHead: null, apart: {} };

  constructor(info: SessionInfo) {
    this.#info = info;
  }

  get info(): SessionInfo {
    return this.#info;
  }

  get standing(): Standing {
    return this.#standing;
  }

  get nodes(): Nodes {
    return this.#nodes;
  }

  /** Children anyone sees, in their stored order. */
  get children(): Children {
    return this.#children;
  }

  /** The first state ever recorded of each file: what it holds wherever no recorded change lies above. */
  get origins(): ReadonlyMap<FileKey, FileState> {
    return this.#origins;
  }

  /** The nodes whose changes speak of each file. */
  get touching(): ReadonlyMap<FileKey, readonly NodeId[]> {
    return this.#touching;
  }

  /** The child last on the active path under each node. */
  get viewed(): ReadonlyMap<NodeId | null, NodeId> {
    return this.#viewed;
  }

  /** The writes of moves that failed half way, of files not written since. */
  get torn(): ReadonlyMap<FileKey, ChangeLink> {
    return this.#torn;
  }

  get steps(): readonly JournalStep[] {
    return this.#steps;
  }

  /** What messages were labelled with. */
  get labels(): ReadonlyMap<NodeId, string> {
    return this.#labels;
  }

  /** The messages whose branches are out of the graph's sight. */
  get archived(): ReadonlySet<NodeId> {
    return this.#archived;
  }

  /** How many nodes people see, how many of them are the user's, and when the newest began. */
  get counts(): { readonly shown: number; readonly users: number; readonly updatedAt: number } {
    return this.#counts;
  }

  /** Returns the entries of the journal that never settled. */
  unsettledMoves(): Move[] {
    return this.#steps.flatMap((step) =>
      step.type === 'move' && step.move.results === undefined ? [step.move] : [],
    );
  }

  /** Returns where a new child of `parent` belongs among its siblings. */
  nextOrder(parent: NodeId | null): number {
    const last = this.#children.get(parent)?.at(-1);
    return last === undefined ? 0 : (this.#nodes.get(last)?.order ?? 0) + 1;
  }

  apply(record: SessionRecord): void {
    switch (record.type) {
      case 'info':
        this.#info = record.info;
        return;
      case 'node':
        this.#putNode(record.node);
        if (record.node.role === 'user') this.#steps.push({ type: 'turn' });
        if (record.standing !== undefined) this.#stand(record.standing);
        return;
      case 'move':
        this.#putMove(record.move);
        return;
      case 'standing':
        this.#stand(record.standing);
        return;
      case 'mark':
        this.#putMark(record.mark);
    }
  }

  /** Shows a reply that is not finished; the finished one, as a record, takes its place. */
  setRunning(node: GraphNode, standing: Standing): void {
    if (!this.#nodes.has(node.id)) this.#steps.push({ type: 'turn' });
    this.#putNode(node);
    this.#stand(standing);
  }

  /** Takes a reply away that never began: nothing was sent and no file was touched. */
  dropRunning(id: NodeId, standing: Standing): void {
    const node = this.#nodes.get(id);
    if (node === undefined) return;
    this.#nodes.delete(id);
    this.#counts = { ...this.#counts, shown: this.#counts.shown - 1 };
    const list = this.#children.get(node.parentId);
    list?.splice(list.indexOf(id), 1);
    if (this.#viewed.get(node.parentId) === id) this.#viewed.delete(node.parentId);
    this.#stand(standing);
  }

  #putNode(node: GraphNode): void {
    const present = this.#nodes.get(node.id);
    const known = present !== undefined;
    if (known && fuller(present, node) === present) return;
    this.#nodes.set(node.id, node);
    if (!known && node.role !== 'files') {
      const { shown, users, updatedAt } = this.#counts;
      this.#counts = {
        shown: shown + 1,
        users: users + (node.role === 'user' ? 1 : 0),
        updatedAt: Math.max(updatedAt, node.createdAt),
      };
      const list = this.#children.get(node.parentId) ?? [];
      this.#children.set(node.parentId, list);
      list.push(node.id);
      const previous = list.at(-2);
      const before = previous === undefined ? undefined : this.#nodes.get(previous);
      if (before !== undefined && compareSiblings(before, node) > 0)
        list.sort((a, b) => this.#compare(a, b));
    }
    // A running reply is put here again and again, each time with a few changes more.
    const links = changesOf(node);
    const noted = present === undefined ? [] : changesOf(present);
    const goesOn = noted.length > 0 && noted.at(-1) === links[noted.length - 1];
    for (const link of goesOn ? links.slice(noted.length) : links) {
      for (const file of linkFiles(link)) {
        this.#torn.delete(file);
        const before = sideOf(link, file, 'before');
        if (before !== undefined && !this.#origins.has(file)) this.#origins.set(file, before);
        const touching = this.#touching.get(file) ?? [];
        this.#touching.set(file, touching);
        if (!touching.includes(node.id)) touching.push(node.id);
      }
    }
  }

  #compare(a: NodeId, b: NodeId): number {
    const [left, right] = [this.#nodes.get(a), this.#nodes.get(b)];
    return left === undefined || right === undefined ? 0 : compareSiblings(left, right);
  }

  #putMove(move: Move): void {
    const at = this.#steps.findLastIndex(
      (step) => step.type === 'move' && step.move.id === move.id,
    );
    if (at === -1) this.#steps.push({ type: 'move', move });
    else this.#steps[at] = { type: 'move', move };
    if (move.results === undefined) return;
    for (const file of this.#torn.keys()) if (!(file in move.after.apart)) this.#torn.delete(file);
    for (const link of move.links) {
      for (const file of linkFiles(link)) this.#torn.delete(file);
      if (link.type === 'change' && link.torn === true) this.#torn.set(link.file, link);
    }
    this.#stand(move.after);
  }

  #putMark({ messageId, label, archived }: Mark): void {
    if (label === '') this.#labels.delete(messageId);
    else if (label !== undefined) this.#labels.set(messageId, label);
    if (archived === true) this.#archived.add(messageId);
    else if (archived === false) this.#archived.delete(messageId);
  }

  #stand(standing: Standing): void {
    this.#standing = standing;
    let node = standing.head === null ? undefined : this.#nodes.get(standing.head);
    while (node !== undefined && this.#viewed.get(node.parentId) !== node.id) {
      this.#viewed.set(node.parentId, node.id);
      node = node.parentId === null ? undefined : this.#nodes.get(node.parentId);
    }
  }
}
