// `npm start` is about Retrace, so its window opens on it.
const vscode = require('vscode');

exports.activate = () => vscode.commands.executeCommand('retrace.chat.focus');
