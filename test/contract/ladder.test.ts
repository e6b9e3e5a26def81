// Imports point downwards only, whether of values, of types or on demand; rooms of one row never import each other.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Import, importsOf, parseSource, readSources } from '../../scripts/source-tree.ts';
import { repository } from '../support/support.ts';

/** The rooms of src/, lowest first; index and bin are the only files outside of a room. */
const ROWS = [
  'base',
  'skill store telemetry',
  'registry loader',
  'tools model',
  'config',
  'policy protocol audit network serve',
  'process',
  'workspace',
  'environment',
  'door',
  'agent task jobs evals distribution',
  'app',
  'index',
  'cli mcp adapter',
  'bin',
].map((row) => row.split(' '));

const SOURCES = readSources(repository);

test('every file lies in a room of the ladder, and every room has files', () => {
  const rooms = new Set(SOURCES.map(({ file }) => roomOf(file)));
  assert.deepEqual([...rooms].sort(), ROWS.flat().sort());
  assert.deepEqual(
    SOURCES.map(({ file }) => file).filter((file) => file.split('/').length === 2),
    ['src/bin.ts', 'src/index.ts'],
  );
});

test('imports of values, of types and on demand point downwards only', () => {
  assert.deepEqual(pointingUpwards(SOURCES.flatMap(importsOf)), []);
});

test('an import on demand names its file', () => {
  for (const { file, text, nodes } of SOURCES)
    for (const { type, start, end } of nodes)
      if (type === 'ImportExpression') assert.match(text.slice(start, end), /^import\('[^']+'\)$/, file);
});

test('each kind of import upwards or beside is found', () => {
  const text = `import { a } from '../skill/a.ts';
    export type { B } from '../skill/b.ts';
    type C = import('../skill/c.ts').C;
    export const d = () => import('../store/d.ts');
    import { e } from '../base/e.ts';`;
  const found = (file: string) => pointingUpwards(importsOf(parseSource(file, text)));
  assert.deepEqual(
    found('src/base/x.ts').map((line) => line.replace(/.* → /, '')),
    ['src/skill/a.ts (value)', 'src/skill/b.ts (type)', 'src/skill/c.ts (type)', 'src/store/d.ts (dynamic)'],
  );
  assert.deepEqual(found('src/skill/x.ts'), ['src/skill/x.ts → src/store/d.ts (dynamic)']);
  assert.deepEqual(found('src/loader/x.ts'), []);
});

function pointingUpwards(imports: readonly Import[]): string[] {
  const row = (file: string) => ROWS.findIndex((rooms) => rooms.includes(roomOf(file)));
  return imports
    .filter(({ from, to }) => roomOf(from) !== roomOf(to) && row(to) >= row(from))
    .map(({ from, to, kind }) => `${from} → ${to} (${kind})`);
}

function roomOf(file: string): string {
  return file.split('/')[1]?.replace(/\.ts$/, '') ?? '';
}
