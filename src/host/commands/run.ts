import { toRetraceError } from '../../engine/errors';
import type { Log } from '../../engine/ports';
import type { CommandId } from '../contributions';
import { addModel } from './addModel';
import { addToChat } from './addToChat';
import { copyMessage } from './copyMessage';
import { find } from './find';
import { getStarted } from './getStarted';
import { isInteractive } from './arguments';
import { adoptSessions } from './adoptSessions';
import { checkSessions, restoreBackup } from './backups';
import { cleanUpStorage } from './cleanUpStorage';
import type { CommandHost } from './host';
import { archiveBranch, compareMessages, labelMessage, showGraph } from './graph';
import { archiveSession, deleteSession, restoreSession } from './keepSessions';
import { selectMode } from './modes';
import { selectTools } from './tools';
import { selectModel, setApiKey } from './models';
import { editAndResend, goTo, regenerate, retryFiles, rewind, takeBack } from './moves';
import { exportSession, importSession } from './sessionFiles';
import { goToChange, keep, undo } from './review';
import { stopFirst } from './stopFirst';
import {
  fork,
  getSession,
  listSessions,
  newSession,
  openSession,
  renameSession,
  setDraft,
} from './sessions';
import {
  answerApproval,
  continueSummarised,
  listRewindPoints,
  pendingApprovals,
  send,
  stop,
} from './turns';

type Handler = (host: CommandHost, raw: unknown) => Promise<unknown>;

const handlers: Record<CommandId, Handler> = {
  'retrace.newSession': newSession,
  'retrace.openSession': openSession,
  'retrace.listSessions': listSessions,
  'retrace.renameSession': renameSession,
  'retrace.archiveSession': archiveSession,
  'retrace.deleteSession': deleteSession,
  'retrace.restoreSession': restoreSession,
  'retrace.exportSession': exportSession,
  'retrace.importSession': importSession,
  'retrace.restoreBackup': restoreBackup,
  'retrace.adoptSessions': adoptSessions,
  'retrace.checkSessions': checkSessions,
  'retrace.cleanUpStorage': cleanUpStorage,
  'retrace.send': send,
  'retrace.stop': stop,
  'retrace.continueSummarised': continueSummarised,
  'retrace.listRewindPoints': listRewindPoints,
  'retrace.rewind': rewind,
  'retrace.regenerate': regenerate,
  'retrace.editAndResend': editAndResend,
  'retrace.switchBranch': goTo('switch'),
  'retrace.checkout': goTo('checkout'),
  'retrace.undoMove': takeBack('undo'),
  'retrace.redoMove': takeBack('redo'),
  'retrace.retryFiles': retryFiles,
  'retrace.nextChange': goToChange(1),
  'retrace.previousChange': goToChange(-1),
  'retrace.keepChange': keep('change'),
  'retrace.undoChange': undo('change'),
  'retrace.keepFile': keep('file'),
  'retrace.undoFile': undo('file'),
  'retrace.keepAllChanges': keep('all'),
  'retrace.undoAllChanges': undo('all'),
  'retrace.fork': fork,
  'retrace.showGraph': showGraph,
  'retrace.labelMessage': labelMessage,
  'retrace.archiveBranch': archiveBranch,
  'retrace.compareMessages': compareMessages,
  'retrace.getSession': getSession,
  'retrace.setDraft': setDraft,
  'retrace.addToChat': addToChat,
  'retrace.copyMessage': copyMessage,
  'retrace.find': find,
  'retrace.getStarted': getStarted,
  'retrace.addModel': addModel,
  'retrace.setApiKey': setApiKey,
  'retrace.selectModel': selectModel,
  'retrace.selectMode': selectMode,
  'retrace.selectTools': selectTools,
  'retrace.pendingApprovals': pendingApprovals,
  'retrace.answerApproval': answerApproval,
};

/** Runs a command. All errors that leave carry a code; a person who said no is not told so as an error. */
export async function runCommand(
  host: CommandHost,
  log: Log,
  id: CommandId,
  raw: unknown,
): Promise<unknown> {
  try {
    return await stopFirst(host, id, raw, () => handlers[id](host, raw));
  } catch (error) {
    const coded = toRetraceError(error, 'storage');
    if (coded !== error) log.error(`${id} failed`, error);
    if (coded.code === 'cancelled' && isInteractive(raw)) return undefined;
    throw coded;
  }
}
