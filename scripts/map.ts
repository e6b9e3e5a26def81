// The map in AGENTS.md: one line per source file, taken from the file's own first line.
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

const START = '<!-- map: written by `npm run docs` from the first line of each file -->';
const END = '<!-- end of map -->';

/** The page with its map brought up to date; the text around it stays. */
export function renderMap(page: string, root: string): string {
  const [before = '', rest = ''] = page.split(START);
  const after = rest.split(END)[1] ?? '\n';
  return `${before}${START}\n\n${mapOf(root)}\n\n${END}${after}`;
}

function mapOf(root: string): string {
  const files = globSync('src/**/*.ts', { cwd: root, exclude: ['src/cli/templates/**', 'src/**/*.test.ts'] }).sort(
    byFolder,
  );
  const groups = Map.groupBy(files, (file) => path.dirname(file));
  return [...groups]
    .map(([folder, inside]) => `### ${folder}/\n\n${inside.map((file) => line(root, file)).join('\n')}`)
    .join('\n\n');
}

function line(root: string, file: string): string {
  const first =
    readFileSync(path.join(root, file), 'utf8')
      .split('\n')
      .find((text) => !text.startsWith('#!')) ?? '';
  return `- \`${file}\`: ${first.replace(/^\/\/ */, '')}`;
}

function byFolder(a: string, b: string): number {
  return path.dirname(a).localeCompare(path.dirname(b)) || a.localeCompare(b);
}
