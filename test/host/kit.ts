// The command API as another extension would use it, and files of the workspace by workspace.fs, in every host alike.
import { assert } from 'chai';
import * as vscode from 'vscode';
import type { MoveResult, SessionResult } from '../../src/host/commands/results';
import type { TurnResult } from '../../src/engine/liveReply';

/** Activates first, so that an error keeps its code on the way to the caller. */
export async function activate(): Promise<void> {
  const extension = vscode.extensions.getExtension('retrace.retrace');
  assert.ok(extension);
  await extension.activate();
}

async function call<T>(command: string, argument?: object): Promise<T> {
  return vscode.commands.executeCommand<T>(`retrace.${command}`, argument);
}

export const api = {
  call,
  newSession: async (title?: string): Promise<string> => {
    const argument = title === undefined ? {} : { title };
    return (await call<{ sessionId: string }>('newSession', argument)).sessionId;
  },
  send: (sessionId: string, text: string, more: object = {}) =>
    call<TurnResult>('send', { sessionId, text, ...more }),
  getSession: (sessionId: string) => call<SessionResult>('getSession', { sessionId }),
  points: async (sessionId: string) =>
    (
      await call<{
        points: { n: number; messageId: string; text: string; filesChanged: number }[];
      }>('listRewindPoints', { sessionId })
    ).points,
  /** A move without a sheet. */
  move: (command: string, argument: object) =>
    call<MoveResult>(command, { confirm: false, ...argument }),
};

/** The reply of a turn in which something was sent. */
export function replyOf({ assistantMessageId }: TurnResult): string {
  assert.ok(assistantMessageId);
  return assistantMessageId;
}

/** Resolves to the code of the error a call ends with, as it survives in the message. */
export async function codeOf(promise: Promise<unknown>): Promise<string> {
  return (await messageOf(promise)).split(':', 1)[0] ?? '';
}

export async function messageOf(promise: Promise<unknown>): Promise<string> {
  try {
    const value = await promise;
    return `no error, but ${JSON.stringify(value)}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** A folder of a test's own in the workspace; paths are what the agent is told. */
export class Folder {
  static #count = 0;
  readonly name: string;

  constructor(label: string) {
    Folder.#count++;
    this.name = `${label}-${Folder.#count}`;
  }

  path(file: string): string {
    return `${this.name}/${file}`;
  }

  uri(file: string): vscode.Uri {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    return vscode.Uri.joinPath(folder.uri, this.name, file);
  }

  async put(file: string, text: string): Promise<void> {
    await vscode.workspace.fs.writeFile(this.uri(file), new TextEncoder().encode(text));
  }

  /** The text on disk; undefined when there is no such file. */
  async text(file: string): Promise<string | undefined> {
    try {
      return new TextDecoder().decode(await vscode.workspace.fs.readFile(this.uri(file)));
    } catch {
      return undefined;
    }
  }

  async remove(): Promise<void> {
    try {
      await vscode.workspace.fs.delete(vscode.Uri.joinPath(this.uri('x'), '..'), {
        recursive: true,
      });
    } catch (error) {
      assert.instanceOf(error, vscode.FileSystemError);
    }
  }
}
