// Which words of a command may name files that it runs; those files are part of what a yes or a grant is for.

import { cautionFor, programName } from './command-caution.ts';
import { HARMLESS_FLAG } from './command-guard.ts';

// Read and obeyed without being named.
const IMPLIED: Readonly<Record<string, readonly string[]>> = {
  make: ['GNUmakefile', 'makefile', 'Makefile'],
  gmake: ['GNUmakefile', 'makefile', 'Makefile'],
  ninja: ['build.ninja'],
  cmake: ['CMakeLists.txt'],
  just: ['justfile', 'Justfile', '.justfile'],
  task: ['Taskfile.yml', 'Taskfile.yaml'],
  rake: ['Rakefile', 'rakefile'],
  bundle: ['Gemfile'],
  npm: ['package.json'],
  pnpm: ['package.json'],
  yarn: ['package.json'],
  bun: ['package.json'],
  npx: ['package.json'],
  deno: ['deno.json', 'deno.jsonc'],
  cargo: ['Cargo.toml', 'build.rs'],
  go: ['go.mod'],
  tox: ['tox.ini'],
  nox: ['noxfile.py'],
  invoke: ['tasks.py'],
  pytest: ['conftest.py'],
  docker: ['Dockerfile', 'compose.yaml', 'docker-compose.yml'],
};

/** Paths as a command spells them; whether a file is there is for the caller to see. More than it runs, never fewer words. */
export function filesRunBy(argv: readonly string[]): string[] {
  const [first = '', ...words] = argv;
  const program = programName(first);
  const own = first.includes('/') ? [first] : [];
  const implied = IMPLIED[program];
  const { kind } = cautionFor(program) ?? {};
  if (kind === 'interpreter') return [...own, ...namedBefore(words, program)];
  if (kind !== undefined || implied) return [...own, ...(implied ?? []), ...words.flatMap(piecesOf)];
  return own;
}

/** Up to the first word that is no option and no value of one: behind the script stand its arguments. */
function namedBefore(words: readonly string[], program: string): string[] {
  const end = words.findIndex((word, at) => !word.startsWith('-') && !takesValue(words[at - 1] ?? ''));
  const before = end === -1 ? words : words.slice(0, end + 1);
  const isPython = /^(?:i?python|pypy)/.test(program);
  return before.flatMap((word, at) => [
    ...piecesOf(word),
    ...(isPython && before[at - 1] === '-m' ? modulesOf(word) : []),
  ]);
}

function takesValue(previous: string): boolean {
  return previous.startsWith('-') && !HARMLESS_FLAG.test(previous) && !previous.includes('=');
}

/** The word, and what stands in it between signs: `--require=./x.js`, or a line of a shell. */
function piecesOf(word: string): string[] {
  return [...new Set([word, ...word.split(/[\s;&|"'`()<>=,:]+/)])].filter((piece) => piece !== '');
}

function modulesOf(name: string): string[] {
  const folder = name.replaceAll('.', '/');
  return [`${folder}.py`, `${folder}/__main__.py`, `${folder}/__init__.py`];
}
