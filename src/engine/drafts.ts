import type { Draft } from '../core/node';

/** Says whether there is nothing in a draft that could be sent. */
export function isEmptyDraft(draft: Draft): boolean {
  return draft.text.trim() === '' && draft.attachments.length === 0;
}

/** Says whether two drafts hold the same text and attachments. */
export function sameDraft(a: Draft, b: Draft): boolean {
  return a.text === b.text && JSON.stringify(a.attachments) === JSON.stringify(b.attachments);
}

/** Says whether everything in `part` is in `whole` too. */
export function holdsDraft(whole: Draft, part: Draft): boolean {
  return (
    sameDraft(whole, part) || (part.attachments.length === 0 && whole.text.includes(part.text))
  );
}

/** Puts drafts one after the other into one; empty ones leave no gap. */
export function joinDrafts(drafts: readonly Draft[]): Draft {
  const there = drafts.filter((draft) => !isEmptyDraft(draft));
  const texts = there.map(({ text }) => text).filter((text) => text.trim() !== '');
  return {
    text: texts.join('\n\n'),
    attachments: there.flatMap(({ attachments }) => attachments),
  };
}

/** Puts drafts kept aside into one, without those that are empty or already in `present` or in another of them. */
export function putTogether(
  present: Draft,
  drafts: readonly (Draft | undefined)[],
): Draft | undefined {
  let whole: Draft | undefined;
  for (const draft of drafts) {
    if (draft === undefined || isEmptyDraft(draft) || holdsDraft(present, draft)) continue;
    if (whole === undefined || holdsDraft(draft, whole)) whole = draft;
    else if (!holdsDraft(whole, draft)) whole = joinDrafts([whole, draft]);
  }
  return whole;
}
