import type { FileState } from '../core/changes';
import type { FileKey } from '../core/fileKey';
import type { Mode } from '../core/mode';
import type { GraphNode, Part, TurnError, Usage } from '../core/node';
import type { AttachedResult, NamedFile } from './attachedFiles';

/** Why a file system call failed, by what the caller can do about it. */
export type FsErrorCode =
  | 'not found'
  | 'exists'
  | 'not a directory'
  | 'is a directory'
  | 'no permission'
  | 'no space'
  | 'unavailable'
  | 'unknown';

export class FsError extends Error {
  constructor(
    readonly code: FsErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'FsError';
  }
}

export type FsKind = 'file' | 'folder' | 'symlink' | 'other';

export interface FsStat {
  /** A link to a file or folder counts as what it points at; `link` says it is one. */
  readonly kind: FsKind;
  readonly link: boolean;
  readonly size: number;
  /** Milliseconds since the epoch. */
  readonly mtime: number;
  readonly readonly: boolean;
}

/** `workspace.fs` by URI strings; every failure is an {@link FsError}. */
export interface FileSystem {
  stat(uri: string): Promise<FsStat>;
  read(uri: string): Promise<Uint8Array>;
  /** Makes missing parents. */
  write(uri: string, bytes: Uint8Array): Promise<void>;
  /** With `overwrite` this may be a delete followed by a move: a crash between leaves only the source. */
  rename(from: string, to: string, overwrite: boolean): Promise<void>;
  delete(uri: string, recursive: boolean): Promise<void>;
  list(uri: string): Promise<readonly (readonly [name: string, kind: FsKind])[]>;
  makeFolder(uri: string): Promise<void>;
}

/** Time, chance and hashing, so that tests can own them. */
export interface Runtime {
  now(): number;
  newId(): string;
  sha256(bytes: Uint8Array): Promise<string>;
  /** Gzip; inflate throws on damaged input. */
  deflate(bytes: Uint8Array): Promise<Uint8Array>;
  inflate(bytes: Uint8Array): Promise<Uint8Array>;
}

/** Puts an English text into the user's language; `{0}` names the first argument. */
export type Translate = (message: string, ...args: (string | number)[]) => string;

/** The one log. Never given keys or file contents. */
export interface Log {
  info(message: string): void;
  warn(message: string, error?: unknown): void;
  error(message: string, error?: unknown): void;
}

/** Stored bytes by hash. `get` verifies: a wrong or unreadable blob is a missing one. */
export interface BlobReader {
  get(hash: string): Promise<Uint8Array | undefined>;
}

/** Keeps bytes under their hash; `put` resolves when they are on disk. A hash that is given was made of these bytes. */
export interface BlobStore extends BlobReader {
  put(bytes: Uint8Array, hash?: string): Promise<string>;
  /** Returns the hash that bytes are kept under. */
  hash(bytes: Uint8Array): Promise<string>;
  /** Grows when copies were removed: what was remembered of stored copies before is no longer true. */
  readonly generation: number;
  /** Says that a copy stored before, in the present generation, is about to be referred to. */
  hold(hash: string): void;
  /**
   * Runs work that stores copies and then refers to them; no clean-up takes them in between. Waits, and calls `onWait`,
   * while another window cleans up. Other windows must know by then that this one is at work.
   */
  use<T>(work: () => Promise<T>, onWait?: () => void): Promise<T>;
}

/** Where a turn keeps copies. Says whether they are kept; where not, somebody chose to go on without. */
export interface CopyKeeper {
  keep(bytes: Uint8Array, hash?: string): Promise<{ readonly hash: string } | undefined>;
  /** Returns the hash that bytes are kept under. */
  hash(bytes: Uint8Array): Promise<string>;
  /** Returns bytes whose hash is right, or undefined. */
  get(hash: string): Promise<Uint8Array | undefined>;
}

/** What a file holds at this moment: the editor's unsaved text counts as its content. */
export interface CurrentFile {
  readonly state: FileState;
  /** Present exactly when `state` is a file. */
  readonly bytes?: Uint8Array;
  /** True when an editor holds text that is not on disk; `disk` is then what is. */
  readonly unsaved: boolean;
  readonly disk: FileState;
  readonly diskBytes?: Uint8Array;
  /** Where the name is a symbolic link: where it points; everything else tells of what it leads to. */
  readonly link?: string;
}

export interface WriteOptions {
  /** False leaves the text in an already unsaved editor unsaved. */
  readonly save: boolean;
  readonly mode?: number;
}

