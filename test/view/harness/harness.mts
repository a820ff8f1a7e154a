// Bundles the page with a written host and serves it as plain files.
import { createServer } from 'node:http';
import { cp, mkdir, readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { build } from 'esbuild';
import type { BuildOptions } from 'esbuild';
import { root } from '../../kit/install.mts';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.ttf': 'font/ttf',
};

export interface Harness {
  readonly url: string;
  close(): void;
}

export async function startHarness(): Promise<Harness> {
  const outdir = join(root, 'test-results', 'view', 'site');
  await mkdir(outdir, { recursive: true });
  const common: BuildOptions = {
    absWorkingDir: root,
    bundle: true,
    outdir,
    target: 'chrome132',
    format: 'iife',
    loader: { '.ttf': 'file' },
    assetNames: '[name]',
    logLevel: 'warning',
  };
  await Promise.all([
    build({ ...common, entryPoints: ['webview-ui/main.ts'] }),
    build({ ...common, entryPoints: ['webview-ui/styles/main.css'] }),
    build({ ...common, entryPoints: ['webview-ui/graph.ts'] }),
    build({ ...common, entryPoints: ['webview-ui/styles/graph.css'] }),
    build({ ...common, entryPoints: ['test/view/harness/fakeHost.ts'] }),
    build({ ...common, entryPoints: ['test/view/harness/graphHost.ts'] }),
    cp(join(root, 'test/view/harness/graph.html'), join(outdir, 'graph.html')),
    cp(join(root, 'test/view/harness/index.html'), join(outdir, 'index.html')),
  ]);
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const file = pathname === '/' ? 'index.html' : pathname.slice(1);
    if (!/^[\w.]+$/u.test(file)) {
      response.writeHead(404).end();
      return;
    }
    readFile(join(outdir, file)).then(
      (bytes) => response.writeHead(200, { 'content-type': types[extname(file)] ?? '' }).end(bytes),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://localhost:${port}/`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
