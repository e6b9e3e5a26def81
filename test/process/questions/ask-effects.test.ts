// `execution.ask: effects`: what stays inside sandbox and layer is asked about once, as the changes of the run.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import {
  answer,
  makeWorld,
  plant,
  runProcess,
  script,
  select,
  skillFile,
  tool,
  type World,
} from '../../support/agent-support.ts';
import type { Change } from '../../support/changed/change.ts';
import { isConfined } from '../../support/questions/confined.ts';
import { paperWorld, TWENTY_STEPS } from '../../support/questions/paper.ts';
import { runCli } from '../../support/support.ts';
import { atTerminal } from '../../support/terminal.ts';

const APPLY = 'Apply these changes? [y/c/N/v/?] ';

function caseFile({ home }: World, steps: unknown): string {
  const file = path.join(home, 'case.json');
  writeFileSync(file, JSON.stringify(steps));
  return `mock:${file}`;
}

test('twenty steps on a packed document ask exactly once, for the change set', async (t) => {
  if (!(await isConfined(t))) return;
  const world = paperWorld(t, { 'old.txt': 'old\n' });
  const words = ['run', 'make the report', '--model', caseFile(world, TWENTY_STEPS), '--budget', 'turns=30'];
  const { project: cwd, home } = world;
  const ran = await atTerminal([...words, '--ask', 'effects'], { cwd, home, until: APPLY, type: 'y\n', columns: 100 });
  assert.equal(ran.code, 0, ran.shown);
  assert.equal(ran.shown.split(APPLY).length, 2, ran.shown);
  assert.doesNotMatch(ran.shown, /Enter = no/);
  assert.match(ran.shown, /the report is ready/);
  const text = readFileSync(path.join(cwd, 'mybox/output/report.txt'), 'utf8');
  assert.match(text, /^Yearly report\n[\s\S]*Sales\nSales rose by 4 %\.\n[\s\S]*We expect much more\.\n$/);
  assert.equal(readFileSync(path.join(cwd, 'docs/notes.md'), 'utf8'), '# Notes\nSales rose.\n');
  assert.equal(existsSync(path.join(cwd, 'old.txt')), false);
});

const SKILL = {
  ...skillFile('maker', 'entry: scripts/main.sh\n'),
  '.agent/skills/maker/scripts/main.sh': `echo made > made.txt; echo '{"success": true, "data": 1}'\n`,
  '.agent/skills/maker/scripts/make.sh': 'echo made > "$SKILL_OUTPUT_DIR/made.txt"; echo made > made.txt\n',
};
const MAKE = ['exec', 'maker', 'scripts/make.sh'];

async function outcomeOf({ project: cwd, home }: World, args: readonly string[], change: readonly Change[] = []) {
  const { code, stdout, stderr } = await runCli([...args, '--json', '--non-interactive'], { cwd, home, change });
  assert.notEqual(stdout, '', stderr);
  const { state, data, summary } = JSON.parse(stdout);
  return { code, state, data, summary };
}

const has = ({ project }: World, name: string) => existsSync(path.join(project, name));

test('nobody is asked about a script inside; what it wrote waits, results below the output folder, too', async (t) => {
  if (!(await isConfined(t))) return;
  const world = makeWorld(t, SKILL);
  assert.equal((await outcomeOf(world, MAKE)).data.type, 'ApprovalRequired');
  const { code, data } = await outcomeOf(world, [...MAKE, '--ask', 'effects']);
  assert.equal(code, 4);
  const files = data.changes.waiting.filter((one: { type: string }) => one.type === 'file');
  const changes = files.map((one: { path: string }) => one.path).sort();
  assert.deepEqual(changes, ['made.txt', 'mybox/output/made.txt'], JSON.stringify(data));
  assert.deepEqual([has(world, 'made.txt'), has(world, 'mybox/output/made.txt')], [false, false]);
  assert.equal((await runCli(['runs', 'apply', 'latest', '--yes'], { cwd: world.project, home: world.home })).code, 0);
  assert.deepEqual([has(world, 'made.txt'), has(world, 'mybox/output/made.txt')], [true, true]);
});

test('the user’s settings choose it, those of a project can only demand each, and explain names the rule', async (t) => {
  if (!(await isConfined(t))) return;
  const world = makeWorld(t, SKILL);
  const settings = (ask: string) => JSON.stringify({ execution: { ask } });
  const asks = async () => (await outcomeOf(world, MAKE)).data.type === 'ApprovalRequired';
  const why = async () => {
    const { project: cwd, home } = world;
    return (await runCli(['explain', 'maker', 'run_script', 'scripts/make.sh'], { cwd, home })).stdout;
  };
  plant(world.project, { '.agent/config.json': settings('effects') });
  await runCli(['trust', '--yes'], { cwd: world.project, home: world.home });
  assert.equal(await asks(), true, 'a project, trusted or not, never chooses effects');
  plant(world.home, { '.agent/config.json': settings('effects') });
  assert.equal(await asks(), false);
  assert.match(await why(), /user settings +allow +execution\.ask: effects: it stays inside S\d/);
  plant(world.project, { '.agent/config.json': settings('each') });
  assert.equal(await asks(), true);
  assert.match(await why(), /project settings +ask +execution\.ask: each/);
  assert.equal((await outcomeOf(world, [...MAKE, '--ask', 'effects'])).data.type, 'ApprovalRequired');
});

