import { layoutGraph, type GraphRow } from '../../core/graphLayout';
import { isAncestor, siblings } from '../../core/graph';
import type { NodeId } from '../../core/ids';
import { changesOf, nodeText, type GraphNode } from '../../core/node';
import type { OpenSession } from '../../engine/openSession';
import { partsUndone } from '../../engine/reviewTurn';
import type { Translate } from '../../engine/ports';
import type { GraphDetails, GraphRowView, GraphView, LineCount } from '../../protocol/graph';
import type { LineCounts } from '../chat/lineCounts';
import { filesAway, presentFiles, presentFilesLine } from '../chat/presentFiles';
import { foldTurn } from '../../core/turnFiles';
import { excerpt } from '../chat/words';

/** A fork made of a session, and the message it was made at. */
export interface ForkMade {
  readonly title: string;
  readonly at: NodeId | null;
}

/** What the presenter reads besides the session. */
export interface GraphPresenterPorts {
  readonly counts: LineCounts;
  readonly labelOf: (model: string) => string;
  readonly language: string;
  readonly t: Translate;
}

const rowText = 160;
const detailText = 4_000;

/** Computes what the graph draws. What a finished message is never changes, so it is kept by identity. */
export class GraphPresenter {
  readonly #bare = new WeakMap<GraphNode, Pick<GraphRowView, 'text' | 'files'>>();

  constructor(private readonly ports: GraphPresenterPorts) {}

  /** Returns the whole picture of a session, with its archived branches or without them. */
  present(session: OpenSession, forks: readonly ForkMade[], showArchived: boolean): GraphView {
    const { nodes, children, viewed, archived, counts } = session.state;
    const source = { nodes, children, viewed, head: session.standing.head };
    const rows = layoutGraph(showArchived ? source : { ...source, left: archived });
    const marks = this.#marks(session, forks);
    const away: boolean[] = [];
    const views = rows.map((row, index) => {
      const own = row.id !== null && archived.has(row.id);
      away[index] = !row.active && (own || away[row.parent] === true);
      const said = row.kind === 'here' ? [] : (marks.get(row.id) ?? []);
      return this.#row(session, row, said, away[index]);
    });
    const drawn = rows.filter(({ kind }) => kind === 'node').length;
    return {
      sessionId: session.id,
      title: session.info.title,
      rows: views,
      archived: showArchived
        ? away.filter((one) => one).length
        : archived.size > 0
          ? counts.shown - drawn
          : 0,
    };
  }

  /** Returns the row of a running reply as it is now, given how it was. */
  grown(session: OpenSession, row: GraphRowView): GraphRowView {
    const node = session.state.nodes.get(row.key);
    if (node?.role !== 'assistant') return row;
    return { ...row, ...this.#textAndFiles(node), status: node.status };
  }

  /** Returns what is shown of one message, or nothing for a message there is not. */
  details(session: OpenSession, id: NodeId): GraphDetails | undefined {
    const node = session.state.nodes.get(id);
    if (node === undefined || node.role === 'files') return undefined;
    const { counts, labelOf, t } = this.ports;
    const text = nodeText(node).trim();
    const reply = node.role === 'assistant' ? node : undefined;
    const label = session.state.labels.get(id);
    return {
      messageId: id,
      kind: kindOf(node),
      text: text.length > detailText ? `${text.slice(0, detailText)}…` : text,
      files: reply ? presentFiles(reply, session.info.folders, counts, t).files : [],
      at: node.createdAt,
      here: session.standing.head === id,
      archived: session.state.archived.has(id),
      active: isAncestor(session.state.nodes, id, session.standing.head),
      ...(label !== undefined && { label }),
      ...(reply && { model: labelOf(reply.model) }),
      ...(reply?.error && { error: reply.error.message }),
    };
  }

  /** Returns the lines a reply added and removed, or nothing while they are not counted. */
  lines(session: OpenSession, id: NodeId): LineCount | undefined {
    const node = session.state.nodes.get(id);
    if (node?.role !== 'assistant') return { added: 0, removed: 0 };
    const { counts, t } = this.ports;
    const { files, complete } = presentFiles(node, session.info.folders, counts, t);
    if (!complete) return undefined;
    const sum = (side: 'added' | 'removed'): number =>
      files.reduce((all, file) => all + (file[side] ?? 0), 0);
    return { added: sum('added'), removed: sum('removed') };
  }

  #row(
    session: OpenSession,
    row: GraphRow,
    marks: readonly string[],
    archived: boolean,
  ): GraphRowView {
    const { parent, lane, branch, active, kind } = row;
    const place = { parent, lane, branch, active, marks, archived };
    const label = row.id === null ? undefined : session.state.labels.get(row.id);
    const node = row.id === null ? undefined : session.state.nodes.get(row.id);
    if (kind === 'node' && node !== undefined) {
      return {
        ...place,
        key: node.id,
        kind: kindOf(node),
        ...this.#textAndFiles(node),
        ...versionOf(session, node),
        ...(label !== undefined && { label }),
        status: node.role === 'assistant' ? node.status : 'done',
        at: node.createdAt,
      };
    }
    const here = kind === 'here';
    const text = here ? this.#here(session) : '';
    const bare = { text, files: 0, status: 'done' as const, at: 0 };
    return { ...place, ...bare, key: here ? 'here' : 'start', kind: here ? 'here' : 'start' };
  }

