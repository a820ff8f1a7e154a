import * as v from 'valibot';

/** What a page may ask, by name, and what shape each question has. */
export type RequestSchemas = Readonly<Record<string, v.GenericSchema>>;

/** One question of a page, parsed. */
export interface Asked<S extends RequestSchemas, K extends keyof S = keyof S> {
  readonly type: 'request';
  readonly requestId: string;
  readonly sessionId: string;
  readonly name: K;
  readonly params: v.InferOutput<S[K]>;
}

/** A question, or why it is none; with a request id it can still be answered. */
export type Parsed<S extends RequestSchemas> =
  | { readonly ok: true; readonly frame: Asked<S> }
  | {
      readonly ok: false;
      readonly requestId: string | undefined;
      readonly sessionId: string;
      readonly problem: string;
    };

/** What ends a question, or says that its work goes on. */
export type AnswerFrame =
  | {
      readonly type: 'answer';
      readonly requestId: string;
      readonly sessionId: string;
      readonly result:
        | { readonly ok: true; readonly value: unknown }
        | { readonly ok: false; readonly code: string; readonly message: string };
    }
  | {
      readonly type: 'progress';
      readonly requestId: string;
      readonly sessionId: string;
      readonly text: string;
    };

/** The id of a node, session, plan or request as it comes from a page. */
export const idSchema = v.pipe(v.string(), v.minLength(1), v.maxLength(200));

const envelope = v.strictObject({
  type: v.literal('request'),
  requestId: idSchema,
  sessionId: v.pipe(v.string(), v.maxLength(200)),
  name: v.string(),
  params: v.unknown(),
});

/** Parses what came from a page; a frame of the wrong shape becomes a problem that can be answered, never a throw. */
export function parseFrame<S extends RequestSchemas>(schemas: S, data: unknown): Parsed<S> {
  const outer = v.safeParse(envelope, data);
  if (!outer.success)
    return { ok: false, requestId: undefined, sessionId: '', problem: 'not a request' };
  const { requestId, sessionId, name } = outer.output;
  const schema = Object.hasOwn(schemas, name) ? schemas[name] : undefined;
  if (schema === undefined)
    return { ok: false, requestId, sessionId, problem: `unknown request ${name}` };
  const params = v.safeParse(schema, outer.output.params);
  if (!params.success)
    return { ok: false, requestId, sessionId, problem: `bad parameters of ${name}` };
  return {
    ok: true,
    frame: { type: 'request', requestId, sessionId, name, params: params.output },
  };
}
