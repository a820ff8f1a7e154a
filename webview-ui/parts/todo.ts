import { html, type TemplateResult } from 'lit';
import { t } from '../strings';

interface Item {
  readonly text: string;
  readonly done: boolean;
}

/** Draws the agent's to-do list. */
export function todoList(items: readonly Item[]): TemplateResult {
  const done = items.filter((item) => item.done).length;
  const label = t('todo', done, items.length);
  return html`<div class="card todo">
    <div class="card-head">${label}</div>
    <ul aria-label=${label}>
      ${items.map(
        (item) =>
          html`<li class=${item.done ? 'done' : ''}>
            <span
              class="codicon codicon-${item.done ? 'pass-filled' : 'circle-large'}"
              role="img"
              aria-label=${t(item.done ? 'todoDone' : 'todoOpen')}
            ></span>
            <span>${item.text}</span>
          </li>`,
      )}
    </ul>
  </div>`;
}
