/** One piece of a message to, or of an answer from, a model the editor offers. */
export type EditorContent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly base64: string; readonly mime: string }
  | {
      readonly type: 'call';
      readonly callId: string;
      readonly name: string;
      readonly input: Readonly<Record<string, unknown>>;
    }
  | { readonly type: 'result'; readonly callId: string; readonly text: string };

export interface EditorMessage {
  readonly role: 'user' | 'assistant';
  readonly content: readonly EditorContent[];
}

/** What a model of the editor is asked. */
export interface EditorRequest {
  /** As the setting names it. */
  readonly model: string;
  readonly messages: readonly EditorMessage[];
  readonly tools: readonly {
    readonly name: string;
    readonly description: string;
    readonly schema: object;
  }[];
  readonly signal: AbortSignal;
}

/** What comes back, piece by piece. */
export type EditorAnswer =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'call';
      readonly callId: string;
      readonly name: string;
      readonly input: unknown;
    };

/**
 * Asks a model that the editor offers. Only the host knows the editor, so the agent is handed this. What goes wrong is
 * thrown as an error of the name `ModelProblem`, in words for people.
 */
export type AskEditorModel = (request: EditorRequest) => AsyncIterable<EditorAnswer>;
