// The texts people read, gathered from the source, and the bundles that VS Code takes their translations from.
//
// `l10n.mts` writes the English bundle and tells what a translation lacks; `--check` writes nothing.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { root } from './run.mts';

export type Bundle = Readonly<Record<string, string>>;

export interface Gathered {
  readonly texts: ReadonlySet<string>;
  /** Where something other than a fixed text is translated, which no bundle can hold. */
  readonly unknown: readonly string[];
}

/** Calls that put their first argument into the user's language, now or when it is shown. */
const translators = new Set(['t', 'storageError', 'told']);
/** Made with a text that is translated when it is shown, and which argument that is. */
const classes = new Map([
  ['RetraceError', 1],
  ['Phrase', 0],
]);
/** Functions that return a text which is translated when it is shown. */
const sources = new Set(['whyReadOnly']);
/** Where texts are only passed on: they are gathered where they are written. */
const passOn = new Set([
  'src/engine/errors.ts',
  'src/engine/store/sessionStore.ts',
  'src/engine/store/storageError.ts',
  'src/host/commandPower.ts',
  'src/host/services.ts',
  'src/host/loadAgent.ts',
]);
/** The page's texts, which the host translates. */
const pageStrings = 'src/protocol/strings.ts';

/** Gathers every text of src that is put into the user's language. */
export function gatherTexts(): Gathered {
  const texts = new Set<string>();
  const unknown: string[] = [];
  const names = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .map((name) => `src/${name.replaceAll('\\', '/')}`)
    .filter((name) => name.endsWith('.ts'))
    .sort();
  for (const name of names) {
    const source = ts.createSourceFile(
      name,
      readFileSync(join(root, name), 'utf8'),
      ts.ScriptTarget.Latest,
      true,
    );
    const found = name === pageStrings ? pageTexts(source) : translated(source);
    for (const node of found) {
      const known = fixedTexts(node, source);
      if (known !== undefined) for (const text of known.filter(hasWords)) texts.add(text);
      else if (!passOn.has(name)) unknown.push(`${name}: ${node.getText(source)}`);
    }
  }
  return { texts, unknown };
}

