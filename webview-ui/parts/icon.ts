import { html, type TemplateResult } from 'lit';

/** Draws a codicon; it says nothing to a screen reader, the control around it has the name. */
export function icon(name: string, extra = ''): TemplateResult {
  return html`<span class="codicon codicon-${name} ${extra}" aria-hidden="true"></span>`;
}

/** Draws the sign of something under way. */
export function spinner(): TemplateResult {
  return icon('loading', 'codicon-modifier-spin');
}
