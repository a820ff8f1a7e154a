import { describe, expect, it } from 'vitest';
import { MemoryFileSystem } from '../../fakes/memoryFileSystem';
import { plainInfo, userRecord } from '../../kit/arbitraries';
import { openStore, outcome, root } from './kit';

const session = `${root}/sessions/s`;

/** C47: what a crash, a full disk or a bad block does to a file. */
const kinds: readonly (readonly [string, (bytes: Uint8Array) => Uint8Array])[] = [
  ['its end cut', (bytes) => bytes.subarray(0, bytes.length - 7)],
  ['0 bytes', () => new Uint8Array()],
  ['its tail filled with zero bytes', (bytes) => bytes.map((byte, at) => (at > 90 ? 0 : byte))],
  ['a bad piece in the middle', (bytes) => bytes.map((byte, at) => (at === 99 ? byte ^ 2 : byte))],
  [
    'a cut inside a multi-byte character',
    (bytes) => bytes.subarray(0, bytes.findLastIndex((byte) => byte >= 0xc0) + 1),
  ],
];

function records(count: number) {
  return Array.from({ length: count }, (_, n) =>
    userRecord(`n${n}`, n === 0 ? null : `n${n - 1}`, `Nachricht ${n}: schön 日本`),
  );
}

async function stored(how: 'loose' | 'segment') {
  const files = new MemoryFileSystem();
  const store = await openStore(files, 'a');
  await store.create(plainInfo('s'));
  if (how === 'segment') await store.append('s', records(30));
  else for (const record of records(30)) await store.append('s', [record]);
  await store.flush();
  return files;
}

describe.each(kinds)('C47 a stored piece with %s', (_, change) => {
  it('costs itself only: the rest loads, it is reported, a copy is kept, and the session goes on', async () => {
    for (const victim of [2, 15, 31]) {
      const files = await stored('loose');
      const name = `${String(victim).padStart(10, '0')}-a1.json`;
      files.damage(`${session}/records/${name}`, change);
      const damaged = await files.read(`${session}/records/${name}`);
      const store = await openStore(files, 'b');
      const loaded = await store.load('s');
      const expected = records(30).filter((__, n) => n !== victim - 2);
      expect(loaded.records.slice(1)).toEqual(expected);
      expect(loaded.damage).toMatchObject([{ file: `records/${name}`, kept: `damaged/s-${name}` }]);
      expect(await files.read(`${root}/damaged/s-${name}`)).toEqual(damaged);
      await store.append('s', [userRecord('new', 'n29')]);
      const again = await (await openStore(files, 'c')).load('s');
      expect(again.records.slice(1)).toEqual([...expected, userRecord('new', 'n29')]);
      expect(again.damage).toHaveLength(1);
      expect(files.uris().filter((uri) => uri.includes('damaged'))).toHaveLength(1);
    }
  });

  it('in a segment costs the lines it hits', async () => {
    const files = await stored('segment');
    const [name] = files.uris().filter((uri) => uri.includes('segments'));
    files.damage(name ?? '', change);
    const loaded = await (await openStore(files, 'b')).load('s');
    expect(loaded.damage.length).toBeGreaterThan(0);
    const all = records(30).map((each) => JSON.stringify(each));
    for (const record of loaded.records.slice(1)) expect(all).toContain(JSON.stringify(record));
  });

  it('is never packed away: it stays where it is', async () => {
    const files = await stored('loose');
    const victim = `${session}/records/0000000012-a1.json`;
    files.damage(victim, change);
    const store = await openStore(files, 'b');
    await store.load('s');
    for (const record of records(260)) await store.append('s', [record]);
    await store.seal('s');
    expect(files.uris().filter((uri) => uri.includes('segments'))).toHaveLength(1);
    expect(files.uris()).toContain(victim);
  });

  it('that is the only one is shown as damaged, not as a new empty session', async () => {
    const files = new MemoryFileSystem();
    const store = await openStore(files, 'a');
    await store.create({ ...plainInfo('s'), title: 'Schöne Sitzung' });
    await store.flush();
    files.damage(`${session}/records/0000000001-a1.json`, change);
    expect((await (await openStore(files, 'b')).load('s')).info.title).toBe('Schöne Sitzung');
    files.damage(`${session}/card.json`, change);
    const other = await openStore(files, 'c');
    expect(await other.listCards()).toMatchObject([{ id: 's', damaged: 1 }]);
    expect((await other.load('s')).damage.length).toBeGreaterThan(0);
  });
});

