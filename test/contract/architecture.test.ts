// The house as it was drawn: who may start processes, who may write, and a map that is true.
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { VERSION } from '../../src/base/version.ts';
import { repository } from '../support/support.ts';
import { findUnusedOptions } from '../support/unused-options.ts';

const SOURCES = globSync('src/**/*.ts', { cwd: repository }).filter(
  (file) => !file.endsWith('.test.ts') && !file.includes('/templates/'),
);
const source = (file: string) => readFileSync(path.join(repository, file), 'utf8');

/** Modules that write our own state outside the store, through base/files.ts or because they are it. */
const WRITERS = new Set<string>(
  JSON.parse(readFileSync(path.join(import.meta.dirname, 'writers.json'), 'utf8')) as string[],
);
const WRITING =
  /\b(writeFile|appendFile|mkdir|rename|rm|unlink|symlink|link|copyFile|cp|chmod|chown|utimes|truncate|write)(Sync)?\b/;

test('child_process is used in process/ only', () => {
  const users = SOURCES.filter((file) => /['"](node:)?child_process['"]/.test(source(file)));
  assert.ok(users.length > 0);
  for (const file of users) assert.ok(file.startsWith('src/process/'), file);
});

test('nothing asks for a shell', () => {
  for (const file of SOURCES) assert.doesNotMatch(source(file), /shell:\s*true/, file);
});

test('the file system is written by listed modules only', () => {
  const writers = SOURCES.filter((file) => writesFiles(file, source(file)));
  for (const file of writers)
    assert.ok(WRITERS.has(file), `${file} writes files but is not listed in test/contract/writers.json`);
  for (const file of WRITERS)
    assert.ok(writers.includes(file), `${file} is listed in test/contract/writers.json but writes nothing`);
});

test('process.exit stands in bin.ts only, and in the kit that is the main program of a skill', () => {
  for (const file of SOURCES) {
    if (file !== 'src/bin.ts' && file !== 'src/protocol/sdk/define-skill.ts')
      assert.doesNotMatch(source(file), /process\.exit\(/, file);
  }
});

test('the version is a module that package.json agrees with, and nothing looks for a package.json at run time', () => {
  const { version } = JSON.parse(source('package.json'));
  assert.equal(VERSION, version, 'src/base/version.ts');
  const looking = /\b(?:import|from|require|resolve|readFile|existsSync|statSync)\w*\b[^;\n]*\bpackage\.json/;
  assert.match("import about from '../package.json' with { type: 'json' };", looking);
  assert.match("while (!existsSync(path.join(folder, 'package.json')))", looking);
  for (const file of SOURCES) assert.doesNotMatch(source(file), looking, file);
});

test('neither database adapter loads the other', () => {
  const loadedBy = (file: string, seen = new Set<string>()): Set<string> => {
    if (seen.has(file) || !file.startsWith('src/store/')) return seen;
    seen.add(file);
    for (const [, name = ''] of source(file).matchAll(/import (?!type)[^;]+? from '(\.[^']+)'/g))
      loadedBy(path.posix.join(path.posix.dirname(file), name), seen);
    return seen;
  };
  for (const [own, other] of [
    ['src/store/sqlite/', 'src/store/postgres/'],
    ['src/store/postgres/', 'src/store/sqlite/'],
  ] as const) {
    const files = SOURCES.filter((file) => file.startsWith(own));
    assert.ok(files.length > 5, own);
    for (const file of files)
      for (const loaded of loadedBy(file)) assert.ok(!loaded.startsWith(other), `${file} loads ${loaded}`);
  }
});

test('002-17 docs/map.md has one line for every source file and for no other, and AGENTS.md names every room', () => {
  const map = source('docs/map.md');
  const mapped = new Set([...map.matchAll(/^- `(src\/[^`]+\.ts)`: \S/gm)].map((match) => match[1] ?? ''));
  for (const file of SOURCES) assert.ok(mapped.has(file), `${file} is missing in docs/map.md`);
  for (const file of mapped) assert.ok(SOURCES.includes(file), `${file} is in docs/map.md but not in the tree`);
  const rooms = new Set(SOURCES.map((file) => file.split('/').slice(1, -1)[0]).filter((room) => room !== undefined));
  const named = [...source('AGENTS.md').matchAll(/^\| `(\w+)\/` \|/gm)].map((match) => match[1]);
  assert.deepEqual(named.sort(), [...rooms].sort());
  for (const [, file = ''] of source('AGENTS.md').matchAll(/`((?:src|test|scripts)\/[\w./-]+)`/g))
    assert.ok(existsSync(path.join(repository, file)), `AGENTS.md names ${file}, which is not there`);
});

/** What shipped code never gives, and why that is no way around a check: data, an interface for users, or a value. */
const GIVEN_ELSEWHERE: Readonly<Record<string, string>> = {
  'src/model/offline/choose.ts chooseSkills margin': 'value',
  'src/cli/frame/global-options.ts isTTY': 'data',
  'src/cli/view/run-trace.ts openTrace now': 'value: time',
  'src/evals/statistics.ts bootstrapMean resamples': 'value',
  'src/evals/statistics.ts pairedBootstrap seed': 'value',
  'src/app/execute-skill.ts executeSkill options': 'interface',
  'src/jobs/schedule.ts readSchedules now': 'value: time',
  'src/loader/catalog.ts describeCut budget': 'value',
  'src/process/sandbox/host.ts findTrusted folders': 'value: where programs lie',
  'src/process/sandbox/host.ts findTrusted owner': 'value: who owns them',
  'src/process/work-folder.ts openWorkFolder now': 'value: time',
  'src/config/project-folder.ts findProject user': 'value',
  'src/registry/rank/file.ts deserializeRankIndex settings': 'value',
  'src/skill/digest.ts digestSkill limits': 'value',
  'src/store/sqlite/migrate.ts migrate migrations': 'value',
  'src/store/sqlite/queue.ts openQueue options': 'value: time',
  'src/task/flight.ts createFlightControl options': 'value: time',
  'src/model/provider/given-sdk.ts openGivenSdkModel pace': 'value: time',
  'src/adapter/ai-sdk.ts skillTools options': 'by programs that use the package',
  'src/adapter/mastra.ts skillTools options': 'by programs that use the package',
  'src/adapter/openai-agents.ts skillTools options': 'by programs that use the package',
  'src/app/library/public/jobs.ts onLog': 'by programs that use the package',
};

test('no shipped function has an off switch that only tests use', () => {
  const unused = findUnusedOptions(SOURCES.map((file) => ({ file, text: source(file) })));
  assert.deepEqual(
    unused.filter((option) => !Object.hasOwn(GIVEN_ELSEWHERE, option)),
    [],
    'only tests give these: a control changes the source (test/support/changed/changed-source.ts); a value is listed here',
  );
  for (const option of Object.keys(GIVEN_ELSEWHERE)) assert.ok(unused.includes(option), `${option} is not unused`);
  const words = /positive control|\btests? only\b|\bonly (?:a |where a |in |for )?tests?\b|\bthe test that\b/i;
  for (const file of SOURCES) assert.doesNotMatch(source(file), words, file);
});

test('an off switch is found as parameter, as field and under a harmless name', () => {
  const text = `
    export interface Options { readonly verify?: boolean; readonly links?: 'refuse' | 'follow'; readonly size?: number }
    export function read(text: string, { verify = true }: Options = {}, show = visible): string { return text; }
    export function used(text: string, careful = true): string { return text; }
    used('x', false);`;
  assert.deepEqual(findUnusedOptions([{ file: 'a.ts', text }]), [
    'a.ts links',
    'a.ts read show',
    'a.ts read { verify = true }',
    'a.ts verify',
  ]);
});

/** Through Node's own functions, or through those of base/files.ts and base/open-file.ts. */
function writesFiles(file: string, text: string): boolean {
  const imports = [...text.matchAll(/import (?!type)([^;]+?) from '([^']+)'/g)];
  return imports.some(([, names = '', from = '']) => {
    if (from === 'node:fs' || from === 'node:fs/promises') return WRITING.test(names) || callsWriter(names, text);
    return ['src/base/files.ts', 'src/base/open-file.ts'].includes(path.posix.join(path.posix.dirname(file), from));
  });
}

function callsWriter(names: string, text: string): boolean {
  const whole = /^(?:\* as )?(\w+)$/.exec(names.trim())?.[1];
  return whole !== undefined && new RegExp(`\\b${whole}\\.${WRITING.source.slice(2)}`).test(text);
}
