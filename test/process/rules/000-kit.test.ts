// Seed 000, template, calling, errors and practice: a skill on each authoring kit that `new` writes, with and without a host.
import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import path from 'node:path';
import { test } from 'node:test';
import { home, makeProject } from '../../support/door-support.ts';
import { authorSkill, callSkill, type Kit, pipe, ROLE } from '../../support/protocol-support.ts';
import { runCli } from '../../support/support.ts';

const PYTHON = `import os, time, urllib.request
from skillwright_skill import USUAL_PARAMS, SkillError, define_skill

def analyze(params, context):
    print("noise")
    context.progress(0.5)
    context.say("analysed")
    return {"target": params["target"], "days": params["days"], "who": context.request_id, "items": [1, 2]}

def push(params, context):
    return {"pushed": True, "id": params["destination"] + "/" + str(len(params["data"]))}

def refuse(params, context):
    raise SkillError("QUOTA_EXCEEDED", "none left", {"left": 0})

def crash(params, context):
    context.on_cleanup(lambda: context.log("closed"))
    raise ValueError("odd thing")

def slow(params, context):
    context.on_cleanup(lambda: context.log("closed"))
    time.sleep(20)

def lingers(params, context):
    context.on_cleanup(lambda: time.sleep(2.5))

def reach(params, context):
    urllib.request.urlopen("http://127.0.0.1:" + str(params["port"]))

NEEDED = {"type": "string", "required": True}
define_skill("sample", {
    "analyze": {"run": analyze, "example": {"target": "x", "owner": "y"},
        "params": {"target": NEEDED, "owner": NEEDED, "days": {"type": "integer", "default": 7, "minimum": 1}}},
    "push": {"run": push, "params": USUAL_PARAMS["push"]},
    "refuse": {"run": refuse}, "crash": {"run": crash}, "slow": {"run": slow}, "lingers": {"run": lingers},
    "reach": {"run": reach, "params": {"port": {"type": "integer", "required": True}}},
}, timeout=int(os.getenv("LIMIT", "60")), version="1.2.3")
`;

const JAVASCRIPT = `import { defineSkill, SkillError, USUAL_PARAMS } from './define-skill.mjs';
const needed = { type: 'string', required: true };
const later = (ms) => new Promise((done) => setTimeout(done, ms));
await defineSkill({
  name: 'sample',
  version: '1.2.3',
  timeout: Number(process.env.LIMIT ?? 60),
  actions: {
    analyze: {
      params: { target: needed, owner: needed, days: { type: 'integer', default: 7, minimum: 1 } },
      example: { target: 'x', owner: 'y' },
      run({ target, days }, context) {
        console.log('noise');
        context.progress(0.5);
        context.say('analysed');
        return { target, days, who: context.request_id, items: [1, 2] };
      },
    },
    push: { params: USUAL_PARAMS.push, run: ({ destination, data }) => ({ pushed: true, id: destination + '/' + Object.keys(data).length }) },
    refuse: { run: () => { throw new SkillError('QUOTA_EXCEEDED', 'none left', { left: 0 }); } },
    crash: { run: (_, context) => { context.onCleanup(() => context.log('closed')); throw new Error('odd thing'); } },
    slow: { run: (_, context) => { context.onCleanup(() => context.log('closed')); return later(20000); } },
    lingers: { run: (_, context) => context.onCleanup(() => later(2500)) },
    reach: { params: { port: { type: 'integer', required: true } }, run: ({ port }) => fetch('http://127.0.0.1:' + port) },
  },
});
`;

const KITS: readonly Kit[] = [
  { lang: 'python', script: PYTHON },
  { lang: 'javascript', script: JAVASCRIPT },
];

/** A port that nobody listens on any more. */
async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}

