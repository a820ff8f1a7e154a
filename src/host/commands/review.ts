import * as vscode from 'vscode';
import { RetraceError } from '../../engine/errors';
import type { MoveRequest } from '../../engine/movePlan';
import type { OpenSession } from '../../engine/openSession';
import type { OnConflict } from '../../engine/retrace';
import type { Review } from '../review/review';
import { parseArgument, schemas } from './arguments';
import { performOptions, type CommandHost } from './host';
import { moveResult, type MoveResult } from './results';

/** Where a change is. */
interface ChangePlace {
  readonly uri: string;
  /** Zero-based. */
  readonly line: number;
}

interface Kept {
  readonly files: readonly string[];
}

type Reach = 'change' | 'file' | 'all';

/** `retrace.keepChange`, `keepFile` and `keepAllChanges`: no longer marked. */
export function keep(reach: Reach) {
  return async (host: CommandHost, raw: unknown): Promise<Kept> => {
    const review = await reviewOf(host);
    const { uri, change } = await named(review, reach, raw);
    return { files: await review.keep(uri, change) };
  };
}

/** `retrace.undoChange`, `undoFile` and `undoAllChanges`: a move of the files. What conflicts is asked about. */
export function undo(reach: Reach) {
  return async (host: CommandHost, raw: unknown): Promise<MoveResult> => {
    const given = parseArgument(schemas.reviewed, fromEditor(raw));
    const review = await reviewOf(host);
    const { uri, change } = await named(review, reach, raw);
    return review.once(JSON.stringify([uri, change]), async () => {
      const { session, request } = await review.undo(uri, change);
      return perform(host, session, request, given);
    });
  };
}

/** After a reload no session is the window's until somebody asks for it. */
async function reviewOf(host: CommandHost): Promise<Review> {
  await (await host.engine()).current.get();
  return host.review();
}

async function perform(
  host: CommandHost,
  session: OpenSession,
  request: MoveRequest,
  given: { readonly onConflict?: OnConflict | undefined; readonly confirm?: boolean | undefined },
): Promise<MoveResult> {
  const { sheets } = await host.engine();
  const asking = performOptions(host, session, {});
  const { onConflict = 'ask', confirm = true } = given;
  try {
    const quiet = { ...asking, confirm: false, onConflict };
    return moveResult(session, await sheets.perform(session, request, quiet));
  } catch (error) {
    const asks = confirm && given.onConflict === undefined;
    if (!asks || !(error instanceof RetraceError) || error.code !== 'conflict') throw error;
    return moveResult(session, await sheets.perform(session, request, asking));
  }
}

/** `retrace.nextChange` and `previousChange`: the cursor goes there, in the next file where this one has no more. */
export function goToChange(step: 1 | -1) {
  return async (host: CommandHost, raw: unknown): Promise<ChangePlace> => {
    parseArgument(schemas.goToChange, fromEditor(raw));
    const review = await reviewOf(host);
    const editor = vscode.window.activeTextEditor;
    const here = editor?.document.uri.toString();
    const line = editor?.selection.active.line ?? 0;
    const files = review.files().map(({ uri }) => uri);
    const at = files.indexOf(here ?? '');
    const inFile = at === -1 ? [] : await starts(review, files[at]);
    const found =
      step === 1 ? inFile.find((start) => start > line) : inFile.findLast((start) => start < line);
    if (here !== undefined && found !== undefined) return show(here, found);
    for (let n = 1; n <= files.length; n++) {
      const from = at === -1 && step === -1 ? files.length : at;
      const uri = files[(from + step * n + files.length * 2) % files.length];
      const places = await starts(review, uri);
      const first = step === 1 ? places[0] : places.at(-1);
      if (uri !== undefined && first !== undefined) return show(uri, first);
    }
    throw nothing();
  };
}

/** The lines where a file's changes begin; the top of a file whose changes are not told by lines, none of one that is gone. */
async function starts(review: Review, uri: string | undefined): Promise<readonly number[]> {
  const open = uri === undefined ? undefined : await review.read(uri);
  if (open === undefined || open.reviewed.after.kind !== 'file') return [];
  return open.changes === undefined ? [] : open.changes.map(({ start }) => start);
}

async function show(uri: string, line: number): Promise<ChangePlace> {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri, true));
  const editor = await vscode.window.showTextDocument(document);
  const at = new vscode.Position(Math.min(line, document.lineCount - 1), 0);
  editor.selection = new vscode.Selection(at, at);
  editor.revealRange(
    new vscode.Range(at, at),
    vscode.TextEditorRevealType.InCenterIfOutsideViewport,
  );
  return { uri, line };
}

/** What a command is about: as its argument says, else the change at the cursor, or the file in the editor. */
async function named(
  review: Review,
  reach: Reach,
  raw: unknown,
): Promise<{ readonly uri?: string; readonly change?: number }> {
  const args = parseArgument(schemas.reviewed, fromEditor(raw));
  if (reach === 'all') return {};
  const editor = vscode.window.activeTextEditor;
  const uri = args.uri ?? editor?.document.uri.toString();
  if (uri === undefined) throw nothing();
  if (reach === 'file') return { uri };
  if (args.change !== undefined) return { uri, change: args.change };
  const line = editor?.document.uri.toString() === uri ? editor.selection.active.line : -1;
  const open = await review.read(uri);
  const found = open?.changes?.find(
    ({ start, end }) => start <= line && line <= Math.max(start, end - 1),
  );
  if (found === undefined) throw nothing();
  return { uri, change: found.index };
}

/** The title bar of an editor hands over what is in it, which is the editor that is meant anyway. */
function fromEditor(raw: unknown): unknown {
  const fromMenu = typeof raw === 'object' && raw !== null && 'uris' in raw;
  return fromMenu ? undefined : raw;
}

function nothing(): RetraceError {
  return new RetraceError('nothing_to_do', 'There is no change to review here.');
}
