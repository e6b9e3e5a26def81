// `list_dir`: what is in a folder of the project.
import type { EntryKind, FilePort } from './file/files.ts';
import { defineTool, namedWords, pathSchema } from './tool.ts';

interface ListDirResult {
  readonly path: string;
  readonly entries: { path: string; kind: EntryKind; size?: number }[];
  readonly truncated: boolean;
}

const ENTRY_LIMIT = 1000;

export const listDir = defineTool({
  name: 'list_dir',
  aliases: ['ls', 'glob', 'list', 'list_directory', 'list_files', 'find_files', 'file_search'],
  risk: 'low',
  about: 'files',
  paths: [{ name: 'path', does: ['read'], otherwise: '.' }],
  schema: (zod) =>
    zod.strictObject({
      path: pathSchema(zod, 'a folder; the project unless given').optional(),
      depth: zod.int().min(1).max(8).optional().describe('1, the folder alone, unless given'),
    }),
  view: namedWords,
  run: ({ path = '.', depth = 1 }, { files }) => listFolder(files, path, depth),
});

function listFolder(files: FilePort, path: string, depth: number): ListDirResult {
  const entries: ListDirResult['entries'] = [];
  return files.walk(path.replace(/(?<=.)\/+$/, ''), depth, (listed, shown) => {
    for (const entry of listed) {
      if (entries.length === ENTRY_LIMIT) return { path: shown, entries, truncated: true };
      const size = entry.size();
      entries.push({ path: entry.path, kind: entry.kind, ...(size !== undefined && { size }) });
    }
    return { path: shown, entries, truncated: false };
  });
}
