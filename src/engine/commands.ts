/** A command line to run. */
export interface CommandRequest {
  readonly line: string;
  /** The URI of the folder it runs in. */
  readonly folder: string;
  readonly timeoutMs: number;
  /** Told what it writes, both streams in one, never half a character. */
  readonly onOutput: (text: string) => void;
}

/** How a command line came to its end. */
export interface CommandEnd {
  readonly why: 'exited' | 'timed out' | 'stopped';
  /** Missing where it did not exit by itself. */
  readonly exitCode?: number;
  /** Processes it started still run. */
  readonly leftRunning: boolean;
}

/** A command under way, with everything it started. */
export interface RunningCommand {
  /** Rejects only where it could not be started. */
  readonly ended: Promise<CommandEnd>;
  /** Ends all its processes; resolves when they are gone. Does nothing where none is left. */
  stop(): Promise<void>;
}

/**
 * Runs command lines in a shell with the user's environment, never in the user's own terminals. All processes of a
 * command end with {@link RunningCommand.stop}, and with this host.
 */
export interface Shell {
  /** Says whether commands can run in a folder: only on the disk of this host. */
  handles(folder: string): boolean;
  start(request: CommandRequest): RunningCommand;
}
