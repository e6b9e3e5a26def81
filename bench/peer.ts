// Where the commands under measurement lie.
import { readFileSync } from 'node:fs';
import path from 'node:path';

export function skillwright(root: string): string {
  return path.join(root, 'dist', 'cli.cjs');
}

/** The entry script of an installed peer, so that all of them start under the same Node. */
export function peer(root: string, name: 'skills' | 'openskills' | 'skills-ref'): string {
  const folder = path.join(root, 'bench', 'node_modules', name);
  const { bin } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as {
    bin: Record<string, string>;
  };
  return path.join(folder, bin[name] ?? '');
}
