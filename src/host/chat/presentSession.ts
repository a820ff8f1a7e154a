import { keyLabel, uriKey, type SessionFolder } from '../../core/fileKey';
import { ancestors, siblings } from '../../core/graph';
import { undoStacks } from '../../core/journal';
import type { AssistantNode, Attachment, GraphNode, UserNode } from '../../core/node';
import type { Approvals, PendingApproval, RuledKind } from '../../engine/approvals';
import type { OpenSession } from '../../engine/openSession';
import type { Retrace } from '../../engine/retrace';
import type { Sheets } from '../../engine/sheets';
import type {
  ApprovalView,
  AttachmentView,
  FilesLineView,
  MessageEntry,
  MessageView,
  OfferView,
  OutlineView,
  PartView,
  ReplyView,
  SessionView,
  SiblingsView,
} from '../../protocol/viewModel';
import type { Part } from '../../core/node';
import type { LineCounts } from './lineCounts';
import { presentFiles, presentFilesLine } from './presentFiles';
import { presentLines } from './presentLines';
import { presentPart } from './presentParts';
import { presentSheet } from './presentSheet';
import { contextTokens, usageText, UsageTexts } from './presentUsage';
import type { ChatContext, ChatModels, ChatModes, ChatServices } from './services';
import type { Translate } from '../../engine/ports';

/** What the presenter reads. */
export interface PresenterPorts {
  readonly retrace: Pick<Retrace, 'rewindPoints'>;
  readonly sheets: Pick<Sheets, 'current'>;
  readonly approvals: Pick<Approvals, 'pending'>;
  readonly models: Pick<ChatModels, 'currentOf' | 'labelOf'>;
  readonly modes: Pick<ChatModes, 'currentOf'>;
  readonly context: Pick<ChatContext, 'offer' | 'instructions'>;
  readonly sendKey: Pick<ChatServices['sendKey'], 'get'>;
  readonly counts: LineCounts;
  readonly t: Translate;
}

/** What a page was told of each message, by id. */
export type Told = ReadonlyMap<string, MessageView>;

/** So many messages at the end, or so many characters of them, are told without being asked for. */
const near = { messages: 40, characters: 400_000 } as const;

interface Made<T> {
  readonly view: T;
  /** False while line counts are missing: the view is then made again. */
  readonly complete: boolean;
}

/**
 * Computes what the page draws from a session. Nodes and parts never change once they are there, so what was made of
 * them is kept by identity: a snapshot costs little more than its list of messages, a token little more than its part.
 */
export class Presenter {
  readonly #messages = new WeakMap<GraphNode, Made<MessageView>>();
  readonly #outlines = new WeakMap<GraphNode, OutlineView>();
  readonly #parts = new WeakMap<Part, PartView>();
  readonly #tokens = new WeakMap<GraphNode, number>();
  readonly #usage = new UsageTexts();
  readonly #attachments = new WeakMap<Attachment, AttachmentView>();

  constructor(private readonly ports: PresenterPorts) {}

  /** Returns the whole view of a session, for a page that was told something already. */
  present(session: OpenSession, revision: number, told: Told = new Map()): SessionView {
    const { state, standing, draft } = session;
    const { models, approvals, sheets, retrace, t } = this.ports;
    const path = ancestors(state.nodes, standing.head);
    const { contextWindow, id, label, practice } = models.currentOf(session);
    const sheet = sheets.current(session.id);
    const offer = this.ports.context.offer(session);
    const files = this.filesLine(session);
    const { undo, redo } = undoStacks(state.steps);
    return {
      sessionId: session.id,
      title: session.info.title,
      revision,
      messages: this.#entries(session, path, told),
      lines: presentLines(session, (one) => retrace.rewindPoints(one), t),
      ...(files && { files }),
      ...(sheet && { sheet: presentSheet(session, sheet.plan, t) }),
      approvals: approvals.pending(session.id).map((question) => approvalView(question, t)),
      running: session.running !== undefined,
      ...(session.waiting !== undefined && { waiting: session.waiting }),
      draft: {
        ...draft.draft,
        version: session.draftVersion,
        ...(draft.caret !== undefined && { caret: draft.caret }),
        ...(draft.aside && { aside: draft.aside }),
      },
      queued: session.queued.map(({ id: queuedId, draft: waits }) => ({
        id: queuedId,
        text: waits.text,
        attachments: waits.attachments.length,
      })),
      sendKey: this.ports.sendKey.get(),
      instructions: this.ports.context.instructions(session),
      ...(offer && { offer }),
      model: { id, label, practice },
      mode: this.ports.modes.currentOf(session),
      context: {
        used: this.#used(path),
        ...(contextWindow !== undefined && { window: contextWindow }),
        usage: this.#usage.of(session, path, t),
      },
      noFolder: session.info.folders.length === 0,
      canUndo: undo.length > 0,
      canRedo: redo.length > 0,
    };
  }

  /** Fires when line counts that were asked for are known. */
  get countsKnown(): LineCounts['known'] {
    return this.ports.counts.known;
  }

  /** Says whether what was last drawn of a node lacks nothing. */
  isComplete(node: GraphNode): boolean {
    return this.#messages.get(node)?.complete !== false;
  }

  /** Returns what the editor shows now. */
  offer(session: OpenSession): OfferView | undefined {
    return this.ports.context.offer(session);
  }

  /** Returns the files line alone. */
  filesLine(session: OpenSession): FilesLineView | undefined {
    return presentFilesLine(session, this.ports.t);
  }

