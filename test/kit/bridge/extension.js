// Lets a browser test run any VS Code command of the window it looks at: POST { command, args } to a loopback port.
const { mkdirSync, realpathSync, rmSync, statSync, writeFileSync } = require('node:fs');
const { createServer } = require('node:http');
const Module = require('node:module');
const { basename, join } = require('node:path');
const vscode = require('vscode');

/**
 * Activates Retrace, unless it is active, and tells how long loading and running its code took and which of its files
 * are loaded by now. The way through VS Code's other processes is not its code, so the clock is inside the host.
 */
async function activation() {
  const extension = vscode.extensions.getExtension('retrace.retrace');
  const wasActive = extension.isActive;
  const home = realpathSync(extension.extensionPath);
  const load = Module._load;
  const times = { load: 0, activate: 0 };
  Module._load = function (request, ...rest) {
    if (!request.startsWith(home) && !request.startsWith(extension.extensionPath))
      return load.call(this, request, ...rest);
    const begin = performance.now();
    const loaded = load.call(this, request, ...rest);
    times.load += performance.now() - begin;
    return { ...loaded, activate: (context) => timed(() => loaded.activate(context)) };
  };
  async function timed(act) {
    const begin = performance.now();
    try {
      return await act();
    } finally {
      times.activate = performance.now() - begin;
    }
  }
  try {
    await extension.activate();
  } finally {
    Module._load = load;
  }
  const files = Object.keys(require.cache).filter((file) => file.startsWith(home));
  return {
    wasActive,
    ...times,
    files: files.map((file) => ({ name: basename(file), bytes: statSync(file).size })),
  };
}

exports.activate = (context) => {
  const home = process.env.RETRACE_BRIDGE;
  if (!home) return;
  context.subscriptions.push(
    vscode.commands.registerCommand('retrace-test.activation', activation),
  );
  context.subscriptions.push(
    vscode.commands.registerCommand('retrace-test.setting', (name, value) =>
      vscode.workspace.getConfiguration().update(name, value, true),
    ),
  );
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const { command, args } = JSON.parse(Buffer.concat(chunks).toString());
    const answer = await Promise.resolve(vscode.commands.executeCommand(command, ...args)).then(
      (value) => ({ value }),
      (error) => ({
        error: { name: error?.name, code: error?.code, message: String(error?.message ?? error) },
      }),
    );
    response.end(JSON.stringify(answer));
  });
  server.listen(0, '127.0.0.1', () => {
    // One file for each window, named so that the newest of a folder is found by its name.
    mkdirSync(home, { recursive: true });
    const file = join(home, `${Date.now()}-${process.pid}.json`);
    const place = vscode.workspace.workspaceFile ?? vscode.workspace.workspaceFolders?.[0]?.uri;
    writeFileSync(
      file,
      JSON.stringify({ port: server.address().port, pid: process.pid, place: place?.fsPath ?? '' }),
    );
    context.subscriptions.push({
      dispose() {
        server.close();
        rmSync(file, { force: true });
      },
    });
  });
};
