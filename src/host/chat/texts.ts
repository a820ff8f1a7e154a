import { viewStrings } from '../../protocol/strings';
import type { ChatServices, Translate } from './services';

/** Returns the page's texts in the user's language. `language` is VS Code's. */
export function pageTexts(t: Translate, language: string): ChatServices['texts'] {
  const strings = Object.fromEntries(
    // Without arguments the places stay: the page fills them.
    Object.entries(viewStrings).map(([key, text]) => [key, t(text)]),
  );
  return { strings, language };
}
