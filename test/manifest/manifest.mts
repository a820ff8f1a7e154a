// The manifest as tests read it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../kit/install.mts';

export interface Command {
  command: string;
  title: string;
  category?: string;
  icon?: string;
}

export interface MenuItem {
  command: string;
  when?: string;
  group?: string;
}

export interface Setting {
  default?: unknown;
  order?: number;
  scope?: string;
  description?: string;
  markdownDescription?: string;
  enum?: string[];
  enumDescriptions?: string[];
}

export interface Manifest {
  name: string;
  publisher: string;
  version: string;
  icon: string;
  main: string;
  browser: string;
  engines: { vscode: string };
  activationEvents: string[];
  extensionKind?: string[];
  scripts: Record<string, string>;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  capabilities: {
    untrustedWorkspaces: {
      supported: unknown;
      description: string;
      restrictedConfigurations: string[];
    };
    virtualWorkspaces: unknown;
  };
  contributes: {
    viewsContainers: Record<string, { id: string; title: string; icon: string }[]>;
    views: Record<
      string,
      { id: string; type?: string; name: string; icon?: string; contextualTitle?: string }[]
    >;
    commands: Command[];
    menus: Record<string, MenuItem[]>;
    keybindings: { command: string; key: string; mac?: string; when?: string }[];
    walkthroughs: {
      id: string;
      steps: {
        description: string;
        media: { image: Record<string, string> };
        completionEvents: string[];
      }[];
    }[];
    configuration: { properties: Record<string, Setting> };
  };
}

export const manifest = readJson('package.json') as Manifest;
export const texts = readJson('package.nls.json') as Record<string, string>;

export function readJson(name: string): unknown {
  return JSON.parse(readText(name));
}

export function readText(name: string): string {
  return readFileSync(join(root, name), 'utf8');
}

/** Returns what a user reads where the manifest says `%key%`. */
export function text(value: string): string {
  const key = /^%(.+)%$/.exec(value)?.[1];
  return key === undefined ? value : (texts[key] ?? '');
}
