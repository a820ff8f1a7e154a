// Which room of the house may import which: the arrows of docs/architecture.md, held by ESLint.
import { dirname, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** What each room may import besides itself: rooms by name, packages by name, `node:` for Node's own modules. */
const rooms = {
  'src/core': { rooms: [], packages: ['diff', 'vscode-uri'] },
  'src/protocol': { rooms: [], typeRooms: ['src/core'], packages: ['valibot'] },
  'src/engine': { rooms: ['src/core'], packages: ['lowdb', 'nanoid', 'valibot', 'vscode-uri'] },
  'src/agent': {
    rooms: ['src/core'],
    typeRooms: ['src/engine'],
    packages: ['ai', '@ai-sdk/*', 'zod', 'valibot', 'nanoid', 'vscode-uri'],
  },
  'src/node': {
    rooms: ['src/core'],
    typeRooms: ['src/engine', 'src/agent', 'src/host'],
    packages: ['node:*'],
  },
  'src/host': {
    rooms: ['src/core', 'src/engine', 'src/protocol'],
    typeRooms: ['src/agent', 'src/node'],
    lazyRooms: ['src/agent', 'src/node'],
    packages: ['vscode', 'vscode-uri', 'valibot', 'nanoid', 'lowdb'],
  },
  'src/extension.ts': {
    rooms: ['src/core', 'src/engine', 'src/protocol', 'src/host'],
    typeRooms: ['src/agent', 'src/node'],
    lazyRooms: ['src/agent', 'src/node'],
    packages: ['vscode'],
  },
  'webview-ui': {
    rooms: ['src/protocol'],
    packages: [
      '@vscode/webview-ui-toolkit',
      '@vscode/webview-ui-toolkit/*',
      'lit',
      'lit/*',
      'markdown-it',
      'markdown-it/*',
      'dompurify',
      'highlight.js',
      'highlight.js/*',
      'diff',
      'valibot',
    ],
  },
};

const roomNames = Object.keys(rooms);

function roomOf(path) {
  const name = relative(root, path).split(sep).join('/');
  return (
    roomNames.find((room) => name === room || name.startsWith(`${room}/`)) ?? name.split('/')[0]
  );
}

function matches(pattern, name) {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}

/** @type {import('eslint').Rule.RuleModule} */
const borders = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      room: '{{from}} must not import {{to}}.',
      typeOnly: '{{from}} may import {{to}} with `import type` only.',
      lazyOnly:
        '{{from}} may load {{to}} with a dynamic import only, so that it stays out of activation.',
      package: '{{from}} must not import the package {{to}}.',
    },
  },
  create(context) {
    const from = roomOf(context.filename);
    const allowed = rooms[from];
    if (!allowed) return {};

    function check(node, specifier, kind) {
      if (!specifier.startsWith('.')) {
        const fine = allowed.packages.some((pattern) => matches(pattern, specifier));
        if (!fine) context.report({ node, messageId: 'package', data: { from, to: specifier } });
        return;
      }
      const to = roomOf(resolve(dirname(context.filename), specifier));
      if (to === from || allowed.rooms.includes(to)) return;
      if (kind === 'type' && allowed.typeRooms?.includes(to)) return;
      if (kind === 'dynamic' && allowed.lazyRooms?.includes(to)) return;
      const messageId = allowed.lazyRooms?.includes(to)
        ? 'lazyOnly'
        : allowed.typeRooms?.includes(to)
          ? 'typeOnly'
          : 'room';
      context.report({ node, messageId, data: { from, to } });
    }

    function checkStatic(node) {
      if (!node.source) return;
      check(
        node,
        node.source.value,
        (node.importKind ?? node.exportKind) === 'type' ? 'type' : 'value',
      );
    }
    return {
      ImportDeclaration: checkStatic,
      ExportNamedDeclaration: checkStatic,
      ExportAllDeclaration: checkStatic,
      ImportExpression(node) {
        if (typeof node.source.value === 'string') check(node, node.source.value, 'dynamic');
      },
      TSImportType(node) {
        const specifier = node.source?.value ?? node.argument?.literal?.value;
        if (typeof specifier === 'string') check(node, specifier, 'type');
      },
    };
  },
};

export default { rules: { borders } };
