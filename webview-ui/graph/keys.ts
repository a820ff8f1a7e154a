import { isComposing } from '../keys';
import type { GraphPage } from './page';
import { step } from './visible';

/** Moves along the graph by keyboard: arrows, Enter to check out, Space to look, `/` to find. */
export function onTreeKey(page: GraphPage, event: KeyboardEvent): void {
  const { target } = event;
  if (!(target instanceof HTMLElement) || target.id !== 'tree' || isComposing(event)) return;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (act(page, event.key)) event.preventDefault();
}

function act(page: GraphPage, key: string): boolean {
  const at = page.currentLine;
  const line = page.lines[at];
  if (line === undefined) return false;
  if (line.folded > 0 && (key === 'ArrowRight' || key === 'Enter' || key === ' ')) {
    page.unfold(line.key);
    return true;
  }
  switch (key) {
    case 'Enter':
      if (line.row.kind !== 'here' && line.row.kind !== 'start') void page.checkout(line.key);
      return true;
    case ' ':
      page.preview(line.key);
      return true;
    case 'Escape':
      page.closeDetails();
      return true;
    case '+':
    case '-':
      page.zoom(key === '+' ? 1 : -1);
      return true;
    case '/':
      document.getElementById('find')?.focus();
      return true;
  }
  const next = page.lines[step(page.lines, at, key) ?? -1];
  if (next !== undefined) page.select(next.key);
  return next !== undefined;
}