/**
 * The only way Retrace changes files of a workspace. Each call returns what is there afterwards, read back; it throws an
 * {@link FsError} when nothing could be done. Documents with an editor change by minimal edits, everything else through
 * the file system. No call takes the focus or opens a tab.
 */
export interface WorkspaceFiles {
  read(file: FileKey): Promise<CurrentFile>;
  write(file: FileKey, bytes: Uint8Array, options: WriteOptions): Promise<CurrentFile>;
  /** Removes a file, or a symbolic link and not what it leads to. */
  remove(file: FileKey): Promise<CurrentFile>;
  /** Makes a symbolic link where nothing is. */
  makeLink(file: FileKey, target: string): Promise<CurrentFile>;
  /** Moves a file to a free name; tabs and unsaved text follow. */
  rename(from: FileKey, to: FileKey): Promise<CurrentFile>;
  makeFolder(folder: FileKey): Promise<void>;
  /** Removes the folder when it is empty and says whether it did. */
  removeEmptyFolder(folder: FileKey): Promise<boolean>;
  /** Saves what an editor holds that cannot be read, so that it can be; what is then there is read as ever. */
  saveUnsaved(file: FileKey): Promise<CurrentFile>;
  /**
   * Says why a write to this file must not be made now (its real place left the workspace, read-only), or nothing. With
   * `itself` a link is not followed: it is what shall be made or removed.
   */
  refusal(file: FileKey, itself?: boolean): Promise<string | undefined>;
}

/** A file the agent names, as it stands on the branch. */
export interface AgentFile {
  readonly file: FileKey;
  /** What people see. */
  readonly label: string;
}

export interface SearchHit {
  readonly label: string;
  /** One-based. */
  readonly line: number;
  readonly text: string;
}

/** A tool call that cannot be carried out; the message is the short answer the model gets. */
export class ToolError extends Error {
  constructor(
    message: string,
    /** True when a person or a rule refused the call. */
    readonly denied = false,
  ) {
    super(message);
    this.name = 'ToolError';
  }
}

/**
 * What the agent's tools may do to the workspace in one turn. Reads see unsaved text. Writes record links, pass the
 * approvals and the read-before-edit gate, and throw a {@link ToolError} with the reason when refused. Paths are relative
 * to a workspace folder, with the folder's name in front where there are several, or absolute.
 */
export interface AgentWorkspace {
  resolve(path: string): Promise<AgentFile>;
  /**
   * Reads a file's bytes and notes that this branch has seen them; undefined when there is no such file. With `unseen`
   * nothing is noted: a tool needs the bytes, the model is not shown them.
   */
  read(file: AgentFile, options?: { readonly unseen?: boolean }): Promise<Uint8Array | undefined>;
  /** Lists a folder (the workspace folders for an empty path): names, folders with a trailing slash, sorted, bounded. */
  list(path: string): Promise<{ readonly entries: readonly string[]; readonly truncated: boolean }>;
  /** Finds lines; ignore files are honoured; bounded. */
  search(query: {
    readonly pattern: string;
    readonly isRegExp: boolean;
    readonly path?: string;
  }): Promise<{ readonly hits: readonly SearchHit[]; readonly truncated: boolean }>;
  /** Writes whole bytes; makes missing folders. An existing file must have been read on this branch and not changed since. */
  write(file: AgentFile, bytes: Uint8Array): Promise<{ readonly created: boolean }>;
  delete(file: AgentFile): Promise<void>;
  /** Refuses an existing target. */
  rename(from: AgentFile, to: AgentFile): Promise<void>;
  /**
   * What the editor reports for a file, or for all, a line each; waits a moment for it. Missing where nothing reports.
   */
  problems?(file: AgentFile | undefined, which: 'errors' | 'all'): Promise<readonly string[]>;
  /** Runs a command line once that is allowed; what it changed belongs to the turn. Resolves also when it was ended. */
  run(command: AgentCommand): Promise<CommandResult>;
}

/** Something the editor reports about a file. */
export interface FoundProblem {
  readonly uri: string;
  /** One-based. */
  readonly line: number;
  readonly severity: 'error' | 'warning' | 'note';
  readonly message: string;
}

/** A tool of another extension or of an MCP server. */
export interface OutsideTool {
  readonly name: string;
  readonly description: string;
  /** The JSON schema of its arguments. */
  readonly schema: Readonly<Record<string, unknown>>;
  invoke(input: object, signal: AbortSignal): Promise<string>;
}

