// A command reads words, calls a use case of app/ and shows its result; app/ knows no terminal.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Import,
  importsOf,
  isNode,
  parseSource,
  readSources,
  type SourceFile,
} from '../../scripts/source-tree.ts';
import { repository } from '../support/support.ts';

/** What acts comes from these rooms. */
const ROOMS = ['cli', 'app', 'base'];

/** Where the lists of words are that options offer; nothing else is taken from there. */
const WORD_LISTS = [
  'src/agent/budget.ts',
  'src/config/severity.ts',
  'src/distribution/archive/types.ts',
  'src/policy/consent/device.ts',
  'src/skill/skill.ts',
  'src/task/curate.ts',
  'src/tools/edit.ts',
  'src/tools/list.ts',
];

/** What results are made of is known by its type. */
const TYPE_ROOMS = [
  'agent',
  'audit',
  'distribution',
  'door',
  'evals',
  'jobs',
  'policy',
  'process',
  'registry',
  'skill',
  'store',
  'task',
  'tools',
];

const SOURCES = readSources(repository);
const COMMANDS = SOURCES.filter(({ file }) => file.startsWith('src/cli/command/'));
const IMPORTS = COMMANDS.flatMap(importsOf);

test('a command takes what acts from app/, base/ and its own room', () => {
  assert.deepEqual(actingBeside(IMPORTS), []);
});

test('of other rooms a command knows types and lists of words, and every one that is listed is used', () => {
  const below = IMPORTS.filter(({ to }) => !ROOMS.includes(roomOf(to)));
  const types = new Set(below.filter(({ kind }) => kind === 'type').map(({ to }) => roomOf(to)));
  assert.deepEqual([...types].toSorted(), TYPE_ROOMS);
  const used = new Set(below.filter(({ kind }) => kind === 'value').map(({ to }) => to));
  assert.deepEqual([...used].filter((file) => WORD_LISTS.includes(file)).toSorted(), WORD_LISTS);
});

test('from a list of words a command takes constants only', () => {
  assert.deepEqual(
    COMMANDS.flatMap(namesFromLists).filter((name) => !CONSTANT.test(name)),
    [],
  );
  const text = "import { CHOICES, curate, type Curation } from '../../../task/curate.ts';";
  assert.deepEqual(namesFromLists(parseSource('src/cli/command/x/x.ts', text)), ['CHOICES', 'curate']);
});

test('an import of a value that acts is found, whether at once or on demand', () => {
  const text = `import { a } from '../../../door/a.ts';
    import type { B } from '../../../door/b.ts';
    import { c } from '../../../app/c.ts';
    import { TOOLS } from '../../../tools/list.ts';
    export const d = () => import('../../../store/d.ts');`;
  assert.deepEqual(actingBeside(importsOf(parseSource('src/cli/command/x/x.ts', text))), [
    'x/x.ts → door/a.ts',
    'x/x.ts → store/d.ts',
  ]);
});

const TERMINAL = /\bprocess\.(?:stdin|stdout|stderr|exit|on|once)\b|text\/terminal\.ts/;

test('app/ reads no terminal, writes to none and ends no process', () => {
  assert.match("process.stderr.write('')", TERMINAL);
  assert.match("import { paint } from '../../base/text/terminal.ts';", TERMINAL);
  for (const { file, text } of SOURCES) if (file.startsWith('src/app/')) assert.doesNotMatch(text, TERMINAL, file);
});

function actingBeside(imports: readonly Import[]): string[] {
  const found = imports
    .filter(({ to, kind }) => kind !== 'type' && !ROOMS.includes(roomOf(to)) && !WORD_LISTS.includes(to))
    .map(({ from, to }) => `${from.replace('src/cli/command/', '')} → ${to.replace('src/', '')}`);
  return [...new Set(found)].toSorted();
}

const CONSTANT = /^[A-Z][A-Z_]*$/;

/** The names of the values that a file takes from the lists. */
function namesFromLists(source: SourceFile): string[] {
  return source.nodes
    .filter((node) => importsOf({ ...source, nodes: [node] }).some(({ to }) => WORD_LISTS.includes(to)))
    .flatMap(({ importKind, specifiers }) => (importKind === 'type' || !Array.isArray(specifiers) ? [] : specifiers))
    .filter(isNode)
    .filter(({ importKind }) => importKind !== 'type')
    .map(({ imported }) => (isNode(imported) ? String(imported.name) : '*'));
}

function roomOf(file: string): string {
  return file.split('/')[1] ?? '';
}
