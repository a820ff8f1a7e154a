/** What the page is made from; URIs as the webview gives them. */
export interface ChatPage {
  readonly cspSource: string;
  readonly scriptUri: string;
  readonly styleUri: string;
  readonly nonce: string;
  readonly language: string;
  readonly title: string;
}

/** Returns a name for this page's scripts that nothing else can know. */
export function createNonce(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The hash of nothing: the toolkit's one inline style is empty. */
const emptyStyle = "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='";

/** Returns the chat page. It may load its own script, style, font and images, and nothing else from anywhere. */
export function chatHtml(page: ChatPage): string {
  const { cspSource, scriptUri, styleUri, nonce, language, title } = page;
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${cspSource} ${emptyStyle}`,
    `font-src ${cspSource}`,
    `img-src ${cspSource} data:`,
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="${escaped(language)}">
  <head>
    <meta charset="UTF-8" />
    <meta http-equiv="Content-Security-Policy" content="${escaped(policy)}" />
    <meta name="viewport" content="width=device-width, initial-scale=1.0" />
    <title>${escaped(title)}</title>
    <link rel="stylesheet" href="${escaped(styleUri)}" />
  </head>
  <body>
    <script nonce="${escaped(nonce)}" src="${escaped(scriptUri)}"></script>
  </body>
</html>
`;
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
