import * as vscode from 'vscode';
import { Approvals } from '../engine/approvals';
import { AttachedFiles } from '../engine/attachedFiles';
import { Blobs } from '../engine/blobs';
import { Locks } from '../engine/locks';
import { Mover } from '../engine/mover';
import type { OpenSession } from '../engine/openSession';
import type { Log, WorkspaceFiles } from '../engine/ports';
import { Retrace } from '../engine/retrace';
import { TurnReview } from '../engine/reviewTurn';
import { Sessions } from '../engine/sessions';
import { SessionSearch } from '../engine/sessionSearch';
import { Sheets } from '../engine/sheets';
import { Storage } from '../engine/storage';
import { SessionStore } from '../engine/store/sessionStore';
import { staleAfter } from '../engine/liveReply';
import { Titles } from '../engine/titles';
import { TurnRunner } from '../engine/turnRunner';
import { askOnce } from './askOnce';
import { readAttachment } from './attachments';
import { hostCommands } from './commandPower';
import { WindowSession, type CurrentSession } from './currentSession';
import { ProjectInstructions } from './context/projectInstructions';
import { workspaceFinder } from './files/finder';
import { leavesWorkspace, realPathInWorkspace } from './files/refusals';
import { vscodeFileSystem } from './files/vscodeFileSystem';
import { FilesHub, SessionFiles } from './files/workspaceFiles';
import { instructions } from './instructions';
import { loadAgent, loadTester } from './loadAgent';
import { loadNode } from './loadNode';
import { approvalMemory, plainRule } from './memories';
import type { Models } from './models';
import { recoveryTexts } from './recoveryTexts';
import { offerWithoutTools } from './noTools';
import { outsideTools } from './lm/editorTools';
import { findProblems } from './problems';
import { hostRuntime } from './runtime';
import type { SessionModes } from './sessionModes';
import { storageFigure } from './sizes';
import { settings } from './settings';
import { requireTrust } from './trust';

/** Sessions, moves and turns over this window. */
export interface Engine {
  readonly retrace: Retrace;
  readonly sheets: Sheets;
  readonly sessions: Sessions;
  readonly search: SessionSearch;
  readonly approvals: Approvals;
  readonly blobs: Blobs;
  readonly filesOf: (session: OpenSession) => WorkspaceFiles;
  readonly storage: Storage;
  readonly current: CurrentSession;
  readonly log: Log;
  readonly project: ProjectInstructions;
  readonly turnReview: TurnReview;
  /** Stops running turns, waits a moment for them, and puts everything on disk. */
  close(): Promise<void>;
}

/** What the engine is made of here. */
export interface EngineOptions {
  readonly context: vscode.ExtensionContext;
  readonly models: Models;
  readonly modes: SessionModes;
  readonly log: Log;
}

/** How long running turns may take to settle when the window goes, in milliseconds. */
const settleLimit = 2_000;

/** Opens the store and builds everything that stands on it. */
export async function openEngine({ context, models, modes, log }: EngineOptions): Promise<Engine> {
  const files = vscodeFileSystem;
  const root = vscode.Uri.joinPath(context.globalStorageUri, 'store').toString();
  const [node, store] = await Promise.all([
    loadNode(),
    SessionStore.open(root, { files, runtime: hostRuntime, log }),
  ]);
  const runtime = { ...hostRuntime, ...node?.createDigests() };
  const blobs = new Blobs(root, { files, runtime, log });
  const storage = new Storage({
    ...{ store, blobs, runtime, log, staleAfter },
    budget: settings.storageBudget,
    figure: storageFigure,
  });
  const powers = node?.createNodePowers();
  const commands = node && hostCommands(node, context, blobs);
  const hub = new FilesHub({ files, runtime, powers, wrote: commands?.told });
  const filesOf = perSession((session) => new SessionFiles(hub, () => session.info.folders));
  const approvals = new Approvals(
    runtime,
    approvalMemory(context.workspaceState),
    settings.approval,
  );
  const locks = new Locks();
  const leaves = (uri: string): Promise<boolean> =>
    leavesWorkspace(files, powers, vscode.Uri.parse(uri, true));
  const project = new ProjectInstructions(leaves);
  const turns = new TurnRunner({
    store,
    blobs,
    locks,
    runtime,
    log,
    approvals,
    agent: () => loadAgent((turn) => void offerWithoutTools(models, turn, log)),
    filesOf,
    finderOf: (session) => workspaceFinder(session, leaves),
    leaves,
    realPath: (uri) => realPathInWorkspace(powers, vscode.Uri.parse(uri, true)),
    attached: new AttachedFiles({
      read: readAttachment,
      leaves,
    }),
    fetch: (input, init) => fetch(input, init),
    outsideTools: () => outsideTools(settings.tools()),
    problems: findProblems,
    unwatched: () =>
      vscode.l10n.t('What it changes in files is not recorded here and cannot be rewound.'),
    instructions: async (session) => instructions(session, await project.text(session)),
    callLimit: () => settings.callLimit(),
    room: storage,
    texts: {
      cleaningUp: () => vscode.l10n.t('Waiting until another window has cleaned up the storage'),
      savesFirst: (names) => vscode.l10n.t('Saved before it runs: {0}', names),
    },
    modeOf: (session) => modes.current(session),
    commands: commands?.power,
  });
  const sessions = new Sessions({
    store,
    blobs,
    runtime,
    log,
    filesOf,
    turns: () => turns,
    folders: () =>
      (vscode.workspace.workspaceFolders ?? []).map(({ uri, name }) => ({
        uri: uri.toString(),
        name,
      })),
    newTitle: vscode.l10n.t('New Session'),
    staleAfter,
    told: (session, text) => session.addLine({ kind: 'text', id: runtime.newId(), text }),
    texts: recoveryTexts,
  });
  const titles = new Titles({
    wanted: settings.modelTitles,
    ask: async (question, model, signal) => {
      const agent = await loadTester(() => undefined);
      return askOnce(agent, model, question, (input, init) => fetch(input, init), signal);
    },
    log,
  });
  const retrace = new Retrace({
    titles,
    sessions,
    mover: new Mover(blobs, locks, runtime, log),
    turns,
    runtime,
    log,
    filesOf,
    model: (id, session) => models.resolve(id, session.id),
    requireTrust,
  });
  return {
    retrace,
    sheets: new Sheets(retrace, plainRule(context.globalState)),
    sessions,
    search: new SessionSearch(sessions),
    approvals,
    blobs,
    filesOf,
    storage,
    current: new WindowSession(sessions, context.workspaceState, log),
    log,
    project,
    turnReview: new TurnReview(blobs, runtime, filesOf),
    close: async () => {
      titles.close();
      await close(sessions, retrace);
      await blobs.usage.flush();
    },
  };
}

function perSession<T>(make: (session: OpenSession) => T): (session: OpenSession) => T {
  const made = new WeakMap<OpenSession, T>();
  return (session) => {
    const known = made.get(session);
    if (known !== undefined) return known;
    const fresh = make(session);
    made.set(session, fresh);
    return fresh;
  };
}

async function close(sessions: Sessions, retrace: Retrace): Promise<void> {
  const stopping = Promise.allSettled(sessions.allOpened.map((session) => retrace.stop(session)));
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, settleLimit);
  });
  await Promise.race([stopping, limit]);
  clearTimeout(timer);
  await sessions.flush();
}
