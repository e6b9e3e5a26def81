// docs/map.md: one line per source file, taken from the file's own first line.
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

export function renderMap(root: string, notice: string): string {
  const files = globSync('src/**/*.ts', { cwd: root, exclude: ['src/cli/templates/**', 'src/**/*.test.ts'] }).sort(
    byFolder,
  );
  const groups = [...Map.groupBy(files, (file) => path.dirname(file))].map(
    ([folder, inside]) => `## ${folder}/\n\n${inside.map((file) => line(root, file)).join('\n')}`,
  );
  return `${['# Map of the source', notice, ...groups].join('\n\n')}\n`;
}

/** The first comment of the file, however many lines it takes. */
function line(root: string, file: string): string {
  const text = readFileSync(path.join(root, file), 'utf8').replace(/^#!.*\n/, '');
  const comment = /^(?:\/\/.*\n)+/.exec(text)?.[0] ?? '';
  const [said = ''] = comment.replace(/^\/\/ ?/gm, '').split('\n\n');
  return `- \`${file}\`: ${said.trim().replaceAll('\n', ' ')}`;
}

function byFolder(a: string, b: string): number {
  return path.dirname(a).localeCompare(path.dirname(b)) || a.localeCompare(b);
}
