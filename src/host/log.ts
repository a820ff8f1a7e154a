import * as vscode from 'vscode';
import type { Log } from '../engine/ports';
import { logLine } from './logLine';

/** The one log of Retrace: an output channel, whose level people choose. */
export class ChannelLog implements Log, vscode.Disposable {
  readonly #channel = vscode.window.createOutputChannel('Retrace', { log: true });

  info(message: string): void {
    this.#channel.info(message);
  }

  warn(message: string, error?: unknown): void {
    this.#channel.warn(logLine(message, error));
  }

  error(message: string, error?: unknown): void {
    this.#channel.error(logLine(message, error));
  }

  /** Brings the log into view; only ever called when somebody asks for it. */
  show(): void {
    this.#channel.show(true);
  }

  dispose(): void {
    this.#channel.dispose();
  }
}
