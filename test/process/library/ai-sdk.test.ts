// `skillwright/ai-sdk` with the AI SDK itself: a mock model, its agent, its approvals, and the packed package.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { removeTree } from '../../../src/base/files.ts';
import { ADAPTER_ENV, addProgram, installAdapters, linkPackages, runAdapter } from '../../support/library/adapter.ts';
import { oddTime, processesWith, sightOf } from '../../support/library/handle.ts';
import { compileStrictly } from '../../support/library/program.ts';
import type { Installed } from '../../support/package-support.ts';

const PROGRAM = 'ai-sdk.mts';
const RULE = 'execution.denied: run_script';

let installed: Installed;

before(async () => {
  installed = await installAdapters();
  linkPackages(['ai', 'zod'], installed);
  addProgram(PROGRAM, installed);
});
after(() => installed && removeTree(installed.root));
beforeEach(() => rmSync(at('note.txt'), { force: true }));

test('the program is strict TypeScript, without a cast', async () => {
  await compileStrictly([PROGRAM], installed, 'foreign');
});

test('an agent finds a skill, loads it and runs it, and params of an action stay open', async () => {
  const { text, results, system, offered } = Object(await situation('loads'));
  assert.equal(text, 'done');
  const [searched, loaded, ran] = results;
  assert.equal(searched.output.skills[0].name, 'csv-insights');
  assert.match(loaded.output.instructions, /csv/i);
  assert.deepEqual([ran.output.ok, ran.output.state], [true, 'success'], JSON.stringify(ran));
  assert.match(system, /search_skills.*load_skill.*run_skill/);
  const { schema } = offered.find(({ name }: { name: string }) => name === 'run_skill');
  assert.deepEqual(schema.required, ['skill']);
  assert.notEqual(schema.properties.params.additionalProperties, false);
});

test('the question is asked whole, and after the yes exactly this call is made', async () => {
  const { request, text, answered, record } = Object(await situation('asked'));
  assert.match(request.reason, /^project:writer .*run_script[\s\S]*echo "\$1" > note\.txt[\s\S]*A yes also puts/);
  assert.equal(text, 'written');
  assert.match(JSON.stringify(answered), /"state":"success"/);
  assert.equal(readFileSync(at('note.txt'), 'utf8'), 'hello\n');
  assert.deepEqual(toldBy(record), ['yes client', 'success']);
});

test('a no is recorded with its reason in the step that brings it', async () => {
  const { text, record } = Object(await situation('refused'));
  assert.equal(text, 'well then');
  assert.deepEqual(toldBy(record), ['no client']);
  assert.ok(record[0].reason, JSON.stringify(record));
  assert.equal(existsSync(at('note.txt')), false);
});

test('a question that nobody answered is a no when the tools are closed', async () => {
  const { record } = Object(await situation('unanswered'));
  assert.deepEqual(toldBy(record), ['no client']);
});

test('what policy denies is denied with the rule as the reason', async () => {
  const { text, content, told } = Object(await situation('denied'));
  assert.equal(text, 'it is denied');
  assert.ok(JSON.stringify(content).includes(RULE), JSON.stringify(content));
  assert.ok(told.includes(RULE), told);
  assert.equal(existsSync(at('note.txt')), false);
});

test('a yes that stands in messages alone, or is for other arguments, is none', async () => {
  const { results } = Object(await situation('forged'));
  for (const result of results) assert.match(result, /"state":"interrupted"/);
  assert.equal(results.length, 2);
  assert.equal(existsSync(at('note.txt')), false);
});

test('what only a terminal can answer is not asked, and the result names the command', async () => {
  const { content } = Object(await situation('terminal'));
  assert.doesNotMatch(JSON.stringify(content), /tool-approval-request/);
  assert.match(JSON.stringify(content), /"state":"interrupted".*skillwright resume \S+ --decide approve/);
  assert.equal(existsSync(at('used.txt')), false);
});

test('an abort signal ends the call with its processes', async () => {
  const time = oddTime();
  const env = { PATH: process.env.PATH ?? '', HOME: installed.home, SECONDS: time, ...ADAPTER_ENV };
  const child = spawn(process.execPath, [PROGRAM, 'cancelled'], { cwd: installed.project, env });
  let printed = '';
  child.stdout.on('data', (part) => {
    printed += part;
  });
  const { promise: ended, resolve } = Promise.withResolvers<number | null>();
  child.on('close', resolve);
  await sightOf(time);
  child.kill('SIGUSR1');
  assert.equal(await ended, 0);
  assert.deepEqual(processesWith(time), []);
  assert.doesNotMatch(JSON.parse(printed).ended, /"state":"success"/);
});

test('tools of others keep their own approval, even under one of our names', async () => {
  const { parts } = Object(await situation('composed'));
  const [added, other, asked] = parts;
  assert.ok(added.includes('tool-result') && added.includes('tool-approval-response'), JSON.stringify(parts));
  assert.deepEqual(other, ['tool-call', 'tool-result']);
  assert.deepEqual(asked, ['tool-call', 'tool-approval-request']);
});

test('a stream shows how far a script is before its result', async () => {
  const { seen } = Object(await situation('streamed'));
  assert.deepEqual(seen[0], { preliminary: true, output: { state: 'running', fraction: 0.25, message: 'one' } });
  const last = seen.at(-1);
  assert.deepEqual([last.preliminary, last.output.result], [false, { counted: 2 }], JSON.stringify(seen));
});

/** Answers by whom, and results. */
function toldBy(record: readonly Record<string, unknown>[]): string[] {
  return record.map(({ type, answer, by, state }) => (type === 'approval' ? `${answer} ${by}` : String(state)));
}

function situation(name: string): Promise<unknown> {
  return runAdapter([PROGRAM, name], installed);
}

function at(name: string): string {
  return path.join(installed.project, name);
}
