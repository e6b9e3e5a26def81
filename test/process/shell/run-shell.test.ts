// `run_shell` as a model and a person meet it: judged by lists, asked about by its lines, granted by its text, run by one shell.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import {
  answer,
  makeWorld,
  observed,
  plant,
  runProcess,
  select,
  skillFile,
  tool,
  type World,
} from '../../support/agent-support.ts';
import { runCli } from '../../support/support.ts';

const LINES = 'sort data.txt | uniq -c\nwc -l < data.txt';
const LIST = 'allowed-tools: Bash(sort:*) Bash(uniq:*) Bash(wc:*) Bash(cat:*)\n';
const LAX = { '.agent/config.json': '{"execution":{"require_approval_for":[]}}' };

function world(t: TestContext, list = LIST): World {
  return makeWorld(t, { ...skillFile('counter', list), 'data.txt': 'b\na\nb\n' });
}

const shell = (script: string, more: object = {}) => tool('run_shell', { script, ...more }, 'counter');
const steps = (...scripts: string[]) => [select('counter'), ...scripts.map((one) => shell(one)), answer()];

async function explain({ project, home }: World, ...words: string[]) {
  const { stdout } = await runCli(['--json', 'explain', 'counter', ...words], { cwd: project, home });
  return JSON.parse(stdout).data as { effect: string; layers: { layer: string; effect: string; rule: string }[] };
}

test('explain says which command of a script decided', async (t) => {
  const at = world(t);
  plant(at.home, LAX);
  assert.equal((await explain(at, 'run_shell', LINES)).effect, 'allow');
  const denied = await explain(at, 'run_shell', '--', 'sort data.txt | tee out.txt && wc -l data.txt');
  assert.equal(denied.effect, 'deny');
  const rules = denied.layers.filter(({ layer }) => layer === 'skill');
  assert.deepEqual(
    rules.map(({ effect }) => effect),
    ['allow', 'deny', 'allow'],
  );
  assert.match(rules[1]?.rule ?? '', /does not cover run_shell of tee out\.txt/);
  const unsure = await explain(at, 'run_shell', 'sort "$(eval x)"');
  assert.equal(unsure.effect, 'ask');
  assert.match(JSON.stringify(unsure.layers), /cannot be judged: run_shell of eval x .*evaluates its arguments/);
  const written = await explain(at, 'run_shell', 'sort data.txt > out.txt');
  assert.match(JSON.stringify(written.layers), /run_shell of > out\.txt/);
  const wrapped = await explain(at, 'run_command', '--', 'timeout', '5', 'sort', 'data.txt');
  assert.equal(wrapped.effect, 'allow');
  assert.equal((await explain(at, 'run_command', '--', 'timeout', '5', 'rm', 'data.txt')).effect, 'deny');
  assert.equal((await explain(at, 'run_command', '--', 'sh', '-c', 'sort data.txt | wc -l')).effect, 'allow');
});

test('a script runs in one shell in the layer of its run, where its list covers it', async (t) => {
  const at = world(t, `${LIST.trim()} Write\n`);
  plant(at.home, { ...LAX, '.bashrc': 'echo START-FILE', '.bash_profile': 'echo START-FILE' });
  const ran = await runProcess(at, steps(LINES, 'sort -r data.txt > turned.txt', 'cat turned.txt; exit 3'), {
    env: { BASH_ENV: path.join(at.home, '.bashrc') },
  });
  const [, counted = '', , seen = ''] = observed(ran);
  assert.match(counted, /1 a\n\s+2 b\n3/);
  assert.match(seen, /b\nb\na/);
  assert.match(seen, /\b3\b/);
  assert.ok(!observed(ran).join('').includes('START-FILE'));
  assert.ok(!existsSync(path.join(at.project, 'turned.txt')), 'nothing reaches the project unasked');
});

test('without a yes the question shows the lines of the script, and resume runs it', async (t) => {
  const at = world(t);
  const ran = await runProcess(at, [...steps(LINES)]);
  assert.equal(ran.outcome.state, 'interrupted');
  const { question, id } = ran.outcome.data;
  assert.match(String(question), /1 \| sort data\.txt \| uniq -c\n\s+2 \| wc -l < data\.txt/);
  const resumed = await runCli(['resume', String(id), '--decide', 'approve', '--json'], {
    cwd: at.project,
    home: at.home,
  });
  assert.equal(JSON.parse(resumed.stdout).state, 'success', resumed.stdout);
});

test('a grant is for the exact text: it answers that script and no other', async (t) => {
  const at = world(t);
  const cli = (...args: string[]) => runCli([...args, '--json'], { cwd: at.project, home: at.home });
  const added = JSON.parse((await cli('grants', 'add', 'counter', '--shell', LINES)).stdout);
  assert.equal(added.data.what, `shell ${LINES}`);
  assert.equal((await explain(at, 'run_shell', LINES)).effect, 'allow');
  assert.equal((await explain(at, 'run_shell', `${LINES} `)).effect, 'ask');
  assert.equal((await explain(at, 'run_command', 'sort', 'data.txt')).effect, 'ask');
  const ran = await runProcess(at, steps(LINES));
  assert.match(observed(ran).join('\n'), /1 a\n\s+2 b/);
  const wide = await cli('grants', 'add', 'counter', '--shell', LINES, '--network');
  assert.match(wide.stdout, /--network does not go with --shell/);
  const tools = await cli('grants', 'add', 'counter', '--tool', 'run_shell', '--pattern', '*');
  assert.notEqual(tools.code, 0);
});

test('programs outside execution.programs are refused in a script, those that wrappers start included', async (t) => {
  const at = world(t, '');
  const programs = { execution: { require_approval_for: [], programs: ['sort', 'env', 'wc'] } };
  plant(at.home, { '.agent/config.json': JSON.stringify(programs) });
  assert.equal((await explain(at, 'run_shell', 'sort data.txt | wc -l && echo ok')).effect, 'allow');
  for (const script of ['sort data.txt | uniq', 'env cat data.txt', 'sort "$(cat x)"', '$x', 'eval sort', './sort'])
    assert.equal((await explain(at, 'run_shell', script)).effect, 'deny', script);
  assert.equal((await explain(at, 'run_command', 'env', 'cat', 'x')).effect, 'deny');
  const ran = await runProcess(at, steps('sort data.txt | uniq'));
  assert.match(observed(ran).join('\n'), /execution\.programs does not list uniq/);
});

test('who refuses commands refuses shells, and a list without a shell covers none', async (t) => {
  const at = world(t, 'allowed-tools: Read\n');
  assert.equal((await explain(at, 'run_shell', 'echo hi')).effect, 'deny');
  plant(at.home, { '.agent/config.json': '{"execution":{"denied":["run_command"]}}' });
  assert.match(JSON.stringify(await explain(at, 'run_shell', 'echo hi')), /execution\.denied: run_shell/);
});

test('a script that takes too long ends at its own limit, and a bad one is an observation', async (t) => {
  const at = world(t, '');
  plant(at.home, LAX);
  const ran = await runProcess(at, [
    select('counter'),
    shell('sleep 30', { timeout: 1 }),
    tool('run_shell', { script: 7 }, 'counter'),
    shell('a\u0000b'),
    shell('if'),
    answer(),
  ]);
  const [, late = '', typed = '', nul = '', broken = ''] = observed(ran);
  assert.match(late, /1 s|time/i);
  assert.match(typed, /run_shell takes/);
  assert.match(nul, /NUL/);
  assert.match(broken, /syntax error/);
  assert.equal(ran.outcome.state, 'success');
});