  #textAndFiles(node: GraphNode): Pick<GraphRowView, 'text' | 'files'> {
    const known = this.#bare.get(node);
    if (known !== undefined) return known;
    const text = excerpt(nodeText(node), rowText);
    const made = { text, files: foldTurn(changesOf(node)).length };
    this.#bare.set(node, made);
    return made;
  }

  /** Where the files are is said of where the session stands; whether they match is known only after a look at them. */
  #here(session: OpenSession): string {
    const { t } = this.ports;
    const apart = presentFilesLine(session, t);
    if (apart !== undefined) return apart.text;
    return session.compared ? t('files match this point') : t('files last known at this point');
  }

  #marks(
    session: OpenSession,
    forks: readonly ForkMade[],
  ): ReadonlyMap<NodeId | null, readonly string[]> {
    const { t, language } = this.ports;
    const { state, standing, info, compared } = session;
    const marks = new Map<NodeId | null, string[]>();
    const mark = (id: NodeId | null, text: string): void => {
      const known = marks.get(id);
      if (known === undefined) marks.set(id, [text]);
      else if (!known.includes(text)) known.push(text);
    };
    const time = new Intl.DateTimeFormat(language, { timeStyle: 'short' });
    const rewound = new Map<NodeId, number>();
    for (const step of state.steps) {
      if (step.type !== 'move' || step.move.verb !== 'rewind') continue;
      const { target, at } = step.move;
      if (target !== null) rewound.set(target, at);
    }
    for (const [id, at] of rewound) mark(id, t('rewound {0}', time.format(at)));
    const undone = partsUndone(state.nodes, standing.head ?? '', standing.filesHead);
    if (undone !== undefined && undone.length > 0) mark(standing.head, t('some changes undone'));
    else if (filesAway(session))
      mark(standing.filesHead, compared ? t('files are here') : t('files last known here'));
    if (info.forkedFrom) mark(info.forkedFrom.messageId, t('forked here'));
    for (const fork of forks) mark(fork.at, t('forked to {0}', fork.title));
    return marks;
  }
}

function kindOf(node: GraphNode): GraphRowView['kind'] {
  if (node.role === 'user') return 'user';
  return node.role === 'assistant' ? 'reply' : 'notice';
}

function versionOf({ state }: OpenSession, { id }: GraphNode): Pick<GraphRowView, 'version'> {
  const all = siblings(state.nodes, state.children, id);
  return all.length < 2 ? {} : { version: { index: all.indexOf(id) + 1, count: all.length } };
}