/** Such a tool in one turn: asked about first, and what it changes belongs to the turn. */
export interface TurnTool extends Pick<OutsideTool, 'name' | 'description' | 'schema'> {
  call(input: object): Promise<string>;
}

export interface AgentCommand {
  readonly line: string;
  /** A folder of the workspace; may be left out where there is only one. */
  readonly folder?: string;
  readonly timeoutMs: number;
  /** Told the text so far, now and then. */
  readonly onOutput: (text: string) => void;
}

export interface CommandResult {
  readonly why: 'exited' | 'timed out' | 'stopped';
  readonly exitCode?: number;
  /** Bounded: a note stands where the middle is left out. */
  readonly output: string;
  /** Processes it started go on until the turn ends. */
  readonly leftRunning: boolean;
}

/** A model as `retrace.models` names it. */
export interface ModelConfig {
  readonly id: string;
  readonly label?: string;
  readonly provider: 'openai-compatible' | 'anthropic' | 'ollama' | 'vscode-lm' | 'practice';
  readonly baseUrl?: string;
  readonly model: string;
  /** Tokens. */
  readonly contextWindow?: number;
  readonly maxOutputTokens?: number;
  readonly reasoningEffort?: 'low' | 'medium' | 'high';
  /** False for a model that cannot use tools: it only talks. */
  readonly tools?: boolean;
  /** False for a model that does not see images. */
  readonly images?: boolean;
  /** US dollars for a million tokens. */
  readonly price?: ModelPrice;
}

export interface ModelPrice {
  readonly input: number;
  readonly output: number;
  /** Of input the provider kept; that of input where it is missing. */
  readonly cachedInput?: number;
}

/** What a turn tells while it runs. The agent owns the order of parts; the engine persists and shows them. */
export interface TurnSink {
  /** Replaces the part at `index`; `index` is at most the present number of parts. */
  setPart(index: number, part: Part): void;
  /** A line shown while waiting, such as a retry with its pause; undefined takes it away. */
  waiting(text: string | undefined): void;
}

export interface AgentTurn {
  /** The head's ancestors down to the user message to answer: exactly what the request may hold. */
  readonly history: readonly GraphNode[];
  readonly model: ModelConfig;
  /** The smallest request this model was told to be too long on this branch, as estimated in tokens. */
  readonly refusedTokens?: number;
  /** How far it may go: only tools of this mode are offered and carried out. */
  readonly mode: Mode;
  /** The key for the model's origin, if one is kept. */
  readonly apiKey?: string;
  readonly instructions: string;
  readonly workspace: AgentWorkspace;
  /** Reads an attachment that names a file or folder, after leave where that is needed. Bounded. */
  readonly attachment: (named: NamedFile) => Promise<AttachedResult>;
  /** Tools of other extensions and of MCP servers that were switched on. */
  readonly outsideTools?: readonly TurnTool[];
  readonly fetch: typeof fetch;
  /** After so many calls of the model it asks before it goes on; 0 never asks. */
  readonly callLimit?: number;
  /** How long somebody was asked for leave so far, in milliseconds. */
  readonly waited?: () => number;
  /** Asks whether the turn may go on; missing where nobody can be asked, and the turn then ends. */
  readonly goOn?: (calls: number) => Promise<boolean>;
  readonly signal: AbortSignal;
  readonly sink: TurnSink;
}

/** How a turn ended. `sent` is false when no request left, so that no node need stay. */
export interface AgentOutcome {
  readonly status: 'done' | 'failed' | 'interrupted';
  readonly sent: boolean;
  readonly error?: TurnError;
  readonly usage?: Usage;
}

/** What is to be told in short, and by which model. */
export interface SummaryRequest extends Pick<
  AgentTurn,
  'model' | 'apiKey' | 'refusedTokens' | 'fetch' | 'signal'
> {
  /** The nodes the summary will stand for, oldest first. */
  readonly nodes: readonly GraphNode[];
  readonly waiting: TurnSink['waiting'];
}

/** A summary, or why there is none. */
export interface SummaryOutcome {
  readonly text?: string;
  readonly usage?: Usage;
  readonly error?: TurnError;
}

/** The agent loop: never throws; what goes wrong is in the outcome. Estimates are in tokens. */
export interface Agent {
  run(turn: AgentTurn): Promise<AgentOutcome>;
  /** Tells the beginning of a conversation in short, so that a model can go on without it. */
  summarise(request: SummaryRequest): Promise<SummaryOutcome>;
}
