import type * as vscode from 'vscode';
import { sameBytes } from '../../core/bytes';
import { FsError } from '../../engine/ports';
import { decodeBytes, encodeText } from './encodings';
import { changesLineEnd, saveWouldChange, setText, shownText, untilShown } from './documentText';
import type { FilesPorts } from './readFile';
import { readDisk } from './readFile';

/** How long a document may take to follow its file, and how long a write under it is taken for not yet followed. */
const patience = 2_000;

/** Changes files that stand in editors, so that one undo goes back and no unsaved text is written over. */
export class DocumentWriter {
  readonly #ports: FilesPorts;
  /** When bytes were last written under a document: until VS Code has seen them, saving would be refused as a conflict. */
  readonly #writtenUnder = new WeakMap<vscode.TextDocument, number>();

  constructor(ports: FilesPorts) {
    this.#ports = ports;
  }

  /** Gives a saved document's file exactly these bytes. */
  async writeClean(document: vscode.TextDocument, bytes: Uint8Array): Promise<void> {
    const uri = document.uri.toString();
    const { bytes: present } = await readDisk(this.#ports, uri);
    if (sameBytes(present, bytes)) return;
    const wanted = await decodeBytes(bytes, document.encoding);
    const byEdit =
      present !== undefined &&
      wanted !== undefined &&
      // VS Code's own way of following the disk cannot be redone where the line end changes too.
      (changesLineEnd(document, wanted.text) ||
        (wanted.exact && !saveWouldChange(document, wanted.text))) &&
      !this.#mayLagBehind(document) &&
      (await this.#shows(document, present));
    if (byEdit) {
      const applied = await setText(document, wanted.text);
      // What somebody typed in this moment is theirs: the caller sees it when it reads back.
      if (applied === 'changed meanwhile') return;
      if (applied === 'done') await document.save();
    }
    await this.#writeUnder(document, bytes);
  }

  /** Puts bytes into a document with unsaved text and saves it if asked to. */
  async writeDirty(document: vscode.TextDocument, bytes: Uint8Array, save: boolean): Promise<void> {
    const wanted = await decodeBytes(bytes, document.encoding);
    if (wanted === undefined || (!save && !(await this.#canHold(document, wanted.text, bytes)))) {
      throw new FsError(
        'unavailable',
        `${document.uri.toString()}: an unsaved editor cannot hold these bytes; save or close it first`,
      );
    }
    const applied = await setText(document, wanted.text);
    if (applied !== 'done') {
      throw new FsError('unavailable', `${document.uri.toString()}: the editor: ${applied}`);
    }
    if (!save) return;
    await this.#saveOver(document);
    await this.#writeUnder(document, bytes);
  }

  /** A command may have changed the file under the unsaved text; that it is to be replaced has been asked already. */
  async #saveOver(document: vscode.TextDocument): Promise<void> {
    const uri = document.uri.toString();
    const { powers } = this.#ports;
    const save = async (): Promise<void> => {
      await document.save();
    };
    await (powers?.handles(uri) === true ? powers.whileOld(uri, save) : save());
  }

  /** Writes exact bytes unless they are there already; never under a document with unsaved text. */
  async #writeUnder(document: vscode.TextDocument, bytes: Uint8Array): Promise<void> {
    const uri = document.uri.toString();
    const { bytes: present } = await readDisk(this.#ports, uri);
    // Asked last, with nothing awaited between the answer and the write.
    if (sameBytes(present, bytes) || document.isDirty) return;
    this.#writtenUnder.set(document, this.#ports.runtime.now());
    await this.#ports.files.write(uri, bytes);
    await untilShown(document, await this.#textsOf(document, bytes), patience);
  }

  /** VS Code guesses the encoding anew when it reads a file again, so its text can come out in two ways. */
  async #textsOf(document: vscode.TextDocument, bytes: Uint8Array): Promise<readonly string[]> {
    const kept = await decodeBytes(bytes, document.encoding);
    const guessed = await decodeBytes(bytes, document.uri);
    return [kept, guessed].flatMap((one) => (one === undefined ? [] : [one.text]));
  }

  #mayLagBehind(document: vscode.TextDocument): boolean {
    return this.#ports.runtime.now() - (this.#writtenUnder.get(document) ?? 0) < patience;
  }

  /** Says whether a clean document shows what is on disk; where it does not yet, an edit would meet a conflict. */
  async #shows(document: vscode.TextDocument, present: Uint8Array): Promise<boolean> {
    const decoded = await decodeBytes(present, document.encoding);
    return decoded !== undefined && document.getText() === shownText(document, decoded.text);
  }

  async #canHold(document: vscode.TextDocument, text: string, bytes: Uint8Array): Promise<boolean> {
    return sameBytes(await encodeText(shownText(document, text), document.encoding), bytes);
  }
}
