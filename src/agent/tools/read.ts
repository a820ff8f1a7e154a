import { z } from 'zod';
import { toBase64 } from '../../core/base64';
import { imageMime, maxImageBytes } from '../images';
import { ToolFailure } from '../failures';
import { decodeText, toLf } from '../textEdit';
import { defineTool, path, type CallReport } from './tool';

const maxLines = 2000;
const maxCharacters = 64_000;

export const emptyFileText = '(The file is empty.)';

/** Matches the note under a part of a file, with the number of lines there are. */
export const partNote = /\n?\[Lines (\d+) to (\d+) of (\d+) are shown\.[^\]]*\]$/u;

export const read = defineTool({
  name: 'read',
  description:
    'Reads a text file, or shows an image (PNG, JPEG, GIF, WebP). Line ends are shown as LF. Long files are cut: read on with startLine. A file must be read before it is changed.',
  shape: {
    path,
    startLine: z.int().min(1).optional().describe('First line to read, counted from 1.'),
    endLine: z.int().min(1).optional().describe('Last line to read.'),
  },
  needs: 'ask',
  writes: false,
  async run(input, workspace, report) {
    const file = await workspace.resolve(input.path);
    const bytes = await workspace.read(file);
    if (bytes === undefined) throw new ToolFailure(`There is no file ${file.label}.`);
    const mime = imageMime(bytes);
    if (mime !== undefined) return showImage(file.label, bytes, mime, report);
    const text = toLf(decodeText(bytes).text);
    if (text === '') return emptyFileText;
    const lines = text.split('\n');
    // What follows the last line end is no line of its own.
    const total = lines.at(-1) === '' ? lines.length - 1 : lines.length;
    const start = input.startLine ?? 1;
    const end = Math.min(input.endLine ?? total, total, start + maxLines - 1);
    if (start > total) {
      throw new ToolFailure(`${file.label} has ${total} lines; line ${start} is past its end.`);
    }
    if (end < start) throw new ToolFailure('endLine is before startLine.');
    const shown =
      end === total
        ? lines.slice(start - 1).join('\n')
        : `${lines.slice(start - 1, end).join('\n')}\n`;
    return bounded(shown, start, end, total);
  },
});

function showImage(label: string, bytes: Uint8Array, mime: string, report: CallReport): string {
  const what = `${label} is an image (${mime}, ${bytes.length} bytes)`;
  if (bytes.length > maxImageBytes) throw new ToolFailure(`${what}, too large to be shown.`);
  if (!report.image({ base64: toBase64(bytes), mime })) {
    throw new ToolFailure(`${what}, and this model does not see images.`);
  }
  return `${what}. It is shown in this turn; later, read it again to see it.`;
}

function bounded(shown: string, start: number, end: number, total: number): string {
  if (shown.length <= maxCharacters) {
    // Blank lines alone would look like no answer at all, and some servers refuse them.
    const whole = start === 1 && end === total && shown.trim() !== '';
    return whole ? shown : shown + note(start, end, total);
  }
  const cut = shown.lastIndexOf('\n', maxCharacters);
  if (cut === -1) {
    return `${shown.slice(0, maxCharacters)}\n[Line ${start} is cut: it has more than ${maxCharacters} characters.]`;
  }
  const kept = shown.slice(0, cut + 1);
  return kept + note(start, start + kept.split('\n').length - 2, total);
}

function note(start: number, end: number, total: number): string {
  const more = end < total ? ` Read on with startLine ${end + 1}.` : '';
  return `\n[Lines ${start} to ${end} of ${total} are shown.${more}]`;
}