describe('damage elsewhere', () => {
  it('of one line of a segment costs one record, and says which line', async () => {
    const files = await stored('segment');
    const [name] = files.uris().filter((uri) => uri.includes('segments'));
    files.damage(name ?? '', (bytes) => {
      const text = new TextDecoder().decode(bytes).replace('Nachricht 7:', 'Nachricht 8:');
      return new TextEncoder().encode(text);
    });
    const loaded = await (await openStore(files, 'b')).load('s');
    expect(loaded.records.slice(1)).toEqual(records(30).filter((_, n) => n !== 7));
    expect(loaded.damage).toMatchObject([{ line: 9, problem: 'wrong checksum' }]);
  });

  it('of a card costs nothing: it is made again from the records', async () => {
    const files = await stored('loose');
    files.damage(`${session}/card.json`, () => new Uint8Array(50));
    const other = await openStore(files, 'b');
    expect(await other.listCards()).toMatchObject([{ id: 's', nodes: 30, userMessages: 30 }]);
    await other.flush();
    const before = files.count('read');
    await other.listCards();
    expect(files.count('read') - before).toBe(1);
  });

  it('of a draft or a running turn is kept aside and reported', async () => {
    const files = await stored('loose');
    const store = await openStore(files, 'b');
    await store.saveDraft('s', { draft: { text: 'long unsent text', attachments: [] } });
    files.damage(`${session}/draft.json`, (bytes) => bytes.subarray(0, 60));
    const loaded = await (await openStore(files, 'c')).load('s');
    expect(loaded.draft).toBeUndefined();
    expect(loaded.damage).toMatchObject([{ file: 'draft.json', kept: 'damaged/s-draft.json' }]);
  });

  it('of a file that cannot be read now is not taken for good', async () => {
    const files = await stored('loose');
    files.fault = (_, call, uri) =>
      call === 'read' && uri.includes('0000000012') ? { code: 'no permission' } : undefined;
    const store = await openStore(files, 'b');
    expect(await store.load('s')).toMatchObject({ damage: [{ problem: 'unreadable' }] });
    files.fault = () => undefined;
    const late = await store.refresh('s');
    expect(late.records).toEqual([records(30)[10]]);
  });

  it('C47 of a full disk is told; what was stored stays, and saving goes on once there is room', async () => {
    const files = await stored('loose');
    const store = await openStore(files, 'b');
    await store.load('s');
    files.fault = (_, call) => (call === 'write' ? { code: 'no space', torn: true } : undefined);
    await expect(store.append('s', [userRecord('x', 'n29')])).rejects.toThrow(
      /^storage: .*disk is full.*Nothing stored so far is lost/u,
    );
    const draft = { draft: { text: 'typed meanwhile', attachments: [] } };
    expect(await outcome(store.saveDraft('s', draft))).toBe('refused');
    files.fault = () => undefined;
    await store.append('s', [userRecord('x', 'n29')]);
    await store.flush();
    const loaded = await (await openStore(files, 'c')).load('s');
    expect(loaded.damage).toEqual([]);
    expect(loaded.records.slice(1)).toEqual([...records(30), userRecord('x', 'n29')]);
    expect(loaded.draft).toEqual(draft);
  });

  it('heals from second copies, also what is lost without a trace, and goes on after it', async () => {
    const files = await stored('loose');
    const store = await openStore(files, 'b');
    await store.backup('s', 'rewind');
    await store.copied('s');
    for (const lost of ['0000000030', '0000000031'])
      await files.delete(`${session}/records/${lost}-a1.json`, false);
    files.damage(`${session}/records/0000000004-a1.json`, () => new Uint8Array());
    const healed = await openStore(files, 'c');
    const loaded = await healed.load('s');
    expect(loaded.records.slice(1)).toEqual(records(30));
    expect(loaded.damage).toMatchObject([{ problem: 'empty', recovered: true }]);
    await healed.append('s', [userRecord('new', 'n29')]);
    const again = await (await openStore(files, 'd')).load('s');
    expect(again.records.at(-1)).toEqual(userRecord('new', 'n29'));
  });

  it('of an append that fails half way leaves nothing of it', async () => {
    const files = await stored('loose');
    const store = await openStore(files, 'b');
    await store.load('s');
    let writes = 0;
    files.fault = (_, call) =>
      call === 'write' && ++writes === 3 ? { code: 'no space', torn: true } : undefined;
    const four = records(34).slice(30);
    expect(await outcome(store.append('s', four))).toBe('refused');
    expect((await (await openStore(files, 'c')).load('s')).records).toHaveLength(31);
    await store.append('s', four);
    const loaded = await (await openStore(files, 'd')).load('s');
    expect(loaded.records.slice(1)).toEqual(records(34));
    expect(loaded.damage).toEqual([]);
  });

  it('of a storage that does not answer refuses the session instead of showing an empty one', async () => {
    const files = await stored('loose');
    files.fault = (_, call) => (call === 'list' ? { code: 'unavailable' } : undefined);
    const store = await openStore(files, 'b');
    await expect(store.load('s')).rejects.toMatchObject({ code: 'storage' });
    files.fault = () => undefined;
    expect((await store.load('s')).records).toHaveLength(31);
  });
});
