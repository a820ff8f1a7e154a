import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from '../kit/install.mts';
import { manifest, readJson, readText, text, texts } from './manifest.mts';

const { contributes } = manifest;
const ids = contributes.commands.map(({ command }) => command);
const settings = Object.entries(contributes.configuration.properties);

/** What cannot be used without an argument, or only returns data. */
const forOtherCode = [
  'send',
  'listSessions',
  'listRewindPoints',
  'editAndResend',
  'switchBranch',
  'checkout',
  'labelMessage',
  'archiveBranch',
  'compareMessages',
  'copyMessage',
  'getSession',
  'setDraft',
  'pendingApprovals',
  'answerApproval',
];

describe('the walkthrough', () => {
  const [walkthrough] = contributes.walkthroughs;

  test('has few steps, each with a picture, an action that exists and an event that ends it', () => {
    const { steps = [] } = walkthrough ?? {};
    expect(steps.length).toBeGreaterThan(0);
    expect(steps.length).toBeLessThanOrEqual(5);
    for (const { description, media, completionEvents } of steps) {
      for (const picture of Object.values(media.image))
        expect(existsSync(join(root, picture)), picture).toBe(true);
      const [, command = ''] = /\]\(command:([\w.]+)/u.exec(text(description)) ?? [];
      expect([...ids, 'retrace.chat.focus']).toContain(command);
      expect(completionEvents.length).toBeGreaterThan(0);
    }
  });
});

describe('commands', () => {
  test('M2 the ids are those of the typed module, both ways', async () => {
    const module = join(root, 'src', 'host', 'contributions.ts');
    expect(existsSync(module)).toBe(true);
    const { commandIds } = (await import(module)) as { commandIds: readonly string[] };
    expect([...ids].sort()).toEqual([...commandIds].sort());
  });

  test('M3 each has a title and the category, toolbar ones an icon', () => {
    const inToolbar = (contributes.menus['view/title'] ?? []).filter(({ group }) =>
      group?.startsWith('navigation'),
    );
    for (const { command, title, category, icon } of contributes.commands) {
      expect(text(title), command).not.toBe('');
      expect(text(category ?? ''), command).toBe('Retrace');
      if (inToolbar.some((item) => item.command === command))
        expect(icon, command).toMatch(/^\$\([a-z-]+\)$/);
    }
  });

  test('M4 those for other code are hidden from the palette, the others are not', () => {
    const hidden = (contributes.menus['commandPalette'] ?? []).filter(
      ({ when }) => when === 'false',
    );
    expect(hidden.map(({ command }) => command).sort()).toEqual(
      forOtherCode.map((id) => `retrace.${id}`).sort(),
    );
  });

  test('the palette names the verbs people look for', () => {
    const titles = contributes.commands.map(({ title }) => text(title));
    expect(titles).toEqual(
      expect.arrayContaining(['Rewind…', 'Fork', 'Regenerate', 'New Session']),
    );
    expect(new Set(titles).size).toBe(titles.length);
  });

  test('C1 ids are verbs and nouns; titles are in title case, without the name of the extension', () => {
    for (const { command, title } of contributes.commands) {
      expect(command).toMatch(/^retrace\.[a-z][a-zA-Z]+$/);
      // In the menus of files and editors nothing else says whose chat it is.
      if (command !== 'retrace.addToChat') expect(text(title)).not.toMatch(/retrace/i);
      expect(text(title)).toMatch(/^[A-Z][A-Za-z]*( (and|in|of|to|[A-Z][A-Za-z]*))*…?$/);
    }
  });
});

