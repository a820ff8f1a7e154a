// What crosses between the launcher and the tests inside VS Code, as two files beside the workspace folder.

export interface HostOptions {
  /** Only tests whose full title holds this are run. */
  grep?: string;
  /** Every combination of the matrices is run, not only every pair. */
  whole?: boolean;
}

export interface HostResult {
  title: string;
  state: 'passed' | 'failed' | 'skipped';
  ms: number;
  error?: string;
}

export interface HostResults {
  /** The VS Code the tests ran in. */
  version: string;
  finished: boolean;
  running: string | undefined;
  tests: HostResult[];
}
