// Bundles: the extension for Node and for a web worker, its page, and the tests that run inside VS Code.
//
// In Node what is imported dynamically (the agent with the AI SDK, what only Node has, the graph, …) is a file of its own, so
// that activation does not load it, and what several of them need is in parts they share. A web worker can load one file
// only, so there everything comes along and is evaluated when first asked for; what only Node has is left out.
import { existsSync } from 'node:fs';
import { glob, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build as bundle, context, transform } from 'esbuild';
import type { BuildOptions, Metafile, Plugin } from 'esbuild';
import { root } from './run.mts';
import { writeNotices } from './notices.mts';

export interface Options {
  production?: boolean;
  /** Whether to build the tests that run inside VS Code as well. */
  tests?: boolean;
  outdir?: string;
}

/** Builds once and returns what went into each bundle, by the bundle's path under the output folder. */
export async function buildAll(options: Options = {}): Promise<Metafile['outputs']> {
  const results = await Promise.all((await bundles(options)).map((options) => bundle(options)));
  const outputs = Object.assign(
    {},
    ...results.map((result) => result.metafile?.outputs),
  ) as Metafile['outputs'];
  if (options.production) await writeNotices(outputs, options.outdir ?? join(root, 'dist'));
  return outputs;
}

async function bundles({
  production = false,
  tests = !production,
  outdir = join(root, 'dist'),
}: Options): Promise<BuildOptions[]> {
  const common: BuildOptions = {
    absWorkingDir: root,
    bundle: true,
    metafile: true,
    minify: production,
    sourcemap: !production,
    legalComments: 'none',
    logLevel: 'warning',
    define: { 'process.env.NODE_ENV': production ? '"production"' : '"development"' },
  };
  // Node 20 is what the oldest supported VS Code runs extensions on.
  const host: BuildOptions = {
    ...common,
    format: 'cjs',
    target: 'node20',
    external: ['vscode'],
    mainFields: ['module', 'main'],
  };
  const node: BuildOptions = { ...host, platform: 'node' };
  const web: BuildOptions = {
    ...host,
    platform: 'browser',
    target: 'es2022',
    mainFields: ['browser', 'module', 'main'],
  };
  const page: BuildOptions = {
    ...common,
    format: 'iife',
    platform: 'browser',
    target: 'chrome132',
    loader: { '.ttf': 'file', '.svg': 'dataurl' },
    assetNames: '[name]',
    outdir: join(outdir, 'view'),
  };

  const list: BuildOptions[] = [
    {
      ...node,
      entryPoints: {
        extension: 'src/extension.ts',
        agent: 'src/agent/main.ts',
        node: 'src/node/main.ts',
      },
      outdir,
      splitting: true,
      format: 'esm',
      chunkNames: `${partPrefix}[hash]`,
      plugins: [asCommonJs],
    },
    { ...node, entryPoints: ['src/node/guard.ts'], outfile: join(outdir, 'guard.js') },
    { ...web, entryPoints: ['src/extension.ts'], outdir: join(outdir, 'web'), plugins: [noNode] },
  ];
  const pages = ['webview-ui/main.ts', 'webview-ui/graph.ts'].filter((entry) =>
    existsSync(join(root, entry)),
  );
  const styles = ['main', 'graph']
    .map((name) => `webview-ui/styles/${name}.css`)
    .filter((entry) => existsSync(join(root, entry)));
  if (pages.length > 0) list.push({ ...page, entryPoints: pages });
  if (styles.length > 0) list.push({ ...page, entryPoints: styles });
  if (tests) {
    const plugins = [browserMocha];
    list.push({
      ...node,
      plugins,
      stdin: await testEntry(true),
      outfile: join(outdir, 'test', 'host.js'),
    });
    list.push({
      ...web,
      plugins,
      stdin: await testEntry(false),
      outfile: join(outdir, 'test', 'host-web.js'),
    });
  }
  return list;
}

const partPrefix = 'part-';

