// Each program of examples/ as its reader runs it: strict against the packed package, with a person, servers and a restart.
import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, beforeEach, type TestContext, test } from 'node:test';
import { readEntries } from '../../../scripts/api/entry.ts';
import { examplesOf, readExported } from '../../../scripts/api/exported.ts';
import { removeTree } from '../../../src/base/files.ts';
import { compileStrictly, type Ended, startProgram } from '../../support/library/program.ts';
import { type Installed, installPackage } from '../../support/package-support.ts';
import { repository } from '../../support/support.ts';

const TAG = 'tags/cheesecake.txt';
const WISH = 'use @price-tag cake=Cheesecake price=4.20';

/** What examples take as given. */
const GIVEN = `
declare const sw: Skillwright, outcome: Outcome, cases: readonly Case[], result: SuiteResult, report: Report;
declare const test: Case, run: CaseRun, runtime: Runtime, text: string, printed: string;
declare function anthropic(name: string): SdkModel;`;

/** And instead where an entry is for a framework: its own types, or what the examples need of one that is not installed. */
const GIVEN_BY: Readonly<Record<string, string>> = {
  'skillwright/ai-sdk': `import { type LanguageModel, ToolLoopAgent } from 'ai';\ndeclare const model: LanguageModel;`,
  'skillwright/openai-agents': `declare class Agent { constructor(settings: object); }
type Interruption = Parameters<AgentsSkills['question']>[0];
declare function run(agent: Agent, input: unknown): Promise<{
  interruptions: Interruption[];
  state: { approve(one: Interruption): void };
}>;`,
  'skillwright/langchain': `declare const [model, checkpointer, config]: object[];
declare const tool: LangChainOptions<object>['tool'];
declare function interrupt(question: LangChainQuestion): unknown;
declare function createAgent(settings: object): { invoke(input: unknown, config?: object): Promise<object> };
declare class Command { constructor(update: object); }`,
  'skillwright/mastra': `declare const model: object;
declare class Agent {
  constructor(settings: object);
  generate(text: string): Promise<{ runId: string; suspendPayload?: { suspendPayload: SkillSuspension } }>;
  approveToolCallGenerate(call: { runId: string }): Promise<object>;
}`,
};

let installed: Installed;
let bakery: string;

before(async () => {
  installed = await installPackage();
  writeFileSync(path.join(installed.project, 'package.json'), '{"private":true,"type":"module"}');
  bakery = path.join(installed.project, 'examples', 'bakery');
  for (const name of ['ai', '@ai-sdk/openai-compatible']) {
    const at = path.join(installed.project, 'node_modules', name);
    mkdirSync(path.dirname(at), { recursive: true });
    symlinkSync(path.join(repository, 'node_modules', name), at);
  }
  // As its reader copies them: Node strips no types below node_modules.
  const shipped = path.join(installed.project, 'node_modules', 'skillwright', 'examples');
  cpSync(shipped, path.join(installed.project, 'examples'), { recursive: true });
});
beforeEach(() => rmSync(path.join(bakery, 'tags'), { recursive: true, force: true }));
after(() => installed && removeTree(installed.root));

test('every program is shipped, strict without a cast, and on the page that lists them', async () => {
  const programs = readdirSync(path.join(repository, 'examples')).filter((name) => name.endsWith('.ts'));
  assert.ok(programs.length >= 5, String(programs));
  const page = readFileSync(path.join(installed.project, 'examples', 'README.md'), 'utf8');
  for (const name of programs) assert.ok(page.includes(`](${name})`), name);
  const named = Object.groupBy(programs, (name) => (name === 'ai-sdk.ts' ? 'foreign' : 'own'));
  const files = (names: readonly string[] = []) => names.map((name) => `examples/${name}`);
  for (const types of ['own', 'foreign'] as const) await compileStrictly(files(named[types]), installed, types);
});

test('every example in a comment of the library compiles as it stands', async () => {
  const entries = readEntries(repository).map(({ module, file }) => ({
    module,
    exported: readExported(repository, file),
  }));
  const ofMain = entries[0]?.exported.map(({ name }) => name) ?? [];
  let count = 0;
  for (const { module, exported } of entries) {
    const examples = exported.flatMap((one) => examplesOf(one).map((code) => `// ${one.name}\n{\n${code}\n}`));
    if (examples.length === 0) continue;
    count += examples.length;
    const own =
      module === 'skillwright' ? [] : exported.map(({ name }) => name).filter((name) => !ofMain.includes(name));
    const file = `comments-${path.basename(module)}.ts`;
    const lines = [
      `import { writeFileSync } from 'node:fs';`,
      `import { ${ofMain.join(', ')} } from 'skillwright';`,
      `import { ${own.join(', ')} } from '${module}';`,
      ...[GIVEN_BY[module] ?? GIVEN, ...examples],
    ];
    writeFileSync(path.join(installed.project, file), lines.join('\n'));
    await compileStrictly([file], installed, module in GIVEN_BY ? 'foreign' : 'own');
  }
  assert.ok(count > 30, `${count} examples`);
});

