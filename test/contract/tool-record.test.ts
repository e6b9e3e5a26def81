// A tool is one record: a new file and its line in the list, and policy, grants, explain, settings and prompt know it.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { importsOf, parseSource, readSources } from '../../scripts/source-tree.ts';
import { readRecords } from '../../src/audit/verify.ts';
import { TOOLS } from '../../src/tools/list.ts';
import { copyFile } from '../fixtures/tools/copy-file.ts';
import { answer, makeWorld, plant, readText, select, skillFile, tool, type World } from '../support/agent-support.ts';
import type { Change } from '../support/changed/change.ts';
import { repository, runCli } from '../support/support.ts';

const SOURCES = readSources(repository);
const LIST = 'src/tools/list.ts';
const ADDED: readonly Change[] = [
  {
    file: LIST,
    from: "import { deleteFile } from './delete-file.ts';",
    to: "import { copyFile } from '../../test/fixtures/tools/copy-file.ts'; import { deleteFile } from './delete-file.ts';",
  },
  { file: LIST, from: 'export const TOOLS = [', to: 'export const TOOLS = [copyFile,' },
];

async function json(world: World, args: readonly string[], change: readonly Change[] = ADDED) {
  const ran = await runCli([...args, '--json'], { cwd: world.project, home: world.home, change });
  return JSON.parse(ran.stdout);
}

test('a tool that one file adds is decided, granted, explained, shown to the model and run', async (t) => {
  const world = makeWorld(t, {
    ...skillFile('keeper', 'allowed-tools: copy_file(notes/**)\n'),
    'notes/a.md': 'a',
    'src/code.ts': 'code',
  });
  const unknown = await json(world, ['explain', 'keeper', 'copy_file', 'notes/a.md', 'notes/b.md'], []);
  assert.match(unknown.summary, new RegExp(`unknown tool: ${copyFile.name}`));
  const explain = async (...words: string[]) => (await json(world, ['explain', 'keeper', ...words])).data;
  assert.deepEqual((await explain('cp', 'notes/a.md', 'notes/b.md')).effect, 'ask');
  assert.deepEqual((await explain('copy_file', 'src/code.ts', 'notes/b.md')).effect, 'deny');
  assert.deepEqual((await explain('copy_file', 'notes/a.md', 'src/b.md')).effect, 'deny');
  const granted = await json(world, ['grants', 'add', 'keeper', '--tool', 'duplicate', '--pattern', 'notes/**']);
  assert.deepEqual([granted.data.what, granted.data.writes], ['copy_file(notes/**)', true]);
  const calls = [
    tool('copy_file', { source: 'notes/a.md', target: 'notes/b.md' }, 'keeper'),
    tool('copy_file', { source: 'src/code.ts', target: 'notes/c.md' }, 'keeper'),
    tool('copy_file', { source: 'notes/a.md', target: 'src/b.md' }, 'keeper'),
  ];
  writeFileSync(path.join(world.home, 'case.json'), JSON.stringify([select('keeper'), ...calls, answer('done')]));
  const ran = await json(world, ['run', 'copy', '--model', `mock:${path.join(world.home, 'case.json')}`]);
  assert.equal(readFileSync(path.join(world.project, 'notes/b.md'), 'utf8'), 'a');
  assert.ok(!existsSync(path.join(world.project, 'notes/c.md')) && !existsSync(path.join(world.project, 'src/b.md')));
  const folder = String(ran.data.record);
  const [prompt] = readRecords(folder).flatMap((event) => (event.type === 'model' ? [event.prompt] : []));
  assert.ok(prompt);
  assert.match(readText(folder, prompt), /^ {2}- copy_file \{source, target\}: at most one kilobyte$/m);
  plant(world.home, { '.agent/config.json': '{"execution":{"denied":["copy_file"]}}' });
  assert.match(JSON.stringify(await explain('copy_file', 'notes/a.md', 'notes/b.md')), /execution\.denied: copy_file/);
});

test('nothing outside of src/tools names a tool', () => {
  // `run_script` and `run_command` are also kinds of calls and actions of the model, and `grep` is a program.
  const names = new Set(TOOLS.map(({ name }) => name as string).filter((name) => !/^run_|^grep$/.test(name)));
  const namedIn = ({ file, nodes }: ReturnType<typeof parseSource>) =>
    nodes.flatMap((node) =>
      node.type === 'Literal' && typeof node.value === 'string' && names.has(node.value)
        ? [`${file}: ${node.value}`]
        : [],
    );
  assert.deepEqual(namedIn(parseSource('src/x.ts', "if (tool === 'write_file') stop();")), ['src/x.ts: write_file']);
  const found = SOURCES.filter(({ file }) => !file.startsWith('src/tools/')).flatMap(namedIn);
  // The settings that a new project begins with are a text for people.
  assert.deepEqual(found, ['src/app/project/init.ts: write_file']);
});

test('whoever reads the facts of tools loads neither what runs them nor a package', () => {
  const sources = new Map(SOURCES.map((source) => [source.file, source]));
  const loaded = new Set<string>([LIST]);
  for (const file of loaded) {
    const source = sources.get(file) ?? assert.fail(file);
    for (const { kind, to } of importsOf(source)) if (kind === 'value') loaded.add(to);
    assert.doesNotMatch(source.text, /^import (?!type )[^;]* from '(?!\.|node:)/m, file);
  }
  assert.ok(loaded.has('src/tools/grep.ts'));
  const helpers = ['src/tools/edit-schema.ts', LIST, 'src/tools/tool.ts'];
  const records = TOOLS.map(({ name }) => `src/tools/${name.replaceAll('_', '-')}.ts`);
  const inRoom = [...loaded].filter((file) => !file.startsWith('src/base/'));
  assert.deepEqual(inRoom.toSorted(), [...helpers, ...records].toSorted());
});
