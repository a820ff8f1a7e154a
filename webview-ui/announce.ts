let region: HTMLElement | undefined;

/** Makes the page's only live region. */
export function createAnnouncer(): void {
  region = document.createElement('div');
  region.className = 'announcer';
  region.setAttribute('role', 'status');
  region.setAttribute('aria-live', 'polite');
  document.body.append(region);
}

/** Has a screen reader say a text once, when it is done with what it says. */
export function announce(text: string): void {
  if (!region) return;
  // The same text twice would not be said again without the region having been empty.
  region.textContent = '';
  const target = region;
  setTimeout(() => {
    target.textContent = text.length > 1_000 ? `${text.slice(0, 1_000)}…` : text;
  }, 50);
}
