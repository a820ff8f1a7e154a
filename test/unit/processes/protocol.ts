import type { StoredDraft } from '../../../src/engine/store/documents';

/** What a process is asked, a line each. */
export type Ask =
  | { readonly do: 'create' }
  | { readonly do: 'list' }
  | { readonly do: 'show'; readonly session: string }
  /** Says that files are about to be changed, and never that they are. */
  | { readonly do: 'hold'; readonly session: string }
  | { readonly do: 'type' | 'send'; readonly session: string; readonly text: string };

export type Asked = Ask & { readonly id: number };

export type Answer =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: string };

/** A session as a process shows it. */
export interface Shown {
  readonly draft: StoredDraft;
  readonly head: string | null;
  readonly messages: readonly {
    readonly id: string;
    readonly role: string;
    readonly parentId: string | null;
    readonly text?: string;
    readonly status?: string;
  }[];
}
