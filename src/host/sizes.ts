import * as vscode from 'vscode';

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** Returns a number of bytes for people, in thousands as disks are sold. */
export function sizeText(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return new Intl.NumberFormat(vscode.env.language, {
    style: 'unit',
    unit: units[unit] ?? 'byte',
    unitDisplay: 'short',
    maximumFractionDigits: value < 10 && unit > 0 ? 1 : 0,
  }).format(value);
}

/** Says what stored copies take of what they may, and what the next one needs. */
export function storageFigure(used: number, budget: number, needed?: number): string {
  if (needed !== undefined)
    return vscode.l10n.t(
      'Copies of files take {0} of {1}, and the next one needs up to {2}',
      ...[used, budget, needed].map(sizeText),
    );
  return vscode.l10n.t('Copies of files take {0} of {1}', sizeText(used), sizeText(budget));
}
