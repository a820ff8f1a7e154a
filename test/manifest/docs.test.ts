import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { slashWords } from '../../src/core/slash';
import { errorCodes } from '../../src/engine/errors';
import { root } from '../kit/install.mts';
import { manifest, readText } from './manifest.mts';

const documents = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(root, 'docs')).map((name) => `docs/${name}`),
];

describe('documents', () => {
  test('docs/commands.md has every command, error code, slash command and key, and no other command', () => {
    const text = readText('docs/commands.md');
    const headings = [...text.matchAll(/^### (.*)$/gm)].flatMap(([, heading]) => [
      ...(heading ?? '').matchAll(/`(retrace\.\w+)`/g),
    ]);
    const ids = manifest.contributes.commands.map(({ command }) => command);
    expect(headings.map(([, id]) => id).sort()).toEqual([...ids].sort());
    for (const code of errorCodes) expect(text).toContain(`| \`${code}\` |`);
    for (const word of slashWords) expect(text).toContain(`\`/${word}`);
    for (const { key } of manifest.contributes.keybindings)
      expect(text.toLowerCase()).toContain(key);
  });

  test('docs/settings.md has every setting with its default, and no other', () => {
    const rows = [
      ...readText('docs/settings.md').matchAll(/^\| `(retrace\.[\w.]+)` \| `(.*?)` \|/gm),
    ];
    const settings = Object.entries(manifest.contributes.configuration.properties);
    expect(Object.fromEntries(rows.map(([, name, value]) => [name, value]))).toEqual(
      Object.fromEntries(
        settings.map(([name, setting]) => [
          name,
          typeof setting.default === 'string' ? setting.default : JSON.stringify(setting.default),
        ]),
      ),
    );
  });

  test.each(documents)('%s links only to what is there', (name) => {
    const links = [...readText(name).matchAll(/\]\((?!https?:|#)([^)#\s]+)(?:#[^)]*)?\)/g)];
    for (const [, link] of links)
      expect(existsSync(join(root, dirname(name), link ?? '')), link).toBe(true);
  });

  test.each(documents)('%s names only files of the source that are there', (name) => {
    const paths = readText(name).matchAll(
      /`((?:src|webview-ui|test|scripts|samples|docs|bench)\/[\w./-]+)`/g,
    );
    for (const [, path] of paths) expect(existsSync(join(root, path ?? '')), path).toBe(true);
  });

  test('the Node.js scripts that documents name exist', () => {
    for (const name of documents) {
      for (const [, script] of readText(name).matchAll(/npm run (?:-s )?([\w:]+)/g))
        expect(Object.keys(manifest.scripts), name).toContain(script);
    }
  });
});
