import * as vscode from 'vscode';
import { linkFiles, sameContent, type FileState } from '../core/changes';
import { keyLabel, keyUri } from '../core/fileKey';
import { knownState } from '../core/known';
import { changesOf } from '../core/node';
import type { PlannedFile } from '../core/plan';
import { stepsBetween } from '../core/route';
import { RetraceError } from '../engine/errors';
import type { OpenSession } from '../engine/openSession';
import type { Retrace } from '../engine/retrace';
import type { BlobFiles } from './blobFiles';
import { foldTurn } from '../core/turnFiles';
import { filesPlaceName } from './chat/words';

/** One file of a diff: where it lies, and its two sides. */
interface Compared {
  readonly label: string;
  readonly uri: vscode.Uri;
  readonly left: vscode.Uri;
  readonly right: vscode.Uri;
}

/** Shows what a reply changed and what a move would change in VS Code's diff editors. */
export class Diffs {
  constructor(
    private readonly retrace: Pick<Retrace, 'planned'>,
    private readonly files: BlobFiles,
  ) {}

  async openChange(session: OpenSession, messageId: string, uri: string): Promise<void> {
    const found = this.changesOf(session, messageId).find((one) => one.uri.toString() === uri);
    if (found === undefined) throw nothingToShow();
    const title = vscode.l10n.t('{0} (before ↔ after the reply)', found.label);
    await openDiff(found, title);
  }

  async openChanges(session: OpenSession, messageId: string): Promise<void> {
    await openAll(this.changesOf(session, messageId), vscode.l10n.t('Changes of the reply'));
  }

  async compareFile(planId: string, uri: string): Promise<void> {
    const compared = this.planned(planId);
    const found = compared.find((one) => one.uri.toString() === uri);
    if (found === undefined) throw nothingToShow();
    await openDiff(found, vscode.l10n.t('{0} (now ↔ after the move)', found.label));
  }

  async compareAll(planId: string): Promise<void> {
    await openAll(this.planned(planId), vscode.l10n.t('What the move changes'));
  }

  /**
   * Opens what differs between the files at a message and those at another one, or those that lie there now, and returns
   * which files these are. Throws `not_found`, and `nothing_to_do` where none differs.
   */
  async compareMessages(
    session: OpenSession,
    messageId: string,
    other: string | undefined,
  ): Promise<readonly string[]> {
    const { nodes } = session.state;
    const t = vscode.l10n.t;
    for (const id of [messageId, other ?? messageId]) {
      const node = nodes.get(id);
      if (node === undefined || node.role === 'files')
        throw new RetraceError('not_found', 'There is no message {0} in this session.', [id]);
    }
    const compared =
      other === undefined
        ? await this.differingNow(session, messageId)
        : this.differing(session, messageId, other);
    if (compared.length === 0) throw new RetraceError('nothing_to_do', t('No file differs.'));
    const place = filesPlaceName(t, nodes, messageId);
    const title =
      other === undefined
        ? t('Files at {0} ↔ now', place)
        : t('Files at {0} ↔ at {1}', place, filesPlaceName(t, nodes, other));
    await openAll(compared, title);
    return compared.map(({ uri }) => uri.toString());
  }

  private differing({ state, info }: OpenSession, from: string, to: string): Compared[] {
    const { nodes, origins } = state;
    const steps = stepsBetween(nodes, from, to);
    const files = new Set(steps.flatMap(({ link }) => linkFiles(link)));
    return [...files].flatMap((file) => {
      const states = [from, to].map((place) => knownState(nodes, origins, file, place));
      const [old, fresh] = states.map((one) => one && contentOf(one));
      const uri = keyUri(info.folders, file);
      if (old === undefined || fresh === undefined || uri === undefined) return [];
      if (old.hash === fresh.hash) return [];
      const label = keyLabel(info.folders, file);
      const place = vscode.Uri.parse(uri, true);
      const [left, right] = [this.files.uri(label, old.hash), this.files.uri(label, fresh.hash)];
      return [{ label, uri: place, left, right }];
    });
  }

