import {
  provideVSCodeDesignSystem,
  vsCodeButton,
  vsCodeCheckbox,
  vsCodeDivider,
  vsCodeProgressRing,
  vsCodeTextField,
} from '@vscode/webview-ui-toolkit';

/**
 * Registers the elements the page uses, each by name so that the others stay out of the bundle. Dropdown, tag and badge
 * are not among them: their templates have inline styles that the page's policy refuses and that no hash can allow.
 */
export function registerToolkit(): void {
  provideVSCodeDesignSystem().register(
    vsCodeButton(),
    vsCodeCheckbox(),
    vsCodeDivider(),
    vsCodeProgressRing(),
    vsCodeTextField(),
  );
}
