import { html, nothing, type TemplateResult } from 'lit';
import type { RequestParams } from '../../src/protocol/messages';
import type { SessionRow } from '../../src/protocol/viewModel';
import { dayOf, timeOf, type Day } from '../format';
import { isComposing } from '../keys';
import type { Overlay, Page } from '../page';
import { t, tn } from '../strings';
import { icon, spinner } from './icon';

type Keep = RequestParams['keepSession']['action'];
type SessionsOverlay = Extract<Overlay, { kind: 'sessions' }>;

/** How long typing rests before texts are searched, in milliseconds, and from how many characters on they are. */
const pause = 200;
const least = 2;
let waiting: ReturnType<typeof setTimeout> | undefined;

/** Opens the list of sessions and asks for what is in it. */
export function openSessions(page: Page): void {
  page.setOverlay({ kind: 'sessions', filter: '' });
  loadSessions(page);
}

export function loadSessions(page: Page): void {
  void page.ask('listSessions', {}, { what: t('sessions') }).then((answer) => {
    if (!answer) page.setOverlay(undefined);
    else if (page.overlay?.kind === 'sessions') {
      page.setOverlay({ ...page.overlay, sessions: answer.sessions });
    }
  });
}

/** Draws the list of sessions over the conversation. */
export function sessionsOverlay(page: Page, overlay: SessionsOverlay): TemplateResult {
  return html`<div
    class="overlay"
    role="dialog"
    aria-modal="true"
    aria-label=${t('sessions')}
    data-testid="sessions-overlay"
    @keydown=${(event: KeyboardEvent) => onKey(page, event)}
  >
    <div class="header">
      <h2 class="title">${t('sessions')}</h2>
      <vscode-button
        appearance="icon"
        data-testid="new-session"
        title=${t('newSession')}
        aria-label=${t('newSession')}
        @click=${() => {
          close(page);
          page.composer.flush();
          void page.ask('newSession', {}, { what: t('newSession') });
        }}
        >${icon('add')}</vscode-button
      >
      <vscode-button
        appearance="icon"
        title=${t('sessionsClose')}
        aria-label=${t('sessionsClose')}
        @click=${() => close(page)}
        >${icon('close')}</vscode-button
      >
    </div>
    <vscode-text-field
      class="filter"
      placeholder=${t('sessionsFilter')}
      data-autofocus
      @input=${(event: Event) => {
        filterBy(page, overlay, (event.target as HTMLInputElement).value);
      }}
      >${t('sessionsFilter')}</vscode-text-field
    >
    <div class="session-list">${content(page, overlay)}</div>
  </div>`;
}

/** Titles are looked through at once, texts when typing rests. */
function filterBy(page: Page, overlay: SessionsOverlay, filter: string): void {
  page.setOverlay({ ...overlay, filter });
  clearTimeout(waiting);
  const text = filter.trim();
  if (text.length < least && overlay.found === undefined) return;
  waiting = setTimeout(() => {
    const asked = text.length < least ? '' : text;
    void page.host.request('searchSessions', '', { text: asked }).then((answer) => {
      // One that was ended by the next one, or failed, leaves the titles.
      if (!answer.ok || page.overlay?.kind !== 'sessions') return;
      if (page.overlay.filter.trim() !== text) return;
      const excerpts = new Map(
        answer.value.hits.flatMap(({ id, excerpt }): [string, string][] =>
          excerpt === undefined ? [] : [[id, excerpt]],
        ),
      );
      page.setOverlay({ ...page.overlay, found: { text, excerpts } });
    });
  }, pause);
}

function content(page: Page, { sessions, filter, found: inTexts }: SessionsOverlay): unknown {
  if (!sessions) return html`<vscode-progress-ring></vscode-progress-ring>`;
  if (sessions.length === 0) return html`<p class="quiet">${t('sessionsNone')}</p>`;
  const wanted = filter.trim().toLocaleLowerCase(page.language);
  const excerpts = wanted !== '' && inTexts?.text === filter.trim() ? inTexts.excerpts : undefined;
  const found = sessions.filter(
    (row) =>
      row.title.toLocaleLowerCase(page.language).includes(wanted) || excerpts?.has(row.id) === true,
  );
  if (found.length === 0) return html`<p class="quiet">${t('sessionsNoMatch', filter)}</p>`;
  return groups(found).map(
    ({ title, rows }) =>
      html`<section aria-label=${title}>
        ${title === t('archived') ? html`<vscode-divider></vscode-divider>` : nothing}
        <h3 class="group">${title}</h3>
        ${rows.map((row) => sessionRow(page, row, excerpts?.get(row.id)))}
      </section>`,
  );
}