test('plain.ts does what is asked, asks before it writes, and takes a no with its reason', async () => {
  const looked = await runExample('plain.ts', { args: ['what stands out in orders.csv'] });
  assert.match(looked.stdout, /1 outlier, the farthest is 48/);
  assert.match(looked.stderr, /^> invoke_skill csv-insights analyze target=orders\.csv/m);
  const written = await runExample('plain.ts', { args: [WISH], typed: 'y\ny\n' });
  assert.match(written.stdout, /^new tags\/cheesecake\.txt$/m);
  assert.equal(readFileSync(path.join(bakery, TAG), 'utf8'), 'Cheesecake\n------------\n        4.20\n');
  rmSync(path.join(bakery, 'tags'), { recursive: true });
  const refused = await runExample('plain.ts', { args: [WISH], typed: 'too dear\n' });
  assert.match(refused.stdout, /too dear/);
  assert.equal(existsSync(path.join(bakery, 'tags')), false);
});

test('custom-model.ts lets a server decide that is handed the schema, and says what it cost or what was wrong', async (t) => {
  const answers = [
    { action: { type: 'select_skills', skills: ['csv-insights'], reason: 'numbers' } },
    { action: { type: 'final_answer', content: 'Cheesecake, on the fifth.' } },
  ];
  const { address, requests } = await serve(t, () => {
    const answer = answers.shift();
    return answer && { message: { content: JSON.stringify(answer) }, prompt_eval_count: 90, eval_count: 10 };
  });
  const ended = await runExample('custom-model.ts', { env: { OLLAMA_HOST: address } });
  assert.equal(ended.stdout, 'Cheesecake, on the fifth.\n(200 tokens)\n', ended.stderr);
  assert.deepEqual(
    requests.map(({ path: at, body }) => [at, body.model, typeof body.format, body.stream]),
    Array.from({ length: 2 }, () => ['/api/chat', 'qwen3', 'object', false]),
  );
  const refused = await startExample('custom-model.ts', { env: { OLLAMA_HOST: address } }).ended;
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /the model failed: qwen3: http:\/\/127\.0\.0\.1:\d+: 500 no more/);
});

test('http-approvals.ts keeps a question over a restart, and nobody decides without the token', async () => {
  const first = await startServer();
  const events = (await first.post('/runs', WISH)).trimEnd().split('\n');
  const last = JSON.parse(events.at(-1) ?? '');
  assert.deepEqual([last.type, last.outcome.state], ['ended', 'interrupted'], events.at(-1));
  const { id } = last.outcome.question;
  const stranger = await fetch(`${first.at}/questions/${id}`, { method: 'POST', body: 'yes' });
  assert.equal(stranger.status, 401);
  await first.stop();

  const second = await startServer();
  const waiting: { id: string; text: string }[] = JSON.parse(await second.get('/questions'));
  assert.deepEqual(
    waiting.map((one) => one.id),
    [id],
  );
  assert.match(waiting[0]?.text ?? '', /scripts\/tag\.mjs/);
  const answered = JSON.parse(await second.post(`/questions/${id}`, 'yes'));
  assert.deepEqual([answered.state, answered.waitsFor], ['interrupted', 'changes'], answered.summary);
  assert.equal(existsSync(path.join(bakery, TAG)), false);
  assert.equal(JSON.parse(await second.post(`/runs/${answered.runId}/apply`, '')).state, 'success');
  assert.ok(existsSync(path.join(bakery, TAG)));
  assert.match(JSON.parse(await second.post('/runs', '')).error, /request/);
  await second.stop();
});

test('own-tool.ts offers its own tool beside ours, asks the person, and tells the model what was said', async (t) => {
  for (const [typed, ok] of ANSWERS) {
    const { ended, requests } = await converse(t, 'own-tool.ts', typed, [toolCall('stock', {}), toolCall(...TAG_CALL)]);
    assert.deepEqual(
      requests[0]?.body.tools?.map((one) => one.function.name),
      ['stock', ...OURS],
    );
    const [stock, tagged] = toldBy(requests);
    assert.equal(JSON.parse(stock ?? '').Cheesecake, 14);
    assert.equal(JSON.parse(tagged ?? '').ok, ok, tagged);
    assert.equal(tagged?.includes('too dear'), !ok, tagged);
    assert.match(ended.stderr, /wants to use run_script/);
    assert.equal(existsSync(path.join(bakery, TAG)), ok);
  }
});