/** Returns what a source hands over to be translated. */
function translated(source: ts.SourceFile): ts.Expression[] {
  const found: ts.Expression[] = [];
  const visit = (node: ts.Node): void => {
    const argument = ts.isCallExpression(node)
      ? translatedByCall(node)
      : ts.isNewExpression(node) && ts.isIdentifier(node.expression)
        ? node.arguments?.[classes.get(node.expression.text) ?? Number.NaN]
        : undefined;
    if (argument !== undefined) found.push(argument);
    if (ts.isFunctionDeclaration(node) && sources.has(node.name?.text ?? ''))
      found.push(...returned(node));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Returns the fixed texts a function returns, below its branches too. */
function returned(within: ts.Node): ts.Expression[] {
  const found: ts.Expression[] = [];
  const visit = (node: ts.Node): void => {
    const value = ts.isReturnStatement(node) ? node.expression : undefined;
    if (value !== undefined && ts.isStringLiteralLike(value)) found.push(value);
    ts.forEachChild(node, visit);
  };
  visit(within);
  return found;
}

function translatedByCall(call: ts.CallExpression): ts.Expression | undefined {
  const { expression: callee, arguments: given } = call;
  const byMember = ts.isPropertyAccessExpression(callee) && callee.name.text === 't';
  const byName = ts.isIdentifier(callee) && translators.has(callee.text);
  return byMember || byName ? given[0] : undefined;
}

function pageTexts(source: ts.SourceFile): ts.Expression[] {
  const table = declared('viewStrings', source);
  return table === undefined ? [] : [table];
}

/**
 * Returns the texts an expression can come to: itself, the branches of a choice, the values of a table. Nothing for a
 * call, which gathers its own; undefined for what cannot be known from the source.
 */
function fixedTexts(node: ts.Expression, source: ts.SourceFile): string[] | undefined {
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (ts.isCallExpression(node)) return [];
  if (
    ts.isParenthesizedExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isSatisfiesExpression(node)
  )
    return fixedTexts(node.expression, source);
  if (ts.isConditionalExpression(node)) return all([node.whenTrue, node.whenFalse], source);
  if (ts.isElementAccessExpression(node) && ts.isIdentifier(node.expression)) {
    const table = declared(node.expression.text, source);
    return table === undefined ? undefined : fixedTexts(table, source);
  }
  if (ts.isObjectLiteralExpression(node)) {
    const values = node.properties.map((property) =>
      ts.isPropertyAssignment(property) ? property.initializer : undefined,
    );
    return values.every((value) => value !== undefined) ? all(values, source) : undefined;
  }
  return undefined;
}

function all(nodes: readonly ts.Expression[], source: ts.SourceFile): string[] | undefined {
  const texts = nodes.map((node) => fixedTexts(node, source));
  return texts.every((text) => text !== undefined) ? texts.flat() : undefined;
}

/** Returns what a name of the top of a file was given. */
function declared(name: string, source: ts.SourceFile): ts.Expression | undefined {
  return source.statements
    .filter(ts.isVariableStatement)
    .flatMap((statement) => [...statement.declarationList.declarations])
    .find((one) => ts.isIdentifier(one.name) && one.name.text === name)?.initializer;
}

export const englishFile = 'l10n/bundle.l10n.json';

/** Returns the English bundle as it should be: each text under itself. */
export function englishBundle({ texts }: Gathered): string {
  return written(Object.fromEntries([...texts].map((text) => [text, text])));
}

/** Returns the languages there are translations for. */
export function translations(): string[] {
  return readdirSync(join(root, 'l10n')).flatMap((name) => {
    const [, language] = /^bundle\.l10n\.([\w-]+)\.json$/u.exec(name) ?? [];
    return language === undefined ? [] : [language];
  });
}

export function readBundle(language: string): Bundle {
  return JSON.parse(readFileSync(join(root, bundleFile(language)), 'utf8')) as Bundle;
}

function bundleFile(language: string): string {
  return `l10n/bundle.l10n.${language}.json`;
}

/** Says what is wrong with a translation: texts it lacks, texts nobody shows, places that are not the original's. */
export function translationProblems({ texts }: Gathered, bundle: Bundle): string[] {
  const missing = [...texts].filter((text) => (bundle[text] ?? '') === '');
  const unused = Object.keys(bundle).filter((text) => !texts.has(text));
  const wrong = Object.entries(bundle).filter(([text, own]) => places(text) !== places(own));
  return [
    ...missing.map((text) => `is missing: ${text}`),
    ...unused.map((text) => `is not used: ${text}`),
    ...wrong.map(([text]) => `has other places: ${text}`),
  ];
}

/** One place for an argument and nothing else is nothing to translate. */
function hasWords(text: string): boolean {
  return text.replace(/\{\d\}/gu, '') !== '';
}

function places(text: string): string {
  return [...new Set(text.match(/\{\d\}/gu))].sort().join();
}

function written(bundle: Bundle): string {
  const sorted = Object.entries(bundle).sort(([a], [b]) => (a < b ? -1 : 1));
  return `${JSON.stringify(Object.fromEntries(sorted), undefined, 2)}\n`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const gathered = gatherTexts();
  const problems = gathered.unknown.map((where) => `No fixed text: ${where}`);
  if (!process.argv.includes('--check'))
    writeFileSync(join(root, englishFile), englishBundle(gathered));
  for (const language of translations()) {
    const bundle = readBundle(language);
    problems.push(
      ...translationProblems(gathered, bundle).map((problem) => `${language} ${problem}`),
    );
    if (!process.argv.includes('--check'))
      writeFileSync(join(root, bundleFile(language)), written(bundle));
  }
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
