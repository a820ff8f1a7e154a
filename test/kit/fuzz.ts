import fc from 'fast-check';

const seconds = Number(process.env['FUZZ_SECONDS'] ?? 0);

/** How long to go on: some runs in the tests, so many seconds in `npm run fuzz`. */
export function fuzzing(numRuns: number) {
  if (seconds === 0) return { numRuns };
  return { numRuns: 2 ** 31 - 1, plugins: [fc.interruptAfterTimeLimit(seconds * 1_000)] };
}

/** The longest a fuzzer's test may take, in milliseconds. */
export const fuzzTimeout = Math.max(20_000, seconds * 2_000);

const nested = (depth: number): unknown => {
  let value: unknown = 0;
  for (let n = 0; n < depth; n++) value = n % 2 === 0 ? [value] : { a: value };
  return value;
};

/** What programs trip over, above all where they expected something else. */
const odd: fc.Arbitrary<unknown> = fc.constantFrom<unknown>(
  ...[null, true, 0, -1, 1e308, 2 ** 53, -0, 0.5, '', ' ', '0', 'null', '__proto__', 'constructor'],
  ...[
    '../../etc/passwd',
    'f0/../../x',
    'f0/a\0b',
    'f9/x',
    'file:///etc/passwd',
    'f0/a.txt',
    '%2e%2e',
  ],
  ...['<script>alert(1)</script>', '\ud800', '\u202e', 'a'.repeat(300), 'x'.repeat(70_000)],
  ...[[], {}, [[]], [null], { type: 'node' }, { kind: 'file', hash: '0'.repeat(64), size: -1 }],
  ...[nested(500), JSON.parse('{"__proto__":{"polluted":true}}') as unknown],
);

type Step = { readonly at: number; readonly other: number } & (
  | { readonly do: 'put' | 'add'; readonly value: unknown }
  | { readonly do: 'remove' | 'copy' | 'twice' }
);

const at = fc.record({ at: fc.nat(), other: fc.nat() });
/** One change somewhere in a value. */
const step: fc.Arbitrary<Step> = fc.oneof(
  fc
    .tuple(at, fc.constantFrom('put' as const, 'add' as const), fc.oneof(odd, fc.jsonValue()))
    .map(([where, what, value]) => ({ ...where, do: what, value })),
  fc
    .tuple(at, fc.constantFrom('remove' as const, 'copy' as const, 'twice' as const))
    .map(([where, what]) => ({ ...where, do: what })),
);

/** Changes to make to a value, see {@link mutated}. */
export const mutations = fc.array(step, { minLength: 1, maxLength: 5 });
export type Mutations = readonly Step[];

type Holder = Record<string, unknown> | unknown[];
interface Place {
  readonly holder: Holder;
  readonly key: string;
}

function places(value: unknown): Place[] {
  const found: Place[] = [];
  const waiting: unknown[] = [value];
  // Deep values are among those that are put in: no recursion.
  while (waiting.length > 0 && found.length < 20_000) {
    const holder = waiting.pop();
    if (typeof holder !== 'object' || holder === null) continue;
    for (const [key, inner] of Object.entries(holder)) {
      found.push({ holder: holder as Holder, key });
      waiting.push(inner);
    }
  }
  return found;
}

const put = ({ holder, key }: Place, value: unknown): void => {
  Object.defineProperty(holder, key, {
    ...{ value, enumerable: true, configurable: true, writable: true },
  });
};

/** Returns a value like the given one, with things in it replaced, removed, doubled and put elsewhere. */
export function mutated(value: unknown, steps: Mutations): unknown {
  const root: Record<string, unknown> = { value: structuredClone(value) };
  for (const one of steps) {
    const all = places(root);
    const place = all[one.at % all.length];
    const other = all[one.other % all.length];
    if (place === undefined || other === undefined) continue;
    const there = Object.getOwnPropertyDescriptor(place.holder, place.key)?.value as unknown;
    if (one.do === 'put') put(place, safeClone(one.value));
    else if (one.do === 'add')
      put({ ...place, key: Array.isArray(place.holder) ? '0' : '__proto__' }, safeClone(one.value));
    else if (one.do === 'copy') put(other, safeClone(there));
    else if (one.do === 'twice' && Array.isArray(place.holder)) place.holder.push(safeClone(there));
    else if (one.do === 'remove') {
      if (Array.isArray(place.holder)) place.holder.splice(Number(place.key), 1);
      else Reflect.deleteProperty(place.holder, place.key);
    }
  }
  return root['value'] ?? null;
}

/** Put into itself, the very value would have no end. */
function safeClone(value: unknown): unknown {
  return value === undefined ? null : (JSON.parse(JSON.stringify(value)) as unknown);
}

interface Cut {
  readonly at: number;
  readonly length: number;
  readonly do: 'cut' | 'zero' | 'flip' | 'double' | 'end';
}

/** What a disk, a crash or a hand does to bytes. */
export const damages: fc.Arbitrary<readonly Cut[]> = fc.array(
  fc.record({
    at: fc.nat(),
    length: fc.integer({ min: 1, max: 400 }),
    do: fc.constantFrom('cut' as const, 'zero', 'flip', 'double', 'end'),
  }),
  { minLength: 1, maxLength: 3 },
);

/** Returns bytes with damage done to them. */
export function damaged(bytes: Uint8Array, cuts: readonly Cut[]): Uint8Array {
  let now = bytes;
  for (const { at, length, do: what } of cuts) {
    const from = at % (now.length + 1);
    const [before, piece, after] = [
      now.subarray(0, from),
      now.subarray(from, from + length),
      now.subarray(from + length),
    ];
    const parts = {
      cut: [before, after],
      zero: [before, new Uint8Array(piece.length), after],
      flip: [before, piece.map((byte, n) => (n === 0 ? byte ^ (1 << (length % 8)) : byte)), after],
      double: [before, piece, piece, after],
      end: [before],
    }[what];
    now = new Uint8Array(parts.flatMap((part) => [...part]));
  }
  return now;
}
