// Adapters for frameworks: none needs its framework to be there; in the long run each meets its own, from the registry.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, beforeEach, type TestContext, test } from 'node:test';
import { removeTree } from '../../../src/base/files.ts';
import {
  ADAPTER_ENV,
  addProgram,
  installAbove,
  installAdapters,
  linkPackages,
  runAdapter,
} from '../../support/library/adapter.ts';
import { oddTime, processesWith, sightOf } from '../../support/library/handle.ts';
import { compileStrictly } from '../../support/library/program.ts';
import type { Installed } from '../../support/package-support.ts';
import { isLong, repository } from '../../support/support.ts';

const ADAPTERS = ['ai-sdk', 'openai-agents', 'mastra'];
const FRAMEWORKS = [
  '@openai/agents@0.20.0',
  '@langchain/core@1.2.13',
  '@langchain/langgraph@1.2.9',
  '@mastra/core@1.71.0',
  'zod@4.6.7',
];
const PROGRAMS = ['openai-agents.mts', 'langchain.mts', 'mastra.mts'];
const RULE = 'execution.denied: run_script';

let installed: Installed;

before(async () => {
  installed = await installAdapters();
  if (!isLong()) return;
  await installAbove(FRAMEWORKS, installed);
  linkPackages(['ai'], installed);
  for (const program of PROGRAMS) addProgram(program, installed);
});
after(() => installed && removeTree(installed.root));
beforeEach(() => rmSync(at('note.txt'), { force: true }));

test('each adapter is an entry of the package, and is typed and loaded without its framework', async () => {
  const { exports } = JSON.parse(readFileSync(path.join(repository, 'package.json'), 'utf8'));
  for (const name of [...ADAPTERS, 'langchain']) assert.ok(exports[`./${name}`], name);
  const lines = ADAPTERS.map((name, at) => `const { skillTools: open${at} } = await import('skillwright/${name}');`);
  const uses = ADAPTERS.map((_, at) => `await using set${at} = await open${at}({ skills: ['writer'] });`);
  const names = ADAPTERS.map((_, at) => `Object.keys(set${at}.tools).length`);
  lines.push(`const { skillTools: named } = await import('skillwright/langchain');`);
  uses.push(`await using names = await named({ tool: (_run, { name }) => name });`);
  names.push('names.tools.length');
  write('alone.mts', `${[...lines, ...uses].join('\n')}\nconsole.log(JSON.stringify([${names.join(', ')}]));\n`);
  await compileStrictly(['alone.mts'], installed);
  assert.deepEqual(
    await runAdapter(['alone.mts'], installed),
    names.map(() => 5),
  );
});

test('a handle that is open already stays open, and options that it decides about are refused', async () => {
  write(
    'shared.mts',
    `import { openSkillwright } from 'skillwright';
     import { skillTools } from 'skillwright/ai-sdk';
     await using skillwright = await openSkillwright({ language: 'zh' });
     const set = await skillTools({ skillwright, skills: ['writer'] });
     await set.close();
     const refused = await skillTools({ skillwright, policy: { denied: ['run_script'] } }).catch((error) => error.code);
     console.log(JSON.stringify([(await skillwright.skills()).length > 3, refused]));\n`,
  );
  assert.deepEqual(await runAdapter(['shared.mts'], installed), [true, 'USAGE']);
});

test('programs with the frameworks are strict TypeScript, without a cast', async (t) => {
  if (!isLong()) return t.diagnostic('not run: in the long run only');
  await compileStrictly(PROGRAMS, installed, 'foreign');
});

test('OpenAI Agents: an agent loads a skill and runs it, and params of an action stay open', async (t) => {
  const { text, history, offered } = Object(await situation(t, 'openai-agents.mts', 'loads'));
  if (!isLong()) return;
  assert.equal(text, 'done');
  assert.match(history, /\\"ok\\":true,\\"state\\":\\"success\\"/);
  const { parameters, strict } = offered.find(({ name }: { name: string }) => name === 'run_skill');
  assert.deepEqual([strict, parameters.required], [false, ['skill']]);
  assert.notEqual(parameters.properties.params.additionalProperties, false);
});

test('OpenAI Agents: an interruption carries the question, and after the yes exactly this call is made', async (t) => {
  const { questions, text, record } = Object(await situation(t, 'openai-agents.mts', 'asked'));
  if (!isLong()) return;
  assert.match(questions[0], /^project:writer .*run_script[\s\S]*A yes also puts/);
  assert.equal(text, 'written');
  assert.equal(readFileSync(at('note.txt'), 'utf8'), 'hello\n');
  assert.deepEqual(record, [{ answer: 'yes', by: 'client' }]);
});

test('OpenAI Agents: a no is recorded with its reason while the run goes on', async (t) => {
  const { text, record } = Object(await situation(t, 'openai-agents.mts', 'refused'));
  if (!isLong()) return;
  assert.equal(text, 'well then');
  assert.deepEqual([record.length, record[0].answer, record[0].by], [1, 'no', 'client']);
  assert.ok(record[0].reason);
  assert.equal(existsSync(at('note.txt')), false);
});

