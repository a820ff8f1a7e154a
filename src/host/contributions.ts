/** Every id the manifest contributes, in one typed place; a test holds the two against each other. */

/** All commands, in the order of docs/commands.md. */
export const commandIds = [
  'retrace.newSession',
  'retrace.openSession',
  'retrace.listSessions',
  'retrace.renameSession',
  'retrace.archiveSession',
  'retrace.deleteSession',
  'retrace.restoreSession',
  'retrace.exportSession',
  'retrace.importSession',
  'retrace.restoreBackup',
  'retrace.adoptSessions',
  'retrace.checkSessions',
  'retrace.cleanUpStorage',
  'retrace.send',
  'retrace.stop',
  'retrace.continueSummarised',
  'retrace.listRewindPoints',
  'retrace.rewind',
  'retrace.regenerate',
  'retrace.editAndResend',
  'retrace.switchBranch',
  'retrace.checkout',
  'retrace.undoMove',
  'retrace.redoMove',
  'retrace.retryFiles',
  'retrace.nextChange',
  'retrace.previousChange',
  'retrace.keepChange',
  'retrace.undoChange',
  'retrace.keepFile',
  'retrace.undoFile',
  'retrace.keepAllChanges',
  'retrace.undoAllChanges',
  'retrace.fork',
  'retrace.showGraph',
  'retrace.labelMessage',
  'retrace.archiveBranch',
  'retrace.compareMessages',
  'retrace.getSession',
  'retrace.setDraft',
  'retrace.addToChat',
  'retrace.copyMessage',
  'retrace.find',
  'retrace.getStarted',
  'retrace.addModel',
  'retrace.setApiKey',
  'retrace.selectModel',
  'retrace.selectMode',
  'retrace.selectTools',
  'retrace.pendingApprovals',
  'retrace.answerApproval',
] as const;

export type CommandId = (typeof commandIds)[number];

/** All settings, with the section's name in front as `package.json` has them. */
export const settingIds = [
  'retrace.models',
  'retrace.model',
  'retrace.mode',
  'retrace.chat.sendKey',
  'retrace.instructions.files',
  'retrace.maxModelCalls',
  'retrace.tools',
  'retrace.rewind.defaultScope',
  'retrace.rewind.withoutNumber',
  'retrace.review.inline',
  'retrace.sessions.modelTitles',
  'retrace.notifications',
  'retrace.approvals.write',
  'retrace.approvals.delete',
  'retrace.approvals.command',
  'retrace.approvals.outside',
  'retrace.approvals.tools',
  'retrace.storage.budget',
] as const;

export type SettingId = (typeof settingIds)[number];

/** Keys that `when` clauses may ask for. */
export const contextKeys = {
  /** The keyboard is in the chat view; VS Code's own keys do not tell. */
  viewFocused: 'retrace.viewFocused',
  /** A turn runs in the window's current session. */
  running: 'retrace.running',
  /** There are changes of the last reply to review. */
  hasChanges: 'retrace.hasChanges',
  /** Some of them are in the editor that has the focus. */
  fileHasChanges: 'retrace.fileHasChanges',
  /** The last thing done in the window's current session was a move. */
  moved: 'retrace.moved',
} as const;

/** As VS Code names it: the extension, then the walkthrough. */
export const walkthroughId = 'retrace.retrace#getStarted';

export const viewIds = { chat: 'retrace.chat' } as const;

export const panelIds = { graph: 'retrace.graph' } as const;

/** Read-only copies of file contents, for diffs. */
export const blobScheme = 'retrace-blob';
