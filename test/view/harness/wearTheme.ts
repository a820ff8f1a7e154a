import themes from './themes.json';

/** Gives the page the colours and fonts of a theme, as VS Code would. */
export function wearTheme(name: string | null): void {
  const theme = (name ?? 'dark') as keyof typeof themes;
  const kinds = {
    dark: 'vscode-dark',
    light: 'vscode-light',
    'hc-dark': 'vscode-high-contrast',
    'hc-light': 'vscode-high-contrast vscode-high-contrast-light',
  };
  document.body.className = kinds[theme];
  const { style } = document.documentElement;
  for (const [key, value] of Object.entries(themes[theme])) style.setProperty(key, value);
  style.setProperty('--vscode-font-family', '"Segoe UI", "DejaVu Sans", sans-serif');
  style.setProperty('--vscode-font-size', '13px');
  style.setProperty('--vscode-editor-font-family', '"DejaVu Sans Mono", monospace');
  style.setProperty('--vscode-editor-font-size', '14px');
  style.setProperty('background', 'var(--vscode-sideBar-background)');
}