describe('view', () => {
  test('M10 there is one container with one view', () => {
    expect(
      Object.values(contributes.viewsContainers)
        .flat()
        .map(({ id }) => id),
    ).toEqual(['retrace']);
    expect(contributes.views['retrace']?.map(({ id }) => id)).toEqual(['retrace.chat']);
  });

  test('M7 it is a webview with an icon and a title of its own', () => {
    const view = contributes.views['retrace']?.[0];
    expect(view).toMatchObject({ type: 'webview', icon: 'media/activity.svg' });
    expect(text(view?.contextualTitle ?? '')).toBe('Retrace');
    expect(existsSync(join(root, view?.icon ?? ''))).toBe(true);
  });

  test('C2, C3 its title shows at most three buttons and only its own', () => {
    const items = contributes.menus['view/title'] ?? [];
    expect(items.filter(({ group }) => group?.startsWith('navigation')).length).toBeLessThanOrEqual(
      3,
    );
    for (const { when } of items) expect(when).toMatch(/^view == retrace\.chat\b/);
  });

  test('C4 what its context menu offers names the view and the part that was clicked', () => {
    for (const { when } of contributes.menus['webview/context'] ?? []) {
      expect(when).toMatch(/^webviewId == 'retrace\.(?:chat|graph)' && webviewSection == '\w+'/);
    }
  });

  test('every menu and key names a command there is', () => {
    const used = [...Object.values(contributes.menus).flat(), ...contributes.keybindings].map(
      ({ command }) => command,
    );
    for (const command of used) expect(ids).toContain(command);
  });
});

describe('keys', () => {
  const defaults = readJson('test/manifest/default-keys.json') as Record<
    'linux' | 'mac' | 'windows',
    string[]
  >;

  test('C5 each works only in our own view, or where changes are marked, and takes no key VS Code has, on any platform', () => {
    for (const { key, mac, when } of contributes.keybindings) {
      expect(when).toMatch(/\bretrace\.(?:viewFocused|hasChanges)\b/);
      expect(defaults.linux).not.toContain(key);
      expect(defaults.windows).not.toContain(key);
      expect(defaults.mac).not.toContain(mac ?? key);
    }
  });

  test('C6 none is for undo, redo, find, save or print', () => {
    for (const { key, mac } of contributes.keybindings) {
      for (const one of [key, mac]) expect(one).not.toMatch(/^(ctrl|cmd)\+(shift\+)?[zyfsp]$/);
    }
  });
});

describe('settings', () => {
  test('M8 each has a default, a description and a scope', () => {
    for (const [name, setting] of settings) {
      expect(setting, name).toHaveProperty('default');
      expect(text(setting.description ?? setting.markdownDescription ?? ''), name).not.toBe('');
      expect(['application', 'machine', 'window', 'resource'], name).toContain(setting.scope);
      if (setting.enum) {
        expect(setting.enum, name).toContain(setting.default);
        expect(setting.enumDescriptions, name).toHaveLength(setting.enum.length);
      }
    }
  });

  test('they are shown in an order of their own, what a newcomer looks for first', () => {
    const inOrder = settings.map(([name, { order }]) => [order, name]);
    expect(inOrder.map(([order]) => order)).toEqual(inOrder.map((_, at) => at + 1));
    expect(inOrder[0]).toContain('retrace.model');
  });

  test('every link in their texts leads to a command or a setting there is', () => {
    for (const [name, setting] of settings) {
      const shown = text(setting.markdownDescription ?? '');
      for (const [, command] of shown.matchAll(/\]\(command:([\w.]+)\)/gu))
        expect(ids, name).toContain(command);
      for (const [, other] of shown.matchAll(/`#([\w.]+)#`/gu))
        expect(Object.fromEntries(settings), name).toHaveProperty([other ?? '']);
    }
  });

  test('M8 no file of a workspace can name a server or loosen an approval', () => {
    const guarded = settings.filter(([name]) =>
      /^retrace\.(models$|approvals\.|storage\.)/.test(name),
    );
    expect(guarded.length).toBeGreaterThanOrEqual(7);
    for (const [name, { scope }] of guarded) expect(scope, name).toBe('application');
  });

  test('what can be rewound is allowed, the rest is asked about', () => {
    const defaults = Object.fromEntries(
      settings.map(([name, setting]) => [name.slice('retrace.'.length), setting.default]),
    );
    expect(defaults).toMatchObject({
      model: 'practice',
      'rewind.defaultScope': 'both',
      'rewind.withoutNumber': 'list',
      'approvals.write': 'allow',
      'approvals.delete': 'allow',
      'approvals.command': 'ask',
      'approvals.outside': 'ask',
      'approvals.tools': 'ask',
    });
  });
});

