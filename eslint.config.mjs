import js from '@eslint/js';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';
import retrace from './scripts/lint/borders.mjs';

/** Names that only Node has: the same code runs in a web worker. */
const nodeOnly = [
  'process',
  'Buffer',
  'require',
  'module',
  'exports',
  '__dirname',
  '__filename',
  'global',
  'setImmediate',
  'clearImmediate',
];
/** Names that only a page has. */
const pageOnly = [
  'window',
  'document',
  'localStorage',
  'sessionStorage',
  'alert',
  'confirm',
  'prompt',
];

const forbid = (names, message) => names.map((name) => ({ name, message }));

export default defineConfig(
  globalIgnores([
    'dist/',
    '.vscode-test/',
    'test-results/',
    'samples/',
    'test/fixtures/',
    '**/*.js',
  ]),
  js.configs.recommended,
  {
    files: ['**/*.ts', '**/*.mts'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/consistent-type-imports': [
        'error',
        { fixStyle: 'separate-type-imports', disallowTypeAnnotations: false },
      ],
      '@typescript-eslint/no-import-type-side-effects': 'error',
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      // A function given as a callback often has nothing to await, and says so by its type.
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', caughtErrorsIgnorePattern: '^_' },
      ],
      '@typescript-eslint/ban-ts-comment': 'error',
    },
  },
  {
    rules: {
      'max-lines': ['error', { max: 350 }],
      'no-empty': ['error', { allowEmptyCatch: false }],
      eqeqeq: 'error',
      'no-console': 'off',
    },
  },
  {
    files: ['src/**/*.ts', 'webview-ui/**/*.ts'],
    plugins: { retrace },
    rules: { 'retrace/borders': 'error', 'no-console': 'error' },
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['src/node/**'],
    rules: {
      'no-restricted-globals': [
        'error',
        ...forbid(nodeOnly, 'Only src/node may use what only Node has.'),
        ...forbid(pageOnly, 'The extension has no page.'),
      ],
      'no-restricted-syntax': [
        'error',
        {
          selector: "MemberExpression[property.name='fsPath']",
          message: 'Files are named by URI: fsPath means nothing in a virtual workspace.',
        },
        {
          selector:
            'MemberExpression[property.name=/^(storagePath|globalStoragePath|storageUri)$/]',
          message: 'Only globalStorageUri is the same in every window.',
        },
        {
          selector: "CallExpression[callee.property.name='saveAll']",
          message: 'saveAll leaves documents without a tab unsaved: save each document.',
        },
      ],
    },
  },
  {
    files: ['webview-ui/**/*.ts'],
    rules: { 'no-restricted-globals': ['error', ...forbid(nodeOnly, 'The page has no Node.')] },
  },
  {
    files: ['test/**/*.ts', 'test/**/*.mts', 'bench/**/*.mts'],
    rules: {
      'max-lines': ['error', { max: 500 }],
      // Tests hand functions of a class about, and state what a mock never does.
      '@typescript-eslint/unbound-method': 'off',
      '@typescript-eslint/no-unused-expressions': 'off',
    },
  },
  {
    files: ['**/*.mjs'],
    languageOptions: { globals: { URL: 'readonly', process: 'readonly', console: 'readonly' } },
  },
);
