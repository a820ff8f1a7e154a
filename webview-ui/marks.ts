/** Names of the highlights, which the style sheet colours. */
const names = { all: 'found', current: 'found-now' } as const;
/** More places than these in sight would only slow the page down. */
const most = 2_000;

/** Marks places in the transcript by the browser's own highlights: nothing that is drawn is changed. */
export const marks = {
  /** Marks a text wherever it is drawn in messages, those of one message more strongly; an empty one nowhere. */
  show(text: string, messageId: string | undefined): void {
    CSS.highlights.delete(names.all);
    CSS.highlights.delete(names.current);
    if (text === '') return;
    const [all, current] = [new Highlight(), new Highlight()];
    let left = most;
    for (const article of document.querySelectorAll<HTMLElement>('article[data-message]')) {
      const into = article.dataset['message'] === messageId ? current : all;
      for (const range of rangesIn(article, text.toLowerCase())) {
        into.add(range);
        left -= 1;
        if (left === 0) break;
      }
      if (left === 0) break;
    }
    CSS.highlights.set(names.all, all);
    CSS.highlights.set(names.current, current);
  },
};

function* rangesIn(root: HTMLElement, wanted: string): Generator<Range> {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const text = (node.nodeValue ?? '').toLowerCase();
    for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) {
      // Some letters change their length with their case: such a place cannot be told.
      if (at + wanted.length > (node.nodeValue ?? '').length) break;
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + wanted.length);
      yield range;
    }
  }
}
