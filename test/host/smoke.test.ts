import { assert } from 'chai';
import * as vscode from 'vscode';

describe('smoke', () => {
  it('activates @oldest', async () => {
    const extension = vscode.extensions.getExtension('retrace.retrace');
    assert.ok(extension);
    await extension.activate();
    assert.isTrue(extension.isActive);
    await vscode.commands.executeCommand('retrace.chat.focus');
  });
});