for (const kit of KITS) {
  test(`000-14 000-15 000-35 000-36 a request over several lines, piped into the ${kit.lang} script alone, gives one answer`, async (t) => {
    const { pipe } = await authorSkill(t, kit);
    const params = { target: '中文', owner: 'me' };
    const said = await pipe({ action: 'analyze', params, context: { request_id: 'r1' } });
    const { success, action, data, message, metadata } = said.response;
    assert.deepEqual([said.code, success, action, message], [0, true, 'analyze', 'analysed'], said.stderr);
    assert.deepEqual(data, { target: '中文', days: 7, who: 'r1', items: [1, 2] });
    assert.match(said.stdout, /中文/);
    assert.deepEqual([metadata.items_count, Number.isInteger(metadata.execution_time_ms)], [2, true]);
    assert.match(said.stderr, /noise\n50% complete/);
  });

  test(`000-06 000-28 000-29 000-30 000-47 000-48 000-49 000-50 000-70 the ${kit.lang} kit answers a bad request with the code for it`, async (t) => {
    const { pipe } = await authorSkill(t, kit);
    const [broken, unknown, missing, nameless, negative] = await Promise.all([
      pipe('{'),
      pipe({ action: 'nope' }),
      pipe({ action: 'analyze' }),
      pipe({ params: {} }),
      pipe({ action: 'analyze', params: { target: 'x', owner: 'y', days: -1 } }),
    ]);
    assert.deepEqual([broken.code, broken.response.action, broken.response.error.code], [1, undefined, 'INVALID_JSON']);
    assert.match(broken.response.error.message, /^Failed to parse input JSON: ./);
    const { code, message, supported_actions } = unknown.response.error;
    assert.deepEqual([unknown.code, code, message], [0, 'UNKNOWN_ACTION', 'Unknown action: nope']);
    assert.ok(supported_actions.includes('analyze') && supported_actions.includes('describe'));
    assert.deepEqual([missing.code, missing.response.error.code], [0, 'MISSING_PARAM']);
    assert.match(missing.response.error.message, /^Missing required parameters: \[.*target.*owner.*\]$/);
    assert.deepEqual([nameless.response.success, nameless.response.error.code], [false, 'MISSING_PARAM']);
    assert.deepEqual([negative.code, negative.response.error.code], [0, 'INVALID_PARAM']);
    assert.match(negative.response.error.message, /days must be at least 1/);
  });

  test(`000-54 000-55 000-56 000-57 000-71 000-72 the ${kit.lang} kit ends in an answer and closes what was opened: exceptions, own codes, its own time limit, a refused connection`, async (t) => {
    const { pipe } = await authorSkill(t, kit);
    const port = await closedPort();
    const [crashed, refused, late, lingering, unreached] = await Promise.all([
      pipe({ action: 'crash' }),
      pipe({ action: 'refuse' }),
      pipe({ action: 'slow' }, { LIMIT: '1' }),
      pipe({ action: 'lingers' }, { LIMIT: '2' }),
      pipe({ action: 'reach', params: { port } }),
    ]);
    const { success, error } = crashed.response;
    assert.deepEqual([crashed.code, success, error], [1, false, { code: 'INTERNAL_ERROR', message: 'odd thing' }]);
    assert.match(crashed.stderr, /odd thing[\s\S]*closed/);
    const own = { code: 'QUOTA_EXCEEDED', message: 'none left', details: { left: 0 } };
    assert.deepEqual([refused.code, refused.response.error], [0, own]);
    assert.deepEqual([late.response.action, late.response.error.code], ['slow', 'TIMEOUT']);
    assert.match(late.stderr, /closed/);
    // The alarm is off once the action has ended: what is closed afterwards may take its time.
    assert.deepEqual([lingering.code, lingering.response.success], [0, true]);
    assert.doesNotMatch(lingering.stderr, /cleanup failed/);
    assert.equal(unreached.response.error.code, 'EXTERNAL_SERVICE_ERROR', unreached.stderr);
  });

  test(`000-11 000-45 000-67 000-77 a skill on the ${kit.lang} kit, called: describe and protocol 1.0, push as the convention has it, its input in debug`, async (t) => {
    const { project, pipe } = await authorSkill(t, kit);
    // What SKILL.md declares is another matter; the host would refuse what it does not name.
    const [described, pushed, incomplete, shapeless] = await Promise.all([
      callSkill(project, ['sample', 'describe', '--debug']),
      pipe({ action: 'push', params: { destination: 'supabase', data: { rows: 1 } } }),
      pipe({ action: 'push', params: { destination: 'supabase' } }),
      pipe({ action: 'push', params: { destination: 'supabase', data: 'rows' } }),
    ]);
    assert.deepEqual([described.code, described.reply?.data.protocol], [0, '1.0'], described.summary);
    const names = described.reply.data.actions.map(({ name }: { name: string }) => name);
    assert.deepEqual(names, ['analyze', 'push', 'refuse', 'crash', 'slow', 'lingers', 'reach']);
    assert.match(described.stderr, /Input data: .*describe/);
    assert.deepEqual([pushed.code, pushed.response.data], [0, { pushed: true, id: 'supabase/1' }]);
    assert.deepEqual(incomplete.response.error.details, { missing: ['data'] });
    assert.equal(shapeless.response.error.code, 'INVALID_PARAM');
  });
}

test('000-69 the check of the seed, run in agents/ROLE on a new skill: echo … | python3 .claude/skills/skill_name.py', async (t) => {
  const project = makeProject(t, {});
  const made = await runCli(['roles', 'new', ROLE, '--skill', 'skill_name'], { cwd: project, home });
  assert.equal(made.code, 0, made.stderr);
  const folder = path.join(project, 'agents', ROLE);
  const check = `cd ${folder} && echo '{"action": "test"}' | python3 -B .claude/skills/skill_name.py`;
  const said = await pipe(['/bin/sh', '-c', check], '');
  assert.deepEqual([said.code, said.response.success], [0, true], said.stdout + said.stderr);
  assert.deepEqual(said.response.data.tried, ['analyze']);
});
