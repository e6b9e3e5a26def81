// docs/library.md, block by block: strict against the packed package, and run as it stands by somebody who has nothing else.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { removeTree } from '../../../src/base/files.ts';
import { compileStrictly, startProgram } from '../../support/library/program.ts';
import { type Installed, installPackage, run } from '../../support/package-support.ts';
import { repository } from '../../support/support.ts';

/** Programs that the page promises to be short. */
const SHORT = ['list.ts', 'call.ts', 'agent.ts', 'resume.ts', 'apply.ts', 'job.ts'];
/** Its types do not hold by themselves. */
const WITH_FRAMEWORK = new Set(['ai-sdk.ts']);
const MOST_LINES = 20;

const PAGE = readFileSync(path.join(repository, 'docs', 'library.md'), 'utf8');
const blocks = readBlocks('ts', '//');
const setUp = readBlocks('sh', '#');
let installed: Installed;

before(async () => {
  installed = await installPackage();
  symlinkSync(path.join(repository, 'node_modules', 'ai'), path.join(installed.project, 'node_modules', 'ai'));
  for (const [name, text] of [...blocks, ...setUp]) write(name, text);
  write('package.json', '{"private":true,"type":"module"}');
  await run(['sh', '-e', 'set-up.sh'], installed.project, { HOME: installed.home, npm_config_offline: 'true' });
});
after(() => installed && removeTree(installed.root));

test('every block is a whole program, strict and without a cast, and the short ones are short', async () => {
  assert.equal(blocks.size + setUp.size, [...PAGE.matchAll(/^```\w/gm)].length, 'every block has a name and is run');
  assert.ok(blocks.size >= 9, String([...blocks.keys()]));
  for (const name of SHORT) {
    const lines = blocks.get(name)?.trim().split('\n') ?? [];
    assert.ok(lines.length > 0 && lines.length <= MOST_LINES, `${name}: ${lines.length} lines`);
  }
  const named = Object.groupBy(blocks.keys(), (name) => (WITH_FRAMEWORK.has(name) ? 'foreign' : 'own'));
  for (const types of ['own', 'foreign'] as const) await compileStrictly(named[types] ?? [], installed, types);
});

test('skills are listed, found and read', async () => {
  const printed = await runBlock('list.ts');
  assert.match(printed, /^project:note-keeper \(prompt\)$/m);
  assert.match(printed, /^best: csv-insights$/m);
  assert.match(printed, /^true scripts\/main\.mjs$/m);
});

test('a call under a policy that tightens', async () => {
  const printed = await runBlock('call.ts');
  assert.match(printed, /result/);
  assert.match(printed, /PERMISSION_DENIED .*run_script/);
  assert.match(printed, /^deny true$/m);
});

test('the agent with a model of one’s own, events and approvals', async () => {
  const printed = await runBlock('agent.ts');
  assert.match(printed, /^> run_script note-keeper scripts\/note\.sh call Ada$/m);
  assert.match(printed, /^call: project:note-keeper /m);
  assert.match(printed, /^changes: new notes\.txt$/m);
  assert.match(printed, /Noted\.\n$/);
  assert.equal(readFileSync(path.join(installed.project, 'notes.txt'), 'utf8'), 'call Ada\n');
});

test('a run whose process was killed goes on in another one, and nothing happens twice', async () => {
  const killed = await startProgram('crash.ts', installed).ended;
  assert.equal(killed.signal, 'SIGKILL', killed.stderr);
  assert.match(await runBlock('resume.ts'), /^success 1 true$/m);
  assert.equal(readFileSync(path.join(installed.project, 'notes.txt'), 'utf8'), 'call Ada\ncall Ada\n');
});

test('changes are looked at, applied and taken back', async () => {
  assert.match(await runBlock('apply.ts'), /^changed notes\.txt \d+\napplied 1\ntook back 1$/m);
});

test('a job of a role on a grant', async () => {
  assert.match(await runBlock('job.ts'), /^done object\nanalyst\/build_analysis describe 1$/m);
});

test('five tools, judged and run after a yes', async () => {
  const printed = await runBlock('tools.ts');
  assert.match(printed, /^true search_skills load_skill read_skill_resource run_skill get_run$/m);
  assert.match(printed, /^ask global: execution\.require_approval_for: run_script\ntrue true\ntrue$/m);
});

test('an agent of the AI SDK asks a person, and goes on after the yes', async () => {
  const printed = await runBlock('ai-sdk.ts');
  assert.match(printed, /^project:note-keeper .*run_script[\s\S]*feed the cat[\s\S]*^Noted\. true$/m);
  assert.match(readFileSync(path.join(installed.project, 'notes.txt'), 'utf8'), /^feed the cat$/m);
});

test('the server streams events, and a question is answered over HTTP', async () => {
  const server = startProgram('server.ts', installed);
  const { port } = JSON.parse(await server.line);
  const at = `http://127.0.0.1:${port}`;
  const running = fetch(`${at}/run`, { method: 'POST', body: 'note that I call Ada' }).then((one) => one.text());
  const answered = new Set<string>();
  while (answered.size < 2) {
    const open: { id: string; text: string }[] = JSON.parse(await (await fetch(`${at}/questions`)).text());
    for (const { id } of open.filter((one) => !answered.has(one.id))) {
      await fetch(`${at}/answer/${id}`, { method: 'POST', body: 'yes' });
      answered.add(id);
    }
  }
  const events = (await running)
    .trimEnd()
    .split('\n')
    .map((one) => JSON.parse(one));
  assert.equal(events.at(-1).outcome.state, 'success', JSON.stringify(events.at(-1)));
  assert.equal(events.filter(({ type }) => type === 'question').length, 2);
  server.stop();
  assert.equal((await server.ended).code, 0);
});

/** Whole programs, by the names in their first lines. */
function readBlocks(language: string, comment: string): Map<string, string> {
  const found = [...PAGE.matchAll(new RegExp(`^\`\`\`${language}\\n${comment} (\\S+)\\n([\\s\\S]*?)^\`\`\``, 'gm'))];
  return new Map(found.map(([, name = '', text = '']) => [name, text]));
}

function write(name: string, text: string): void {
  const file = path.join(installed.project, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}

async function runBlock(name: string): Promise<string> {
  const { code, stdout, stderr } = await startProgram(name, installed).ended;
  assert.equal(code, 0, `${name}\n${stdout}${stderr}`);
  return stdout;
}