test('OpenAI Agents: "always" is no yes to a call that nobody saw', async (t) => {
  const { history, record } = Object(await situation(t, 'openai-agents.mts', 'always'));
  if (!isLong()) return;
  assert.equal(readFileSync(at('note.txt'), 'utf8'), 'hello\n');
  assert.match(history, /\\"state\\":\\"interrupted\\"/);
  assert.deepEqual(record, [{ answer: 'yes', by: 'client' }]);
});

test('OpenAI Agents: what is denied is told with the rule, beside tools of the program', async (t) => {
  const { interruptions, history } = Object(await situation(t, 'openai-agents.mts', 'denied'));
  if (!isLong()) return;
  assert.equal(interruptions, 0);
  assert.ok(history.includes(RULE) && history.includes('mine'), history);
});

test('OpenAI Agents: a signal ends the call with its processes', async (t) => {
  if (!isLong()) return t.diagnostic('not run: in the long run only');
  const time = oddTime();
  const env = { PATH: process.env.PATH ?? '', HOME: installed.home, SECONDS: time, ...ADAPTER_ENV };
  const child = spawn(process.execPath, ['openai-agents.mts', 'cancelled'], { cwd: installed.project, env });
  const { promise: ended, resolve } = Promise.withResolvers<number | null>();
  child.on('close', resolve);
  await sightOf(time);
  child.kill('SIGUSR1');
  assert.equal(await ended, 0);
  assert.deepEqual(processesWith(time), []);
});

test('LangChain: its own function makes the tools, which it calls by itself', async (t) => {
  const { isTool, names, loaded, ran, unasked } = Object(await situation(t, 'langchain.mts', 'constructed'));
  if (!isLong()) return;
  assert.deepEqual([isTool, names.length], [true, 5]);
  assert.match(loaded, /"instructions":"# writer"/);
  assert.match(ran.kwargs.content, /"state":"success"/);
  assert.match(unasked, /"state":"interrupted"/);
});

test('LangChain: a graph is interrupted by the question, and goes on with the answer', async (t) => {
  const { asked, told, record } = Object(await situation(t, 'langchain.mts', 'asked'));
  if (!isLong()) return;
  assert.match(asked[0].actionRequests[0].description, /^project:writer .*run_script[\s\S]*A yes also puts/);
  assert.deepEqual(asked[0].reviewConfigs[0].allowedDecisions, ['approve', 'reject']);
  assert.match(told, /"state":"success"/);
  assert.deepEqual(record, ['yes client']);
  assert.equal(readFileSync(at('note.txt'), 'utf8'), 'hello\n');
});

test('LangChain: a no, and whatever is no clear yes, is recorded and nothing is run', async (t) => {
  const refused = Object(await situation(t, 'langchain.mts', 'refused'));
  const unclear = Object(await situation(t, 'langchain.mts', 'unclear'));
  if (!isLong()) return;
  assert.match(refused.told, /APPROVAL_DENIED.*not today/);
  assert.match(unclear.told, /APPROVAL_DENIED/);
  assert.deepEqual([refused.record, unclear.record], [['no client'], ['no client']]);
  assert.equal(existsSync(at('note.txt')), false);
});

test('Mastra: its own function takes the tools, and a call outside of an agent leaves a question', async (t) => {
  const { id, loaded } = Object(await situation(t, 'mastra.mts', 'constructed'));
  const { waits, other, asked, done, outside } = Object(await situation(t, 'mastra.mts', 'called'));
  if (!isLong()) return;
  assert.deepEqual([id, loaded.instructions], ['load_skill', '# writer']);
  assert.deepEqual([waits, other, asked], [null, null, 2], 'an answer to a call that was not asked about is none');
  assert.deepEqual([done.state, outside.state], ['success', 'interrupted']);
});

test('Mastra: an agent suspends with the question, and goes on after the yes', async (t) => {
  const { payload, text, record } = Object(await situation(t, 'mastra.mts', 'asked'));
  if (!isLong()) return;
  assert.match(payload.suspendPayload.question, /^project:writer .*run_script[\s\S]*A yes also puts/);
  assert.equal(text, 'said');
  assert.deepEqual(record, ['yes client']);
  assert.equal(readFileSync(at('note.txt'), 'utf8'), 'hello\n');
});

test('Mastra: a no is recorded, and a yes that the model writes into its arguments is none', async (t) => {
  const refused = Object(await situation(t, 'mastra.mts', 'refused'));
  const forged = Object(await situation(t, 'mastra.mts', 'forged'));
  if (!isLong()) return;
  assert.deepEqual([refused.text, refused.record], ['said', ['no client']]);
  assert.deepEqual([forged.finishReason, forged.record], ['suspended', ['no client']]);
  assert.equal(existsSync(at('note.txt')), false);
});

/** In the long run only: the framework is not in this repository. */
async function situation(t: TestContext, program: string, name: string): Promise<unknown> {
  if (!isLong()) return t.diagnostic('not run: in the long run only');
  return await runAdapter([program, name], installed);
}

function write(name: string, text: string): void {
  writeFileSync(at(name), text);
}

function at(name: string): string {
  return path.join(installed.project, name);
}
