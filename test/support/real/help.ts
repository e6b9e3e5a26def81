// Finds the scripts of all skills that are meant to be started, for the sake of their `--help`.
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { RealCase } from './case.ts';

const MEANT_TO_START = /^#!|__name__ *== *["']__main__|argparse|process\.argv|import\.meta\.main/;

/** Some do their work whatever they are asked: they tell the time, how long it took, how fast it was, and random names. */
const VARIES = [
  /\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d/g,
  /\b\d{8}-\d{6}-\d{9}---help-\d+/g,
  /\btmp\.\w{10}\b/g,
  /\b\d+\.\d+ ?m?s\b/g,
  /\b[\d,]+ rows\/sec/g,
];

export function helpCases(root: string): RealCase[] {
  const found = globSync('**/*.{py,sh,js,mjs,ts}', { cwd: root, exclude: ['**/node_modules/**', '**/.git/**'] }).sort();
  return found.flatMap((file) => {
    const skill = skillOf(root, file);
    if (!skill || /(^|\/)(test_|conftest)|\.test\.|\.d\.ts$/.test(file)) return [];
    if (!MEANT_TO_START.test(readFileSync(path.join(root, file), 'utf8'))) return [];
    const steps = [{ script: path.relative(skill, file), args: ['--help'] }];
    return [{ name: file, skill, steps, varies: VARIES }];
  });
}

/** The innermost folder around a file that has a SKILL.md. */
function skillOf(root: string, file: string): string | undefined {
  let folder = path.dirname(file);
  while (folder !== '.') {
    if (existsSync(path.join(root, folder, 'SKILL.md'))) return folder;
    folder = path.dirname(folder);
  }
  return undefined;
}