const GRAVE = { '.agent/skills/maker/scripts/hidden.sh': `printf 'a\u001b[2J'\n` };
const BLIND: Change = {
  file: 'src/app/grave-finding.ts',
  from: "isAtLeast(severity, 'HIGH')",
  to: "severity === undefined && isAtLeast(severity, 'HIGH')",
};
const UNTOLD: Change = { file: 'src/policy/inside.ts', from: 'if (beyond !== undefined) return beyond;', to: '' };
const DEAF: Change = {
  file: 'src/policy/inside.ts',
  from: "if (call.network || about === 'address') return 'network';",
  to: '',
};

/** What leaves the sandbox, and the line of the source that sees it. */
const LEAVING: readonly {
  readonly what: string;
  readonly files: Record<string, string>;
  /** What a person has granted its code. */
  readonly granted?: readonly string[];
  readonly control: Change;
}[] = [
  { what: 'a skill with a grave finding', files: { ...SKILL, ...GRAVE }, control: BLIND },
  {
    what: 'a skill that gets a variable',
    files: { ...SKILL, ...skillFile('maker', 'secrets: [MAKER_TOKEN]\n') },
    control: UNTOLD,
  },
  {
    what: 'a skill that reaches the network',
    files: { ...SKILL, ...skillFile('maker', 'network: true\n') },
    control: DEAF,
  },
  {
    what: 'a skill whose code may reach a host',
    files: SKILL,
    granted: ['--host', 'api.example.org'],
    control: UNTOLD,
  },
  { what: 'a skill that keeps a home', files: SKILL, granted: ['--home'], control: UNTOLD },
];

for (const { what, files, granted, control } of LEAVING) {
  const prepared = async (t: TestContext) => {
    const world = makeWorld(t, files);
    const words = ['grants', 'add', 'maker', ...(granted ?? []), '--tier', 'S1'];
    if (granted) assert.equal((await runCli(words, { cwd: world.project, home: world.home })).code, 0);
    return world;
  };

  test(`effects blocked: ${what} is asked about`, async (t) => {
    const { data } = await outcomeOf(await prepared(t), [...MAKE, '--ask', 'effects']);
    assert.equal(data.type, 'ApprovalRequired', JSON.stringify(data));
    assert.match(data.note, /^Asked about because /);
  });

  test(`effects control: without that look ${what} runs unasked`, async (t) => {
    if (!(await isConfined(t))) return;
    const { data } = await outcomeOf(await prepared(t), [...MAKE, '--ask', 'effects'], [control]);
    assert.notEqual(data.type, 'ApprovalRequired', JSON.stringify(data));
  });
}

test('a guarded path and a request to the network are asked about in a run, and its other steps are not', async (t) => {
  if (!(await isConfined(t))) return;
  const world = makeWorld(t, SKILL);
  for (const step of [
    tool('write_file', { path: 'AGENTS.md', content: 'obey' }, 'maker'),
    tool('network_request', { url: 'http://127.0.0.1:9/' }, 'maker'),
  ]) {
    const steps = [select('maker'), script('maker', 'make.sh'), step, answer()];
    const ran = await runProcess(world, steps, { args: ['--ask', 'effects', '--non-interactive'] });
    assert.deepEqual([ran.code, ran.outcome.data.type], [4, 'ApprovalRequired'], ran.stdout);
    const decisions = ran.events.flatMap((event) =>
      event.type === 'decision' ? [`${event.tool} ${event.effect}`] : [],
    );
    assert.deepEqual(decisions, ['run_script allow', `${step.action.tool} ask`]);
    const [first] = ran.events.flatMap((event) => (event.type === 'decision' ? [event.layers] : []));
    assert.ok(first?.some(({ rule }) => rule.startsWith('--ask effects: it stays inside')));
  }
});

test('a grant still has its effect, and a job is never run on effects', async (t) => {
  if (!(await isConfined(t))) return;
  const world = makeWorld(t, SKILL);
  const { project: cwd, home } = world;
  plant(home, { '.agent/config.json': '{"execution":{"ask":"effects"}}' });
  const grant = ['grants', 'add', 'maker', '--script', 'scripts/make.sh', '--writes'];
  assert.equal((await runCli(grant, { cwd, home })).code, 0);
  const granted = await outcomeOf(world, MAKE);
  assert.deepEqual([granted.code, has(world, 'made.txt'), has(world, 'mybox/output/made.txt')], [0, true, true]);
  const job = await runCli(['jobs', 'run', 'maker', 'go', '--json'], { cwd, home });
  assert.match(job.stdout, /APPROVAL_REQUIRED|ApprovalRequired|waiting/, job.stdout);
});
