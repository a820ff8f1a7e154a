import type { HostOptions } from './results';

/** What the launcher asks of this run; read before any test is defined. */
export const hostOptions: HostOptions = {};