test('ai-sdk.ts asks the person what policy asks, and the model reads the answer', async (t) => {
  for (const [typed, ok] of ANSWERS) {
    const { ended, requests } = await converse(t, 'ai-sdk.ts', typed, [toolCall(...TAG_CALL)]);
    assert.deepEqual(requests[0]?.body.tools?.map((one) => one.function.name).sort(), OURS.toSorted());
    const [tagged] = toldBy(requests);
    assert.equal(tagged?.includes('too dear'), !ok, tagged);
    assert.equal(ended.stderr.match(/wants to use run_script/g)?.length, 1, ended.stderr);
    assert.equal(existsSync(path.join(bakery, TAG)), ok);
  }
});

/** What a person types, and whether it is a yes. */
const ANSWERS = [
  ['y\n', true],
  ['too dear\n', false],
] as const;
const OURS = ['search_skills', 'load_skill', 'read_skill_resource', 'run_skill', 'get_run'];
const TAG_CALL = ['run_skill', { skill: 'price-tag', params: { cake: 'Cheesecake', price: 4.2 } }] as const;

/** With a server of chat completions that makes these calls, and then answers. */
async function converse(t: TestContext, name: string, typed: string, calls: readonly object[]) {
  rmSync(path.join(bakery, 'tags'), { recursive: true, force: true });
  const answer = { message: { role: 'assistant', content: 'There it is.' }, finish_reason: 'stop', index: 0 };
  const choices = [...calls, answer];
  const { address, requests } = await serve(t, () => ({ ...COMPLETION, choices: [choices.shift()] }));
  const ended = await runExample(name, { env: { OPENAI_BASE_URL: address, OPENAI_API_KEY: 'k' }, typed });
  assert.equal(ended.stdout, 'There it is.\n', ended.stderr);
  return { ended, requests };
}

const COMPLETION = { id: '1', object: 'chat.completion', created: 1, model: 'gpt-5' };

function toolCall(name: string, input: object): object {
  const wanted = { name, arguments: JSON.stringify(input) };
  const calls = [{ id: `call-${name}`, type: 'function', function: wanted }];
  const message = { role: 'assistant', content: null, tool_calls: calls };
  return { message, finish_reason: 'tool_calls', index: 0 };
}

/** The results that the model was told with its last request. */
function toldBy(requests: readonly { readonly body: Asked }[]): string[] {
  const told = requests.at(-1)?.body.messages.filter(({ role }) => role === 'tool') ?? [];
  return told.map(({ content }) => content);
}

function startExample(name: string, start: Parameters<typeof startProgram>[2]) {
  return startProgram(path.join('examples', name), installed, start);
}

async function runExample(name: string, start: Parameters<typeof startProgram>[2]): Promise<Ended> {
  const ended = await startExample(name, start).ended;
  assert.equal(ended.code, 0, `${name}\n${ended.stdout}${ended.stderr}`);
  return ended;
}

async function startServer() {
  const server = startExample('http-approvals.ts', { env: { PORT: '0', TOKEN: 'secret' } });
  const line = await server.line;
  assert.match(line, /^\{/, line);
  const at = `http://127.0.0.1:${JSON.parse(line).port}`;
  const headers = { authorization: 'Bearer secret' };
  const ask = async (method: string, where: string, body?: string) =>
    await (await fetch(`${at}${where}`, { method, headers, ...(body !== undefined && { body }) })).text();
  return {
    at,
    get: (where: string) => ask('GET', where),
    post: (where: string, body: string) => ask('POST', where, body),
    async stop() {
      server.stop();
      assert.equal((await server.ended).code, 0);
    },
  };
}

/** What the two kinds of servers are asked, as far as it is looked at. */
interface Asked {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly format?: unknown;
  readonly stream?: boolean;
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
}

/** A model's server: one answer a request, and what it was asked; 500 where there is no answer left. */
async function serve(t: TestContext, answer: () => object | undefined) {
  const requests: { path: string; body: Asked }[] = [];
  const server = createServer(async (request, response) => {
    requests.push({ path: request.url ?? '', body: JSON.parse(await text(request)) });
    const given = answer();
    response.writeHead(given ? 200 : 500, { 'content-type': 'application/json' });
    response.end(JSON.stringify(given ?? { error: 'no more' }));
  });
  server.listen(0, '127.0.0.1');
  t.after(() => server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}