  private async differingNow(session: OpenSession, messageId: string): Promise<Compared[]> {
    const { state, standing, info } = session;
    const { nodes, origins } = state;
    const steps = stepsBetween(nodes, messageId, standing.filesHead);
    const files = new Set([...steps.flatMap(({ link }) => linkFiles(link)), ...session.apartFiles]);
    const compared = await Promise.all(
      [...files].map(async (file): Promise<Compared[]> => {
        const then = knownState(nodes, origins, file, messageId);
        const now = knownState(nodes, origins, file, standing.filesHead);
        const apart = session.apartFiles.includes(file);
        const old = then && contentOf(then);
        const uri = keyUri(info.folders, file);
        if (old === undefined || uri === undefined) return [];
        if (!apart && then !== undefined && now !== undefined && sameContent(then, now)) return [];
        const label = keyLabel(info.folders, file);
        const place = vscode.Uri.parse(uri, true);
        const right = (await exists(place)) ? place : this.files.uri(label, undefined);
        return [{ label, uri: place, left: this.files.uri(label, old.hash), right }];
      }),
    );
    return compared.flat();
  }

  private changesOf(session: OpenSession, messageId: string): Compared[] {
    const node = session.state.nodes.get(messageId);
    if (node === undefined) throw nothingToShow();
    const { folders } = session.info;
    return foldTurn(changesOf(node)).flatMap(({ file, before, after }) => {
      const uri = keyUri(folders, file);
      const [old, fresh] = [contentOf(before), contentOf(after)];
      if (uri === undefined || old === undefined || fresh === undefined) return [];
      const label = keyLabel(folders, file);
      return [
        {
          label,
          uri: vscode.Uri.parse(uri, true),
          left: this.files.uri(label, old.hash),
          right: this.files.uri(label, fresh.hash),
        },
      ];
    });
  }

  private planned(planId: string): Compared[] {
    const { session, plan } = this.retrace.planned(planId);
    const { folders } = session.info;
    return plan.files.files.flatMap((file) => {
      const uri = keyUri(folders, file.file);
      const next = plannedContent(file);
      if (uri === undefined || next === undefined) return [];
      const label = keyLabel(folders, file.file);
      const place = vscode.Uri.parse(uri, true);
      return [
        {
          label,
          uri: place,
          // The file itself on the left: unsaved text and later edits show at once.
          left: file.current.disk.kind === 'file' ? place : this.files.uri(label, undefined),
          right:
            next.hash !== undefined && next.bytes !== undefined
              ? this.files.hold(label, next.hash, next.bytes)
              : this.files.uri(label, next.hash),
        },
      ];
    });
  }
}

/** What a recorded state shows in a diff: a blob, or nothing for an absent file; undefined for what has no content. */
function contentOf(state: FileState): { readonly hash?: string } | undefined {
  if (state.kind === 'file') return { hash: state.hash };
  return state.kind === 'absent' ? {} : undefined;
}

/** A conflict is compared with the checkpoint's bytes, everything else with what the move would write. */
function plannedContent(
  file: PlannedFile,
): { readonly hash?: string; readonly bytes?: Uint8Array } | undefined {
  if (file.kind === 'unchanged' || file.kind === 'uncovered') return undefined;
  const conflict = file.problem !== undefined;
  const state = conflict ? file.target : file.result;
  const bytes = conflict ? file.targetBytes : file.bytes;
  const content = state === undefined ? undefined : contentOf(state);
  return content && { ...content, ...(bytes !== undefined && { bytes }) };
}

async function exists(uri: vscode.Uri): Promise<boolean> {
  return vscode.workspace.fs.stat(uri).then(
    ({ type }) => (type & vscode.FileType.File) !== 0,
    () => false,
  );
}

/** Opens VS Code's diff editor in a preview tab. */
export async function openDiff(
  { left, right }: Pick<Compared, 'left' | 'right'>,
  title: string,
): Promise<void> {
  await vscode.commands.executeCommand('vscode.diff', left, right, title, { preview: true });
}

async function openAll(compared: readonly Compared[], title: string): Promise<void> {
  if (compared.length === 0) throw nothingToShow();
  const resources = compared.map(({ uri, left, right }) => [uri, left, right]);
  await vscode.commands.executeCommand('vscode.changes', title, resources);
}

function nothingToShow(): RetraceError {
  return new RetraceError('not_found', vscode.l10n.t('There is no content to compare.'));
}