/** Turns ES modules, the only ones esbuild splits, into CommonJS ones, the only ones every VS Code loads. */
const asCommonJs: Plugin = {
  name: 'as-common-js',
  setup(build) {
    const { minify = false, target } = build.initialOptions;
    const sourcemap = build.initialOptions.sourcemap === true;
    Object.assign(build.initialOptions, { write: false, sourcemap: sourcemap && 'inline' });
    build.onEnd(async ({ outputFiles = [] }) => {
      const written = await Promise.all(
        outputFiles.map(async ({ path, text }) => {
          const { code, map } = await transform(text, {
            format: 'cjs',
            platform: 'node',
            supported: { 'dynamic-import': false },
            legalComments: 'none',
            sourcefile: path,
            sourcemap,
            minify,
            ...(target !== undefined && { target }),
          });
          await mkdir(dirname(path), { recursive: true });
          await writeFile(
            path,
            sourcemap ? `${code}//# sourceMappingURL=${basename(path)}.map\n` : code,
          );
          if (sourcemap) await writeFile(`${path}.map`, map);
          return basename(path);
        }),
      );
      await removeOldParts(build.initialOptions.outdir ?? '.', new Set(written));
    });
  },
};

async function removeOldParts(folder: string, kept: ReadonlySet<string>): Promise<void> {
  const names = await readdir(folder);
  const old = names.filter(
    (name) => name.startsWith(partPrefix) && !kept.has(name.replace(/\.map$/u, '')),
  );
  await Promise.all(old.map((name) => rm(join(folder, name), { force: true })));
}

const noNode: Plugin = {
  name: 'no-node',
  setup(build) {
    build.onResolve({ filter: /^\.\.?\/(.*\/)?node\/main$/ }, ({ path }) => ({
      path,
      namespace: 'nothing',
    }));
    build.onLoad({ filter: /.*/, namespace: 'nothing' }, () => ({
      contents: 'module.exports = {};',
    }));
  },
};

/** Mocha's browser build looks for a module to export itself from, and would take the bundle's own. */
const browserMocha: Plugin = {
  name: 'browser-mocha',
  setup(build) {
    build.onLoad({ filter: /[\\/]mocha[\\/]mocha\.js$/ }, async ({ path }) => ({
      contents: `const module = undefined, exports = undefined, define = undefined;\n${await readFile(path, 'utf8')}\nexport default globalThis.Mocha;`,
    }));
  },
};

/** The module VS Code runs: it knows every test file there is, so that none can be forgotten. */
async function testEntry(inNode: boolean): Promise<{ contents: string; resolveDir: string }> {
  const files = await Array.fromAsync(glob('test/host/**/*.test.ts', { cwd: root }));
  const wanted = files
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => inNode || !file.endsWith('.node.test.ts'));
  const entries = wanted
    .sort()
    .map((file) => `[${JSON.stringify(file)}, () => import(${JSON.stringify(`./${file}`)})],`);
  const contents = `import { runFiles } from './test/host/run';\nexport const run = () => runFiles([\n${entries.join('\n')}\n]);\n`;
  return { contents, resolveDir: root };
}

async function watch(): Promise<void> {
  const report: Plugin = {
    name: 'report',
    setup(build) {
      // VS Code's task waits for these two lines.
      build.onStart(() => console.log('[watch] build started'));
      build.onEnd(({ errors }) => {
        for (const { text, location } of errors)
          console.error(
            `> ${location?.file}:${location?.line}:${location?.column}: error: ${text}`,
          );
        console.log('[watch] build finished');
      });
    },
  };
  const contexts = await Promise.all(
    (await bundles({ tests: true })).map((one) =>
      context({ ...one, plugins: [...(one.plugins ?? []), report] }),
    ),
  );
  await Promise.all(contexts.map((one) => one.watch()));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  if (process.argv.includes('--watch')) await watch();
  else await buildAll({ production: process.argv.includes('--production') });
}
