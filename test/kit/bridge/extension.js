// Lets a browser test run any VS Code command of the window it looks at: POST { command, args } to a loopback port.
const { mkdirSync, rmSync, writeFileSync } = require('node:fs');
const { createServer } = require('node:http');
const { join } = require('node:path');
const vscode = require('vscode');

exports.activate = (context) => {
  const home = process.env.RETRACE_BRIDGE;
  if (!home) return;
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
      JSON.stringify({ port: server.address().port, place: place?.fsPath ?? '' }),
    );
    context.subscriptions.push({
      dispose() {
        server.close();
        rmSync(file, { force: true });
      },
    });
  });
};
