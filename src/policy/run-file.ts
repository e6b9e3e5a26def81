// Which words of a command may name files that it runs; those files are part of what a yes or a grant is for.
import path from 'node:path';
import { Fault } from '../base/errors.ts';
import { visible } from '../base/text.ts';
import { factsFor, programName } from './command/facts.ts';
import { HARMLESS_FLAG } from './command/guard.ts';

// Read and obeyed without being named.
const IMPLIED = new Map<string, readonly string[]>([
  ['make', ['GNUmakefile', 'makefile', 'Makefile']],
  ['gmake', ['GNUmakefile', 'makefile', 'Makefile']],
  ['ninja', ['build.ninja']],
  ['cmake', ['CMakeLists.txt']],
  ['ctest', ['CTestTestfile.cmake']],
  ['just', ['justfile', 'Justfile', '.justfile']],
  ['task', ['Taskfile.yml', 'Taskfile.yaml']],
  ['rake', ['Rakefile', 'rakefile']],
  ['bundle', ['Gemfile']],
  ['npm', ['package.json']],
  ['pnpm', ['package.json']],
  ['yarn', ['package.json']],
  ['bun', ['package.json']],
  ['npx', ['package.json']],
  ['deno', ['deno.json', 'deno.jsonc']],
  ['cargo', ['Cargo.toml', 'build.rs']],
  ['go', ['go.mod']],
  ['tox', ['tox.ini']],
  ['nox', ['noxfile.py']],
  ['invoke', ['tasks.py']],
  ['pytest', ['conftest.py']],
  ['mocha', ['.mocharc.js', '.mocharc.cjs', '.mocharc.json', '.mocharc.yml', '.mocharc.yaml']],
  ['jest', ['jest.config.js', 'jest.config.mjs', 'jest.config.cjs', 'jest.config.ts', 'jest.config.json']],
  ['uv', ['pyproject.toml']],
  ['poetry', ['pyproject.toml']],
  ['hatch', ['pyproject.toml']],
  ['pipenv', ['Pipfile']],
  ['mvn', ['pom.xml']],
  ['ant', ['build.xml']],
  ['gradle', ['build.gradle', 'build.gradle.kts', 'settings.gradle', 'settings.gradle.kts']],
  ['docker', ['Dockerfile', 'compose.yaml', 'docker-compose.yml']],
]);

// What Python and Node run for a name that is no file: one of these behind it, or in the folder of that name.
const ENDINGS = '.js .mjs .cjs .json .node .ts .mts .cts .tsx .jsx'.split(' ');
const IN_FOLDER = ['__main__.py', '__main__.pyc', 'package.json', ...ENDINGS.map((ending) => `index${ending}`)];

// Each is looked for; words that change the folder again and again would multiply them without end.
const MOST_FILES = 400_000;

/** Paths as a command spells them; whether a file is there is for the caller to see. More than it runs, never fewer words. */
export function filesRunBy(argv: readonly string[]): string[] {
  const [first = '', ...words] = argv;
  const program = programName(first);
  const { kind } = factsFor(program) ?? {};
  const own = first.includes('/') ? [first] : [];
  if (kind === undefined && !IMPLIED.has(program)) return own;
  const pieces = (kind === 'interpreter' ? upToScript(words) : words).flatMap(piecesOf);
  const named = pieces.flatMap((piece, at) => [...filesNamedBy(piece), ...modulesAt(pieces, at)]);
  const files = [...new Set([...own, ...impliedBy([first, ...pieces]), ...named])];
  const folders = startFolders(pieces);
  if (files.length * folders.length > MOST_FILES) throw tooMany(first);
  return folders.flatMap((folder) => files.map((file) => below(folder, file)));
}

/** Up to the first word that is no option and no value of one: behind the script stand its arguments. */
function upToScript(words: readonly string[]): readonly string[] {
  const end = words.findIndex((word, at) => !word.startsWith('-') && !takesValue(words[at - 1] ?? ''));
  return end === -1 ? words : words.slice(0, end + 1);
}

function takesValue(previous: string): boolean {
  return previous.startsWith('-') && !HARMLESS_FLAG.test(previous) && !previous.includes('=');
}

/** The word, and in their order what stands in it between signs: `--require=./x.js`, or a line of a shell. */
function piecesOf(word: string): string[] {
  const pieces = word.split(/[\s;&|"'`()<>=,:]+/).filter((piece) => piece !== '');
  return word === '' || pieces[0] === word ? pieces : [word, ...pieces];
}

/** A launcher starts programs that obey files of their own. */
function impliedBy(pieces: readonly string[]): string[] {
  return pieces.flatMap((piece) => IMPLIED.get(programName(piece)) ?? []);
}

/** What is run for a name: the file itself, or one that Python or Node finds by it. */
export function filesNamedBy(piece: string): string[] {
  if (piece.startsWith('-')) return [piece];
  return [piece, ...ENDINGS.map((ending) => piece + ending), ...IN_FOLDER.map((name) => `${piece}/${name}`)];
}

/** `-m pk.mod`, `-Bm pk.mod` and `-mpk.mod` run the module, and before it every package around it. */
function modulesAt(pieces: readonly string[], at: number): string[] {
  const piece = pieces[at] ?? '';
  const name = /^-[A-Za-z]*m$/.test(pieces[at - 1] ?? '') ? piece : /^-[A-Za-z]*?m([A-Za-z_][\w.]*)$/.exec(piece)?.[1];
  if (name === undefined) return [];
  const parts = name.split('.');
  const packages = parts.map((_, index) => `${parts.slice(0, index + 1).join('/')}/__init__`);
  const module = parts.join('/');
  return [module, `${module}/__main__`, ...packages].flatMap((file) => [`${file}.py`, `${file}.pyc`]);
}

const CHANGES_FOLDER = /^(?:-C|-d|cd|pushd|--(?:directory|chdir|prefix|cwd|dir|working-directory|test-dir))$/;

/** Where the words may lead it before it reads a file; a second option counts from the place of the first. */
function startFolders(pieces: readonly string[]): string[] {
  const changes = pieces.flatMap((piece, at) => {
    const attached = /^-C(.+)$/.exec(piece)?.[1];
    return attached ?? (CHANGES_FOLDER.test(pieces[at - 1] ?? '') ? piece : []);
  });
  const folders = ['.'];
  for (const change of changes) folders.push(change, below(folders.at(-1) ?? '.', change));
  return [...new Set(folders)];
}

function below(folder: string, file: string): string {
  return folder === '.' || path.isAbsolute(file) ? file : path.join(folder, file);
}

function tooMany(program: string): Fault {
  const shown = visible(program);
  return new Fault(
    'Usage',
    { en: `the words of ${shown} may name too many files`, zh: `${shown} 的参数可能涉及过多文件` },
    { hint: { en: 'Put the text into a script, and run that.', zh: '请将内容写入脚本文件后运行该脚本。' } },
  );
}
