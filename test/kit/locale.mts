// A language pack that translates nothing: enough for VS Code to run in a language, so that extensions show their own texts in it.
import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Installs an empty language pack for `locale` where a server looks for it. */
export async function addLanguagePack(
  dataFolder: string,
  extensionsFolder: string,
  locale: string,
): Promise<void> {
  const id = `retrace-test.language-pack-${locale}`;
  const folder = join(extensionsFolder, `${id}-1.0.0`);
  const main = join(folder, 'main.i18n.json');
  await mkdir(folder, { recursive: true });
  await writeFile(main, JSON.stringify({ version: '1.0.0', contents: {} }));
  const manifest = {
    name: `language-pack-${locale}`,
    publisher: 'retrace-test',
    version: '1.0.0',
    engines: { vscode: '*' },
    contributes: {
      localizations: [
        {
          languageId: locale,
          languageName: locale,
          translations: [{ id: 'vscode', path: './main.i18n.json' }],
        },
      ],
    },
  };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  const pack = {
    [locale]: {
      hash: createHash('md5').update(id).digest('hex'),
      extensions: [{ extensionIdentifier: { id }, version: '1.0.0' }],
      translations: { vscode: main },
      label: locale,
    },
  };
  await mkdir(join(dataFolder, 'data'), { recursive: true });
  await writeFile(join(dataFolder, 'data', 'languagepacks.json'), JSON.stringify(pack));
}
