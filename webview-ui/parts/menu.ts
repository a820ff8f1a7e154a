import { html, type TemplateResult } from 'lit';
import type { Page } from '../page';
import { icon } from './icon';

/** One choice of a menu of which one is taken. */
export interface MenuRow {
  readonly id: string;
  readonly label: string;
  readonly detail: string;
  readonly current: boolean;
}

/** Draws a menu that hangs on the control before it; arrow keys move in it, Escape goes back to the control. */
export function menu(
  page: Page,
  name: { readonly label: string; readonly testId: string },
  content: unknown,
): TemplateResult {
  return html`<div
    class="menu"
    role="menu"
    aria-label=${name.label}
    data-testid=${name.testId}
    @keydown=${(event: KeyboardEvent) => onKey(page, event)}
    @focusout=${(event: FocusEvent) => {
      const menu = event.currentTarget as HTMLElement;
      if (event.relatedTarget instanceof Node && !menu.contains(event.relatedTarget)) {
        page.setOverlay(undefined);
      }
    }}
  >
    ${content}
  </div>`;
}

/** Draws a row that says something and cannot be chosen. */
export function menuNote(text: string): TemplateResult {
  return html`<div class="menu-item quiet" role="menuitem" aria-disabled="true">${text}</div>`;
}

export function menuRow(page: Page, row: MenuRow, choose: (id: string) => void): TemplateResult {
  return html`<button
    type="button"
    class="menu-item"
    role="menuitemradio"
    tabindex="-1"
    data-id=${row.id}
    aria-checked=${row.current ? 'true' : 'false'}
    @click=${() => {
      page.setOverlay(undefined);
      choose(row.id);
    }}
  >
    ${icon(row.current ? 'check' : 'blank')}
    <span class="menu-text">${row.label}<span class="quiet">${row.detail}</span></span>
  </button>`;
}

/** Draws what a menu can do beside its choices, below a line. */
export function menuAction(page: Page, label: string, act: () => void): TemplateResult {
  return html`<div class="menu-line" role="separator"></div>
    <button
      type="button"
      class="menu-item"
      role="menuitem"
      tabindex="-1"
      data-testid="menu-action"
      @click=${() => {
        page.setOverlay(undefined);
        act();
      }}
    >
      ${icon('add')}<span class="menu-text">${label}</span>
    </button>`;
}

/** Puts focus on the choice in force. */
export function focusChosen(): void {
  document.querySelector<HTMLElement>('.menu [aria-checked="true"]')?.focus();
}

function onKey(page: Page, event: KeyboardEvent): void {
  const menu = event.currentTarget as HTMLElement;
  const items = [...menu.querySelectorAll<HTMLElement>('.menu-item')];
  const at = items.findIndex((item) => item === document.activeElement);
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step !== undefined) items[(at + step + items.length) % items.length]?.focus();
  else if (event.key === 'Home') items[0]?.focus();
  else if (event.key === 'End') items.at(-1)?.focus();
  else if (event.key === 'Escape' || event.key === 'Tab') {
    const anchor = menu.parentElement?.querySelector<HTMLElement>('vscode-button, [data-testid]');
    page.setOverlay(undefined);
    anchor?.focus();
  } else return;
  event.preventDefault();
  event.stopPropagation();
}
