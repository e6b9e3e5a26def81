// Seed 000, limits, logging and progress: how long, how much, and what is said meanwhile.
import assert from 'node:assert/strict';
import { chmodSync, globSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { home, makeProject } from '../../support/door-support.ts';
import { answering, callSkill, ROLE, roleFiles } from '../../support/protocol-support.ts';
import { ask } from '../../support/rule-support.ts';
import { runCli } from '../../support/support.ts';
import { atTerminal } from '../../support/terminal.ts';

const GIB = 1024 ** 3;
/** Seconds of processor time and bytes of memory that the script may use, and how much it gets of one and a half GiB. */
const LIMITS = answering(
  '{"cpu": resource.getrlimit(resource.RLIMIT_CPU)[0], "memory": resource.getrlimit(resource.RLIMIT_DATA)[0], "got": len(got)}',
  'import mmap, resource\ngot = mmap.mmap(-1, 1536 * 1024 * 1024, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)\n',
);
const entry = (name: string, file: string, more = '') =>
  `  - {name: ${name}, entry: .claude/skills/${file}.py${more}}\n`;

test('000-04 000-58 000-61 000-62 000-63 300 seconds or what agent.yaml says; (decided: generous limits instead of none) all of it may be processor time, and two GiB memory', async (t) => {
  const yaml = `skills:\n${entry('usual', 'task')}${entry('long_running_task', 'task', ', timeout: 600')}`;
  const project = makeProject(t, roleFiles({ task: LIMITS }, yaml));
  for (const [name, seconds] of [
    ['usual', 300],
    ['long_running_task', 600],
  ] as const) {
    const [said, shown] = await Promise.all([
      callSkill(project, [`${ROLE}/${name}`, 'x']),
      ask(project, ['inspect', `${ROLE}/${name}`]),
    ]);
    assert.equal(said.code, 0, said.summary);
    const { cpu, memory, got } = said.reply.data;
    assert.deepEqual([cpu, memory, got], [seconds, 2 * GIB, 1.5 * GIB]);
    assert.deepEqual(shown.data.limits, { timeout: seconds });
  }
});

test('000-51 000-58 000-72 out of time is TIMEOUT; what runs is asked to end first, so that it can close what it opened, and nothing is left of it', async (t) => {
  const mark = `left-${process.pid}-${Date.now()}`;
  const slow = `import signal, subprocess, sys, time
signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)", "${mark}"])
try:
    time.sleep(60)
finally:
    print("resource closed", file=sys.stderr, flush=True)
`;
  const patience = [1, 4, 16];
  const skills = patience.map((seconds) => entry(`slow_${seconds}`, 'task', `, timeout: ${seconds}`));
  const project = makeProject(t, roleFiles({ task: slow }, `skills:\n${skills.join('')}`));
  let said = '';
  // A machine that is busy may not let it begin in so short a time.
  for (const seconds of patience) {
    const late = await callSkill(project, [`${ROLE}/slow_${seconds}`, 'x', '--debug']);
    const { type, limit, elapsed, recoverable } = late.data;
    assert.deepEqual([late.code, late.state, type, limit, recoverable], [5, 'timeout', 'TIMEOUT', seconds, true]);
    assert.ok(Number(elapsed) >= seconds);
    said = late.stderr;
    if (/resource closed/.test(said)) break;
  }
  assert.match(said, /resource closed/);
  const alive = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && commandOf(name).includes(mark));
  assert.deepEqual(alive, []);
});

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

test('000-59 000-60 ten MiB of output, and no key of agent.yaml or of the settings that changes it', async (t) => {
  const prints = answering('"x" * (request["params"]["mib"] * 1024 * 1024)');
  const project = makeProject(t, {
    ...roleFiles({ task: prints }),
    'agents/greedy/agent.yaml': 'skills:\n  - name: task\n    entry: .claude/skills/task.py\n    max_output: 20\n',
    'agents/greedy/.claude/skills/task.py': prints,
  });
  const [fits, large, greedy, lint] = await Promise.all([
    callSkill(project, [`${ROLE}/task`, 'x', 'mib=9']),
    callSkill(project, [`${ROLE}/task`, 'x', 'mib=11']),
    callSkill(project, ['greedy/task', 'x', 'mib=1']),
    runCli(['roles', 'lint', 'greedy'], { cwd: project, home }),
  ]);
  assert.deepEqual([fits.code, fits.reply?.data.length], [0, 9 * 1024 * 1024], fits.summary);
  assert.deepEqual([large.code, large.state, large.data.type], [1, 'error', 'OUTPUT_LIMIT'], large.summary);
  assert.deepEqual([greedy.code, greedy.data.type], [1, 'CONFIG_INVALID'], greedy.summary);
  assert.match(greedy.summary, /agent\.yaml:4: .*max_output/);
  assert.deepEqual([lint.code, /max_output/.test(lint.stdout + lint.stderr)], [1, true], lint.stdout);
  const other = makeProject(t, { '.agent/config.json': '{"limits": {"max_output": 20}}' });
  const settings = await runCli(['call', 'csv-insights', 'describe', '--json'], { cwd: other, home });
  assert.match(settings.stdout + settings.stderr, /unknown setting limits\.max_output/);
});

