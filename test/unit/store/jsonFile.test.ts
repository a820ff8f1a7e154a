import { describe, expect, it } from 'vitest';
import * as v from 'valibot';
import type { DamageReport, StoreContext } from '../../../src/engine/store/damage';
import { JsonFile } from '../../../src/engine/store/jsonFile';
import { StorePaths } from '../../../src/engine/store/names';
import { MemoryFileSystem } from '../../fakes/memoryFileSystem';
import { FakeLog } from '../../fakes/runtime';
import { microtasks, outcome, root } from './kit';

const name = 'doc.json';
const uri = `${root}/${name}`;

function make(files: MemoryFileSystem, writer = 'w', damage: DamageReport[] = []) {
  const context: StoreContext = {
    files,
    log: new FakeLog(),
    paths: new StorePaths(root),
    writer,
    now: () => 1,
    newId: () => 'x',
    assertWritable: () => Promise.resolve(),
  };
  const parse = (value: unknown) => (v.is(v.number(), value) ? value : undefined);
  const onDamage = (report: DamageReport) => damage.push(report);
  return new JsonFile<number>(context, { folder: root, name, owner: 'test', parse, onDamage });
}

describe('a rewritten document', () => {
  it('loses no value however many microtasks lie between two writes', async () => {
    for (let gap = 0; gap < 40; gap++) {
      const files = new MemoryFileSystem();
      const file = make(files);
      const first = file.write(1);
      await microtasks(gap);
      await Promise.all([first, file.write(2)]);
      expect(await make(files).read(), `gap ${gap}`).toBe(2);
    }
  });

  it('writes the newest of many values and no more than it must', async () => {
    const files = new MemoryFileSystem();
    const file = make(files);
    await Promise.all(Array.from({ length: 200 }, (_, n) => file.write(n)));
    expect(await make(files).read()).toBe(199);
    expect(files.count('write')).toBeLessThanOrEqual(2);
  });

  it('tries a value set meanwhile when a write fails, and it speaks for the first one too', async () => {
    const files = new MemoryFileSystem();
    const file = make(files);
    let goOn = (): void => undefined;
    const delay = new Promise<void>((resolve) => (goOn = resolve));
    let failures = 0;
    files.fault = (_, call) =>
      call === 'write' && failures++ === 0 ? { code: 'no space', delay } : undefined;
    const first = outcome(file.write(1));
    await microtasks(20);
    const second = outcome(file.write(2));
    goOn();
    expect([await first, await second]).toEqual(['kept', 'kept']);
    expect(await make(files).read()).toBe(2);
  });

  it('refuses a failed value however soon the next one comes, or keeps the next one for it', async () => {
    for (let gap = 0; gap < 12; gap++) {
      const files = new MemoryFileSystem();
      const file = make(files);
      let failures = 0;
      files.fault = (_, call) =>
        call === 'write' && failures++ === 0 ? { code: 'no space' } : undefined;
      void outcome(file.write(1));
      await microtasks(gap);
      await file.write(2);
      expect(await make(files).read(), `gap ${gap}`).toBe(2);
    }
  });

  it('keeps what could not be written and stores it at the next flush', async () => {
    const files = new MemoryFileSystem();
    const file = make(files);
    files.fault = (_, call) => (call === 'write' ? { code: 'no space', torn: true } : undefined);
    await expect(file.write(1)).rejects.toMatchObject({ code: 'no space' });
    files.fault = () => undefined;
    await file.flush();
    expect(await make(files).read()).toBe(1);
  });

  it('gives an acknowledged value or a newer one after a crash at any step', async () => {
    for (let crash = 1; crash < 60; crash++) {
      const disk = new MemoryFileSystem();
      const files = new MemoryFileSystem(disk);
      files.fault = (step) =>
        step < crash ? undefined : { code: 'unavailable', torn: step === crash };
      const file = make(files);
      let acknowledged = 0;
      for (let value = 1; value <= 6; value++) {
        if ((await outcome(file.write(value))) === 'kept') acknowledged = value;
      }
      const found = (await make(new MemoryFileSystem(disk), 'next').read()) ?? 0;
      expect(found, `crash at ${crash}`).toBeGreaterThanOrEqual(acknowledged);
    }
  });

  it('keeps the last acknowledged value through failures at any two steps, one after the other', async () => {
    for (let first = 1; first < 20; first++) {
      for (let second = first + 1; second < 24; second++) {
        const disk = new MemoryFileSystem();
        const files = new MemoryFileSystem(disk);
        files.fault = (step) =>
          step === first || step >= second
            ? { code: 'no space', torn: step === first || step === second }
            : undefined;
        const file = make(files);
        let acknowledged = 0;
        for (let value = 1; value <= 6; value++) {
          if ((await outcome(file.write(value))) === 'kept') acknowledged = value;
        }
        const found = (await make(new MemoryFileSystem(disk), 'next').read()) ?? 0;
        expect(found, `failures at ${first} and ${second}`).toBeGreaterThanOrEqual(acknowledged);
      }
    }
  });

  it('is never saved over something that could not be loaded', async () => {
    const files = new MemoryFileSystem();
    await make(files).write(1);
    files.fault = (_, call) => (call === 'read' ? { code: 'unavailable' } : undefined);
    const file = make(files, 'other');
    await expect(file.write(2)).rejects.toMatchObject({ code: 'unavailable' });
    files.fault = () => undefined;
    expect(await make(files).read()).toBe(1);
  });

  it('sets damage aside by name, reports it, and only then goes on', async () => {
    const files = new MemoryFileSystem();
    await make(files).write(1);
    files.damage(uri, (bytes) => bytes.subarray(0, 20));
    const damage: DamageReport[] = [];
    const file = make(files, 'other', damage);
    await file.write(2);
    expect(damage).toEqual([
      { file: name, problem: 'cut or overwritten', kept: 'damaged/test-doc.json' },
    ]);
    expect(await files.read(`${root}/damaged/test-doc.json`)).toHaveLength(20);
    expect(await make(files).read()).toBe(2);
  });

  it('is not saved when damage cannot be set aside', async () => {
    const files = new MemoryFileSystem();
    await make(files).write(1);
    files.damage(uri, (bytes) => bytes.subarray(0, 20));
    files.fault = (_, call, at) =>
      call === 'write' && at.includes('damaged') ? { code: 'no space' } : undefined;
    await expect(make(files, 'other').write(2)).rejects.toMatchObject({ code: 'no space' });
    expect(await files.read(uri)).toHaveLength(20);
  });

  it('of a newer version is not touched', async () => {
    const files = new MemoryFileSystem();
    await make(files).write(1);
    const newer = (bytes: Uint8Array) =>
      new TextEncoder().encode(new TextDecoder().decode(bytes).replace(/"v":\d+/u, '"v":99'));
    files.damage(uri, newer);
    const before = await files.read(uri);
    await expect(make(files, 'other').write(2)).rejects.toMatchObject({ code: 'storage' });
    expect(await files.read(uri)).toEqual(before);
  });

  it('is gone after it is removed, spares too, and stays gone', async () => {
    for (let gap = 0; gap < 20; gap++) {
      const files = new MemoryFileSystem();
      const file = make(files);
      const first = file.write(1);
      await microtasks(gap);
      await Promise.all([first, file.remove()]);
      expect(await make(files).read()).toBeNull();
      expect(files.uris()).toEqual([]);
    }
  });

  it('is never missing to a reader while another window puts a new value in its place', async () => {
    for (let gap = 0; gap < 40; gap++) {
      const disk = new MemoryFileSystem();
      await make(new MemoryFileSystem(disk), 'one').write(1);
      const writing = make(new MemoryFileSystem(disk), 'one').write(2);
      await microtasks(gap);
      expect([1, 2], `gap ${gap}`).toContain(await make(disk, 'two').read());
      await writing;
    }
    // The move ends between the look at the document and the look at its spare.
    const disk = new MemoryFileSystem();
    await make(new MemoryFileSystem(disk), 'one').write(1);
    const moved = new MemoryFileSystem(disk);
    const reader = new MemoryFileSystem(disk);
    await moved.rename(uri, `${root}/doc.one.0.spare`, false);
    reader.fault = (_, call, at) =>
      call === 'read' && at.endsWith('.spare')
        ? { delay: moved.rename(`${root}/doc.one.0.spare`, uri, false) }
        : undefined;
    expect(await make(reader, 'two').read()).toBe(1);
  });

  it('comes from the newest sound spare when a crash left several and no document', async () => {
    const files = new MemoryFileSystem();
    const file = make(files, 'z');
    for (const value of [1, 2, 3]) {
      await file.write(value);
      const bytes = await files.read(uri);
      await files.write(`${root}/doc.${String(value)}.0.spare`, bytes);
    }
    await files.write(`${root}/doc.a.0.spare`, new Uint8Array(40));
    await files.delete(uri, false);
    expect(await make(files).read()).toBe(3);
  });

  it('takes two writers: either value, never neither', async () => {
    for (let gap = 0; gap < 30; gap++) {
      const disk = new MemoryFileSystem();
      const one = make(new MemoryFileSystem(disk), 'one').write(1);
      await microtasks(gap);
      await Promise.allSettled([one, make(new MemoryFileSystem(disk), 'two').write(2)]);
      expect([1, 2]).toContain(await make(disk, 'three').read());
    }
  });
});