describe('the rest of the manifest', () => {
  test('M5 nothing activates it but its own view and commands', () => {
    // A graph that was open comes back before anything else asks for the extension.
    expect(manifest.activationEvents).toEqual(['onWebviewPanel:retrace.graph']);
  });

  test('M6 the engine, its types and the oldest tested VS Code agree', async () => {
    const { oldestVersion } = await import('../kit/install.mts');
    expect(manifest.engines.vscode).toBe('^1.100.0');
    expect(manifest.devDependencies['@types/vscode']).toBe('1.100.0');
    expect(oldestVersion).toMatch(/^1\.100\./);
  });

  test('M9 the icon is a PNG of at least 128 pixels, and no document shows an SVG', () => {
    const header = readFileSync(join(root, manifest.icon));
    expect(header.toString('latin1', 1, 4)).toBe('PNG');
    expect(header.readUInt32BE(16)).toBeGreaterThanOrEqual(128);
    expect(header.readUInt32BE(20)).toBe(header.readUInt32BE(16));
    for (const name of ['README.md', 'CHANGELOG.md'].filter((one) => existsSync(join(root, one)))) {
      expect(readText(name)).not.toMatch(/!\[[^\]]*\]\([^)]*\.svg|<img[^>]*\.svg/i);
    }
  });

  test('T1 an untrusted workspace gets the reading part, and cannot choose the model', () => {
    const { supported, description, restrictedConfigurations } =
      manifest.capabilities.untrustedWorkspaces;
    expect(supported).toBe('limited');
    expect(text(description)).not.toBe('');
    const ofWorkspace = settings.filter(
      ([, { scope }]) => scope !== 'application' && scope !== 'machine',
    );
    expect(ofWorkspace.map(([name]) => name)).toEqual(
      expect.arrayContaining(restrictedConfigurations),
    );
    expect(restrictedConfigurations).toContain('retrace.model');
  });

  test('T2, T6 it runs in virtual workspaces and wherever VS Code puts it', () => {
    expect(manifest.capabilities.virtualWorkspaces).toBe(true);
    expect(manifest.extensionKind).toBeUndefined();
    expect(manifest.main).toBe('./dist/extension.js');
    expect(manifest.browser).toBe('./dist/web/extension.js');
  });

  test('L1 every text is a key, every key has a text, and none is left over', () => {
    const used = new Set(
      [...JSON.stringify(manifest).matchAll(/"%([^"%]+)%"/g)].map(([, key]) => key),
    );
    expect([...used].sort()).toEqual(Object.keys(texts).sort());
    const titles = JSON.stringify(contributes).match(
      /"(title|description|markdownDescription|category|label|name)":"[^%"][^"]*"/g,
    );
    expect(titles ?? []).toEqual(['"title":"Retrace"']);
  });

  test('L1 every translation has the same keys, and its own words', () => {
    const translations = readdirSync(root).filter((name) =>
      /^package\.nls\.[\w-]+\.json$/.test(name),
    );
    expect(translations).toContain('package.nls.zh-cn.json');
    for (const name of translations) {
      const translated = readJson(name) as Record<string, string>;
      expect(Object.keys(translated).sort(), name).toEqual(Object.keys(texts).sort());
      const same = Object.keys(texts).filter(
        (key) => translated[key] === texts[key] && texts[key] !== 'Retrace',
      );
      expect(same, name).toEqual(['provider.anthropic', 'provider.ollama']);
    }
  });

  test('every version is pinned, and the lock file names no registry', () => {
    const versions = Object.values({ ...manifest.dependencies, ...manifest.devDependencies });
    for (const version of versions) expect(version).toMatch(/^\d+\.\d+\.\d+$/);
    expect(readText('package-lock.json')).not.toMatch(/"resolved": "http/);
  });
});