const LOGS = answering(
  '{"debug": os.environ.get("SKILL_DEBUG")}',
  `import logging
logger = logging.getLogger(__name__)
logger.setLevel(logging.DEBUG)
logger.addHandler(logging.StreamHandler(sys.stderr))
logger.info("Processing started")
if os.getenv("SKILL_DEBUG") == "1":
    logger.debug("Input data: " + raw)
`,
);

test('000-64 000-65 000-66 what a skill logs disturbs nothing, is kept, and is shown by --debug and by SKILL_DEBUG=1, which the skill sees', async (t) => {
  const project = makeProject(t, roleFiles({ task: LOGS }));
  const plain = await callSkill(project, [`${ROLE}/task`, 'x']);
  assert.deepEqual([plain.code, plain.reply?.data, plain.stderr], [0, { debug: null }, ''], plain.summary);
  const kept = await runCli(['runs', 'show', 'latest', '--output'], { cwd: project, home });
  assert.match(kept.stdout, /"success": true[\s\S]*Processing started/);
  const [asked, exported] = await Promise.all([
    callSkill(project, [`${ROLE}/task`, 'x', '--debug']),
    callSkill(project, [`${ROLE}/task`, 'x'], { env: { SKILL_DEBUG: '1' } }),
  ]);
  for (const said of [asked, exported]) {
    assert.deepEqual([said.code, said.reply?.data], [0, { debug: '1' }], said.summary);
    assert.match(said.stderr, /^Processing started\nInput data: \{"action":"x"/);
  }
});

test('000-73 lines such as 50% complete are progress at a terminal, and events of the record', async (t) => {
  const lines = '["Processing...", "50% complete", "100% complete"]';
  const reports = answering('{}', `for line in ${lines}:\n    print(line, file=sys.stderr, flush=True)\n`);
  const project = makeProject(t, roleFiles({ task: reports }));
  const { code, shown } = await atTerminal(['call', `${ROLE}/task`, 'x', '--yes'], {
    cwd: project,
    home,
    type: '',
    columns: 100,
  });
  assert.equal(code, 0, shown);
  assert.match(shown, /█+░+ {2}50% complete/);
  const [file = ''] = globSync('.agent/runs/*/events.jsonl', { cwd: project });
  const events = readFileSync(path.join(project, file), 'utf8').trim().split('\n');
  const fractions = events.map((line) => JSON.parse(line)).filter(({ type }) => type === 'progress');
  assert.deepEqual(
    fractions.map(({ fraction }) => fraction),
    [0.5, 1],
  );
});

test('000-52 PERMISSION_DENIED: a role that may only read runs no script, and a skill may not read what is closed', async (t) => {
  const project = makeProject(t, {
    ...roleFiles({ task: answering('"ran"') }, 'allowed_tools: [Read]\n'),
    'sales.csv': 'day,sales\n2026-01-01,10\n2026-01-02,12\n',
    'closed.csv': 'day,sales\nCANARY,10\n',
  });
  chmodSync(path.join(project, 'closed.csv'), 0);
  const [denied, closed] = await Promise.all([
    callSkill(project, [`${ROLE}/task`, 'x']),
    callSkill(project, ['csv-insights', 'analyze', 'target=closed.csv']),
  ]);
  for (const said of [denied, closed])
    assert.deepEqual([said.code, said.state, said.data.code], [1, 'error', 'PERMISSION_DENIED'], said.summary);
  assert.match(denied.summary, new RegExp(`role: ${ROLE}`));
  assert.deepEqual([denied.reply, JSON.stringify(closed).includes('CANARY')], [undefined, false]);
});
