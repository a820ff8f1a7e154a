import type { OpenSession } from '../engine/openSession';

/** What a model is told before the conversation, with what the project says; English, since it is for the model. */
export function instructions(session: OpenSession, project: string): string {
  const folders = session.info.folders.map((folder) => folder.name);
  const where =
    folders.length === 0
      ? 'No folder is open, so there are no files to work on.'
      : folders.length === 1
        ? `The workspace has one folder, ${folders.join()}. Paths are relative to it.`
        : `The workspace has these folders: ${folders.join(', ')}. Put the folder's name in front of each path.`;
  return [
    'You are a coding agent in VS Code. You work on the files of the workspace with the tools you are given.',
    where,
    'Read a file before you change it, change no more than was asked, and say briefly what you did. Answer in the language of the user.',
    'The user can take back everything you change, so go ahead without asking for leave; when a tool call is refused, say so and do not try to get around it.',
    ...(project === '' ? [] : [project]),
  ].join('\n\n');
}