function groups(rows: readonly SessionRow[]): { title: string; rows: readonly SessionRow[] }[] {
  const now = Date.now();
  const newest = rows.toSorted((a, b) => b.updatedAt - a.updatedAt);
  const kept = newest.filter((row) => !row.archived);
  const days: readonly Day[] = ['today', 'yesterday', 'thisWeek', 'older'];
  return [
    ...days.map((day) => ({
      title: t(day),
      rows: kept.filter((row) => dayOf(row.updatedAt, now) === day),
    })),
    { title: t('archived'), rows: newest.filter((row) => row.archived) },
  ].filter((group) => group.rows.length > 0);
}

function sessionRow(page: Page, row: SessionRow, excerpt: string | undefined): TemplateResult {
  return html`<div class="session-row">
    <button
      type="button"
      class="session ${row.current ? 'current' : ''}"
      data-testid="session"
      data-session=${row.id}
      aria-current=${row.current ? 'true' : 'false'}
      title=${timeOf(row.updatedAt, page.language)}
      @click=${() => {
        close(page);
        if (row.current) return;
        page.composer.flush();
        page.focusWish = 'composer';
        void page.ask('openSession', { sessionId: row.id }, { what: row.title });
      }}
    >
      <span class="session-icon"
        >${row.running ? spinner() : icon(row.archived ? 'archive' : 'comment-discussion')}</span
      >
      <span class="session-text"
        ><span class="session-title">${row.title}</span> ${
          row.forkedFrom === undefined
            ? nothing
            : html`<span class="quiet">${t('sessionForkedFrom', row.forkedFrom)}</span>`
        }${
          excerpt === undefined
            ? nothing
            : html`<span class="quiet excerpt" data-testid="session-excerpt">${excerpt}</span>`
        }</span
      >
      ${row.current ? html`<span class="tag quiet">${t('sessionCurrent')}</span>` : nothing}
      ${row.running ? html`<span class="tag merged">${t('sessionRunning')}</span>` : nothing}
      <span
        class="count"
        role="img"
        title=${tn('messages', row.messages)}
        aria-label=${tn('messages', row.messages)}
        >${row.messages}</span
      ></button
    >${rowActions(page, row)}
  </div>`;
}

function rowActions(page: Page, row: SessionRow): TemplateResult {
  const action = (name: Keep, sign: string, text: string) =>
    html`<button
      type="button"
      class="row-action"
      data-testid="session-${name}"
      title=${text}
      aria-label=${`${text}: ${row.title}`}
      @click=${() => keepSession(page, row, name, text)}
    >
      ${icon(sign)}
    </button>`;
  return html`<span class="row-actions" role="group" aria-label=${row.title}>
    ${action('rename', 'edit', t('sessionRename'))}
    ${
      row.archived
        ? action('unarchive', 'inbox', t('sessionUnarchive'))
        : action('archive', 'archive', t('sessionArchive'))
    }
    ${action('export', 'export', t('sessionExport'))}
    ${action('delete', 'trash', t('sessionDelete'))}
  </span>`;
}

function keepSession(page: Page, row: SessionRow, action: Keep, what: string): void {
  const ask = async (): Promise<void> => {
    const params = { sessionId: row.id, action };
    const answer = await page.ask('keepSession', params, { what });
    if (answer !== undefined && page.overlay?.kind === 'sessions')
      page.setOverlay({ ...page.overlay, sessions: answer.sessions });
  };
  void page.working(`session.${row.id}`, ask);
}

function close(page: Page): void {
  page.setOverlay(undefined);
  page.focusWish = 'composer';
}

function onKey(page: Page, event: KeyboardEvent): void {
  if (isComposing(event)) return;
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (event.key === 'Escape') close(page);
  else if (step !== undefined) {
    const overlay = event.currentTarget as HTMLElement;
    const stops = [...overlay.querySelectorAll<HTMLElement>('vscode-text-field, .session, :focus')];
    const at = stops.findIndex((stop) => stop === document.activeElement);
    stops[Math.max(0, Math.min(stops.length - 1, at + step))]?.focus();
  } else return;
  event.preventDefault();
}
