// The licences of the packages that were bundled: their text has to go where their code goes.
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { OutputChunk } from 'rolldown';

const PACKAGE_FOLDER = /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;

export function renderLicenses(chunks: readonly OutputChunk[]): string {
  const folders = new Set(
    chunks.flatMap(({ modules }) =>
      Object.entries(modules)
        .filter(([, { renderedLength }]) => renderedLength > 0)
        .flatMap(([id]) => PACKAGE_FOLDER.exec(id)?.[0] ?? []),
    ),
  );
  const texts = [...folders].map((folder) => renderLicense(folder)).sort();
  return `This package holds code of these packages.\n\n${texts.join('\n')}`;
}

function renderLicense(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const [file] = globSync('{LICENSE,LICENCE,license,licence}*', { cwd: folder });
  const text = file === undefined ? `${license}\n` : readFileSync(path.join(folder, file), 'utf8');
  return `--- ${name} ${version} (${license})\n\n${text}`;
}
