import { html, nothing, type TemplateResult } from 'lit';
import type { GraphDetails } from '../../src/protocol/graph';
import { timeOf } from '../format';
import { counts } from '../parts/fileCard';
import { icon } from '../parts/icon';
import { t, tn } from '../strings';
import type { GraphPage } from './page';

/** How long the pointer rests on a line before its card comes, and is away from both before it goes, in milliseconds. */
const delays = { show: 450, hide: 200 } as const;
const textShown = 600;
const filesShown = 8;
const gap = 4;

/** The card with a message and its files, beside the line the pointer rests on. */
export class HoverCard {
  readonly #page: GraphPage;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #wanted: string | undefined;
  #shown: GraphDetails | undefined;
  #at = { x: 0, top: 0, bottom: 0 };

  constructor(page: GraphPage) {
    this.#page = page;
  }

  /** Takes the pointer's way over the page. */
  over(event: PointerEvent): void {
    const { target } = event;
    if (event.pointerType === 'touch' || !(target instanceof Element)) return;
    if (target.closest('.hover-card') !== null) {
      clearTimeout(this.#timer);
      return;
    }
    const line = target.closest<HTMLElement>('[data-message]');
    const key = line?.getAttribute('data-message') ?? null;
    if (line === null || key === null || key === this.#page.details?.messageId) {
      this.#after(delays.hide, () => this.hide());
      return;
    }
    if (key === this.#wanted) {
      // Back from the card, or still waiting for it.
      if (this.#shown !== undefined) clearTimeout(this.#timer);
      return;
    }
    this.#wanted = key;
    const { top, bottom } = line.getBoundingClientRect();
    const at = { x: event.clientX, top, bottom };
    this.#after(this.#shown === undefined ? delays.show : delays.hide, () => {
      void this.#show(key, at);
    });
  }

  hide(): void {
    clearTimeout(this.#timer);
    this.#wanted = undefined;
    if (this.#shown === undefined) return;
    this.#shown = undefined;
    this.#page.update();
  }

  draw(): unknown {
    return this.#shown === undefined ? nothing : card(this.#page, this.#shown);
  }

  /** Puts the card where there is room: under its line, else above it. */
  drawn(): void {
    const element = document.querySelector<HTMLElement>('.hover-card');
    if (element === null) return;
    const { x, top, bottom } = this.#at;
    const { width, height } = element.getBoundingClientRect();
    const under = bottom + gap + height <= window.innerHeight || top < height + gap;
    const left = Math.max(gap, Math.min(x, window.innerWidth - width - gap));
    element.style.setProperty('left', `${left}px`);
    element.style.setProperty('top', `${under ? bottom + gap : top - gap - height}px`);
  }

  async #show(key: string, at: { x: number; top: number; bottom: number }): Promise<void> {
    const { host, sessionId } = this.#page;
    const answer = await host.request('details', sessionId, { messageId: key });
    // A card is a convenience: where there is none, nothing is said.
    if (!answer.ok || key !== this.#wanted || sessionId !== this.#page.sessionId) return;
    this.#shown = answer.value;
    this.#at = at;
    this.#page.update();
  }

  #after(delay: number, run: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(run, delay);
  }
}

function card(page: GraphPage, shown: GraphDetails): TemplateResult {
  const { text, model = '', error, at, files, label } = shown;
  const about = [timeOf(at, page.language), model].filter((part) => part !== '').join(' · ');
  const cut = text.length > textShown ? `${text.slice(0, textShown)}…` : text;
  const more = files.length - filesShown;
  return html`<div class="hover-card" role="tooltip" data-testid="graph-hover">
    ${label === undefined ? nothing : html`<div class="name-tag">${icon('tag')} ${label}</div>`}
    ${cut === '' ? nothing : html`<p class="hover-text">${cut}</p>`}
    ${error === undefined ? nothing : html`<p class="details-error">${icon('error')} ${error}</p>`}
    ${
      files.length === 0
        ? nothing
        : html`<ul class="hover-files" aria-label=${tn('filesChanged', files.length)}>
            ${files
              .slice(0, filesShown)
              .map(
                (file) =>
                  html`<li>
                    <span class="path">${file.label}</span>${counts(file.added, file.removed)}
                  </li>`,
              )}
            ${more > 0 ? html`<li class="quiet">${t('graphMoreFiles', more)}</li>` : nothing}
          </ul>`
    }
    <div class="quiet">${about}</div>
  </div>`;
}
