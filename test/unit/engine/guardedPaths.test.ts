import { describe, expect, test } from 'vitest';
import { isGuarded } from '../../../src/engine/guardedPaths';

describe('files that always ask', () => {
  test.each([
    '.vscode/settings.json',
    'sub/.VSCode/tasks.json',
    'my.code-workspace',
    '.git/config',
    '.gitignore',
    '.github/workflows/ci.yml',
    'a/.gitattributes',
    '.env',
    // What HFS+ and NTFS take for the same names.
    '.vs\u200ccode/settings.json',
    '.vscode./settings.json',
    '.npmrc ',
    '.npmrc::$DATA',
    'GIT~1/config',
    'my:x.code-workspace',
    '.env.local',
    '.envrc',
    'AGENTS.md',
    'sub/agents.md',
    '.bashrc',
    '.bash_profile',
    '.zshenv',
    '.profile',
    '.config/fish/conf.d/x.fish',
    'Microsoft.PowerShell_profile.ps1',
    '.npmrc',
    'sub/.yarnrc.yml',
    '.yarn/releases/yarn.cjs',
    '.pnp.cjs',
    '.pnpmfile.cjs',
    'pip.conf',
    '.cargo/config.toml',
    '.husky/pre-commit',
    '.devcontainer/devcontainer.json',
    '.mise.toml',
    '.pre-commit-config.yaml',
  ])('%s', (path) => {
    expect(isGuarded(path)).toBe(true);
  });

  test.each([
    'src/index.ts',
    'vscode/settings.json',
    'env.ts',
    'docs/AGENTS.md.txt',
    'my.gitignore.md',
    'bashrc',
    'src/profile.ts',
    'yarn.lock',
    'package.json',
    'cargo/config.toml',
  ])('not %s', (path) => {
    expect(isGuarded(path)).toBe(false);
  });
});