  /** Returns what is drawn of one node, or nothing for a node nobody sees. */
  message(session: OpenSession, node: GraphNode): MessageView | undefined {
    if (node.role === 'files') return undefined;
    const around = siblingsOf(session, node);
    const known = this.#messages.get(node);
    if (known?.complete === true && sameSiblings(known.view, around)) return known.view;
    const made = this.#make(session, node, around);
    this.#messages.set(node, made);
    return made.view;
  }

  #entries(session: OpenSession, path: readonly GraphNode[], told: Told): readonly MessageEntry[] {
    const entries: MessageEntry[] = [];
    let characters = 0;
    for (const node of path.toReversed()) {
      if (node.role === 'files') continue;
      const outline = this.#outline(node);
      const isNear = entries.length < near.messages && characters < near.characters;
      characters += outline.size;
      const before = told.get(node.id);
      const view = isNear || before !== undefined ? this.message(session, node) : undefined;
      entries.push(view === undefined || view === before ? outline : view);
    }
    return entries.reverse();
  }

  #outline(node: Exclude<GraphNode, { role: 'files' }>): OutlineView {
    const known = this.#outlines.get(node);
    if (known !== undefined) return known;
    const { id, role } = node;
    const made: OutlineView = { role: 'outline', id, of: role, size: sizeOf(node) };
    this.#outlines.set(node, made);
    return made;
  }

  #make(
    session: OpenSession,
    node: Exclude<GraphNode, { role: 'files' }>,
    around: SiblingsView,
  ): Made<MessageView> {
    switch (node.role) {
      case 'summary':
      case 'notice': {
        const { role, id, text, createdAt } = node;
        return { view: { role, id, text, createdAt }, complete: true };
      }
      case 'user':
        return { view: this.#user(session, node, around), complete: true };
      case 'assistant':
        return this.#reply(session, node, around);
    }
  }

  #user({ info }: OpenSession, node: UserNode, around: SiblingsView): MessageView {
    const { role, id, text, createdAt } = node;
    const attachments = node.attachments.map((one) => this.#attachment(info.folders, one));
    return { role, id, text, attachments, createdAt, siblings: around };
  }

  #reply({ info }: OpenSession, node: AssistantNode, around: SiblingsView): Made<ReplyView> {
    const { counts, models, t } = this.ports;
    const { files, complete } = presentFiles(node, info.folders, counts, t);
    const { role, id, status, error, createdAt } = node;
    const usage = usageText(node.usage, t);
    return {
      view: {
        role,
        id,
        model: models.labelOf(node.model),
        parts: node.parts.map((part) => this.#part(part)),
        status,
        ...(error && { error: { code: error.code, message: error.message } }),
        ...(usage !== undefined && { usage }),
        files,
        createdAt,
        siblings: around,
      },
      complete,
    };
  }

  #part(part: Part): PartView {
    const known = this.#parts.get(part);
    if (known !== undefined) return known;
    const made = presentPart(part, this.ports.t);
    this.#parts.set(part, made);
    return made;
  }

  #attachment(folders: readonly SessionFolder[], data: Attachment): AttachmentView {
    const known = this.#attachments.get(data);
    if (known !== undefined) return known;
    const made = { label: attachmentLabel(folders, data), data };
    this.#attachments.set(data, made);
    return made;
  }

  #used(path: readonly GraphNode[]): number {
    const head = path.at(-1);
    if (head === undefined) return 0;
    const known = this.#tokens.get(head);
    if (known !== undefined) return known;
    const tokens = contextTokens(path);
    this.#tokens.set(head, tokens);
    return tokens;
  }
}

function sizeOf(node: Exclude<GraphNode, { role: 'files' }>): number {
  if (node.role !== 'assistant') return node.text.length;
  return node.parts.reduce((sum, part) => sum + ('text' in part ? part.text.length : 0), 0);
}

function siblingsOf({ state }: OpenSession, { id }: GraphNode): SiblingsView {
  const all = siblings(state.nodes, state.children, id);
  const at = all.indexOf(id);
  const [previous, next] = [all[at - 1], all[at + 1]];
  return {
    index: at + 1,
    count: all.length,
    ...(previous !== undefined && { previous }),
    ...(next !== undefined && { next }),
  };
}

function sameSiblings(view: MessageView, now: SiblingsView): boolean {
  if (view.role === 'notice' || view.role === 'summary') return true;
  const { index, count, previous, next } = view.siblings;
  return (
    index === now.index && count === now.count && previous === now.previous && next === now.next
  );
}

function attachmentLabel(folders: readonly SessionFolder[], data: Attachment): string {
  if ('name' in data) return data.name;
  try {
    return keyLabel(folders, uriKey(folders, data.uri));
  } catch {
    // What is no URI came from outside; it is shown as it was given.
    return data.uri;
  }
}

function approvalView(question: PendingApproval, t: Translate): ApprovalView {
  const { approvalId, kind, answers, note } = question;
  if (kind === 'storage') {
    const told = t(
      '{0}. What is changed without a copy cannot be taken back. Nothing is changed until you choose.',
      question.detail,
    );
    return { approvalId, kind, title: t('The storage is full'), detail: '', answers, note: told };
  }
  const title = kind === 'continue' ? t('Go on?') : approvalTitle(kind, t);
  const detail =
    kind === 'continue'
      ? t('The model was called {0} times in this turn.', question.detail)
      : question.detail;
  return { approvalId, kind, title, detail, answers, ...(note && { note }) };
}

function approvalTitle(kind: RuledKind, t: Translate): string {
  switch (kind) {
    case 'write':
      return t('Change a file');
    case 'delete':
      return t('Delete a file');
    case 'command':
      return t('Run a command');
    case 'outside':
      return t('Go outside the workspace');
    case 'tools':
      return t('Use a tool');
  }
}
