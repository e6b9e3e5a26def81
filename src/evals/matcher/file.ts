// `file_exists` and `file_matches`: files that the run wrote, and their content.
// The whole module for globSync: where an older Node lacks that name, a named import would fail to load.
import fs, { statSync } from 'node:fs';
import path from 'node:path';
import { isInside, realPath } from '../../base/paths.ts';
import { readTextIfThere } from '../../base/read-file.ts';
import type { MatcherKind, WrittenEntry } from './kind.ts';
import type { FileExists, FileMatches } from './plain-form.ts';
import { relativePath } from './written.ts';

export const fileExists: MatcherKind<FileExists, string> = {
  name: 'file_exists',
  ofText: false,
  schema: relativePath,
  plain: (file) => [{ kind: 'file_exists', path: file }],
  describe: ({ path: name }) => `file_exists ${name}`,
  async match({ path: name }, { folder }) {
    const ok = findFiles(name, folder).length > 0;
    return { ok, message: `no file ${name}` };
  },
};

export const fileMatches: MatcherKind<FileMatches, WrittenEntry & { path: string }> = {
  name: 'file_matches',
  ofText: false,
  schema: (z, others) => z.strictObject({ path: relativePath(z), ...others.shape(z) }),
  plain: ({ path: name, ...entry }, _, others) =>
    others.plain(entry).map((of) => ({ kind: 'file_matches', path: name, of })),
  describe: ({ path: name, of }, others) => `file_matches ${name}: ${others.describe(of)}`,
  async match({ path: name, of }, { folder }, others) {
    const files = findFiles(name, folder);
    if (files.length === 0) return { ok: false, message: `no file ${name}` };
    let last = '';
    for (const file of files) {
      const matched = await others.match(of, { text: readTextIfThere(file) ?? '', isFile: true });
      if (matched.ok) return matched;
      last = matched.message;
    }
    return { ok: false, message: `${name} ${last}` };
  },
};

/** A name or a pattern with `*`; nothing outside the folder of the run is read. */
function findFiles(name: string, folder: string | undefined): string[] {
  if (folder === undefined) return [];
  const root = realPath(folder) ?? folder;
  const names = name.includes('*') ? fs.globSync(name, { cwd: root }) : [name];
  return names
    .map((one) => realPath(path.join(root, one)))
    .filter((file) => file !== undefined && isInside(root, file) && statSync(file).isFile())
    .map(String)
    .sort();
}
