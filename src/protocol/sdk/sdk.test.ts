// Both authoring kits, held against the same requests as real processes.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { copyFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { temporaryFolder } from '../../../test/support/support.ts';
import { USUAL_PARAMS } from './define-skill.ts';

const TYPESCRIPT = `
import { defineSkill, SkillError } from './define-skill.ts';
await defineSkill({
  name: 'sample',
  version: '1.2.3',
  timeout: 1,
  actions: {
    analyze: {
      params: { target: { type: 'string', required: true }, owner: { type: 'string', required: true }, days: { type: 'integer', default: 7, minimum: 1 } },
      example: { target: 'x', owner: 'y' },
      run: ({ target, days }, context) => { console.log('noise'); context.progress(0.5); context.say('analysed'); return { target, days, who: context.request_id, items: [1, 2] }; },
    },
    push: {
      params: { destination: { type: 'string', required: true }, data: { type: 'object', required: true } },
      run: ({ destination, data }) => ({ pushed: true, id: destination + '/' + Object.keys(data).length }),
    },
    refuse: { run: () => { throw new SkillError('QUOTA_EXCEEDED', 'none left', { left: 0 }); } },
    crash: { run: (_, context) => { context.onCleanup(() => context.log('cleaned')); throw new Error('odd thing'); } },
    slow: { run: (_, context) => { context.onCleanup(() => context.log('cleaned')); return new Promise((done) => setTimeout(done, 20000)); } },
    untidy: { run: (_, context) => { context.onCleanup(() => context.log('cleaned')); context.onCleanup(() => { throw new Error('stuck'); }); } },
    late: { run: () => new Promise(() => setTimeout(() => { throw new Error('odd thing'); }, 10)) },
  },
});
`;

const PYTHON = `
import time
from skillwright_skill import SkillError, define_skill

def analyze(params, context):
    print("noise")
    context.progress(0.5)
    context.say("analysed")
    return {"target": params["target"], "days": params["days"], "who": context.request_id, "items": [1, 2]}

def push(params, context):
    return {"pushed": True, "id": f"{params['destination']}/{len(params['data'])}"}

def refuse(params, context):
    raise SkillError("QUOTA_EXCEEDED", "none left", {"left": 0})

def crash(params, context):
    context.on_cleanup(lambda: context.log("cleaned"))
    raise ValueError("odd thing")

def slow(params, context):
    context.on_cleanup(lambda: context.log("cleaned"))
    time.sleep(20)

def untidy(params, context):
    context.on_cleanup(lambda: context.log("cleaned"))
    context.on_cleanup(lambda: {}["stuck"])

def late(params, context):
    raise RuntimeError("odd thing")

define_skill("sample", {
    "analyze": {"run": analyze, "example": {"target": "x", "owner": "y"}, "params": {
        "target": {"type": "string", "required": True}, "owner": {"type": "string", "required": True},
        "days": {"type": "integer", "default": 7, "minimum": 1}}},
    "push": {"run": push, "params": {"destination": {"type": "string", "required": True}, "data": {"type": "object", "required": True}}},
    "refuse": {"run": refuse}, "crash": {"run": crash}, "slow": {"run": slow},
    "untidy": {"run": untidy}, "late": {"run": late},
}, timeout=1, version="1.2.3")
`;

interface Kit {
  name: string;
  program: string;
  write(folder: string): string;
}

const KITS: Kit[] = [
  {
    name: 'TypeScript',
    program: process.execPath,
    write(folder) {
      copyFileSync(path.join(import.meta.dirname, 'define-skill.ts'), path.join(folder, 'define-skill.ts'));
      return save(folder, 'skill.ts', TYPESCRIPT);
    },
  },
  {
    name: 'Python',
    program: 'python3',
    write(folder) {
      copyFileSync(path.join(import.meta.dirname, 'skillwright_skill.py'), path.join(folder, 'skillwright_skill.py'));
      return save(folder, 'skill.py', PYTHON);
    },
  },
];

for (const kit of KITS) {
  test(`${kit.name}: a request piped in gives one answer, noise goes to stderr`, async (t) => {
    const { response, stderr, code } = await ask(t, kit, {
      action: 'analyze',
      params: { target: '中文', owner: 'me' },
      context: { request_id: 'r1' },
    });
    assert.equal(code, 0);
    assert.equal(response.success, true);
    assert.deepEqual(response.data, { target: '中文', days: 7, who: 'r1', items: [1, 2] });
    assert.equal(response.message, 'analysed');
    assert.equal(response.metadata.items_count, 2);
    assert.equal(typeof response.metadata.execution_time_ms, 'number');
    assert.match(stderr, /noise\n50% complete/);
  });

  test(`${kit.name}: what is no JSON is INVALID_JSON with exit 1`, async (t) => {
    const { response, code } = await ask(t, kit, '{');
    assert.equal(code, 1);
    assert.equal(response.error.code, 'INVALID_JSON');
    assert.match(response.error.message, /^Failed to parse input JSON: /);
  });

  test(`${kit.name}: an unknown action names the known ones and exits 0`, async (t) => {
    const { response, code } = await ask(t, kit, { action: 'nope' });
    assert.equal(code, 0);
    assert.equal(response.error.message, 'Unknown action: nope');
    assert.ok(response.error.supported_actions.includes('analyze'));
  });

  test(`${kit.name}: all missing parameters are named at once`, async (t) => {
    const { response } = await ask(t, kit, { action: 'analyze' });
    assert.equal(response.error.code, 'MISSING_PARAM');
    assert.match(response.error.message, /^Missing required parameters: \[.*target.*owner.*\]$/);
    const withoutAction = await ask(t, kit, { params: {} });
    assert.equal(withoutAction.response.success, false);
  });

  test(`${kit.name}: a bad value is INVALID_PARAM`, async (t) => {
    for (const days of [-1, 1.5, '3', true]) {
      const { response } = await ask(t, kit, { action: 'analyze', params: { target: 'x', owner: 'y', days } });
      assert.equal(response.error.code, 'INVALID_PARAM');
    }
  });

  test(`${kit.name}: an exception is INTERNAL_ERROR after cleaning up, an own code is kept`, async (t) => {
    const crashed = await ask(t, kit, { action: 'crash' });
    assert.equal(crashed.code, 1);
    assert.deepEqual(crashed.response.error, { code: 'INTERNAL_ERROR', message: 'odd thing' });
    assert.match(crashed.stderr, /odd thing[\s\S]*cleaned/);
    const refused = await ask(t, kit, { action: 'refuse' });
    assert.deepEqual(refused.response.error, { code: 'QUOTA_EXCEEDED', message: 'none left', details: { left: 0 } });
  });

  test(`${kit.name}: what is thrown where nobody waits for it is an answer as well`, async (t) => {
    const { code, response } = await ask(t, kit, { action: 'late' });
    assert.deepEqual([code, response.error], [1, { code: 'INTERNAL_ERROR', message: 'odd thing' }]);
  });

  test(`${kit.name}: a cleanup that fails is logged, the others run, the answer stands`, async (t) => {
    const { code, response, stderr } = await ask(t, kit, { action: 'untidy' });
    assert.deepEqual([code, response.success], [0, true]);
    assert.match(stderr, /cleanup failed: .*stuck.*\ncleaned/);
  });

  test(`${kit.name}: a request of the wrong shape is answered, never a crash`, async (t) => {
    const params = await ask(t, kit, { action: 'analyze', params: [1] });
    assert.deepEqual([params.code, params.response.error.code], [0, 'INVALID_PARAM']);
    for (const action of [[1], 7, null, '']) {
      const { code, response } = await ask(t, kit, { action });
      assert.deepEqual([code, response.error.code], [0, 'MISSING_PARAM']);
    }
    const context = await ask(t, kit, { action: 'describe', context: [1] });
    assert.equal(context.response.success, true);
    const deep = await ask(t, kit, `{"action": "describe", "params": ${'['.repeat(100_000)}`);
    assert.deepEqual([deep.code, deep.response.error.code], [1, 'INVALID_JSON']);
  });

  test(`${kit.name}: a skill ends itself at its own time limit and cleans up`, async (t) => {
    const { response, stderr } = await ask(t, kit, { action: 'slow' });
    assert.equal(response.error.code, 'TIMEOUT');
    assert.match(stderr, /cleaned/);
  });

  test(`${kit.name}: describe lists actions and protocol 1.0, test tries the examples`, async (t) => {
    const { response } = await ask(t, kit, { action: 'describe' });
    assert.deepEqual([response.data.protocol, response.data.version], ['1.0', '1.2.3']);
    assert.deepEqual(
      response.data.actions.map((action: { name: string }) => action.name),
      ['analyze', 'push', 'refuse', 'crash', 'slow', 'untidy', 'late'],
    );
    const tested = await ask(t, kit, { action: 'test' });
    assert.deepEqual(tested.response.data, { status: 'ok', tried: ['analyze'] });
    assert.equal(tested.response.message, 'tried 1 of 7 actions');
  });

  test(`${kit.name}: push takes a destination and data, and says what became of them`, async (t) => {
    const { response } = await ask(t, kit, { action: 'push', params: { destination: 'store', data: { a: 1 } } });
    assert.deepEqual(response.data, { pushed: true, id: 'store/1' });
  });

  test(`${kit.name}: half a character pair does not silence an answer`, async (t) => {
    const { response } = await ask(t, kit, '{"action": "analyze", "params": {"target": "\\ud800x", "owner": "y"}}');
    assert.match(response.data.target, /x$/);
  });

  test(`${kit.name}: in debug the input is logged`, async (t) => {
    const { stderr } = await ask(t, kit, { action: 'describe' }, { SKILL_DEBUG: '1' });
    assert.match(stderr, /Input data: .*describe/);
  });
}

test('the usual actions have the parameters of the protocol', () => {
  const names = Object.entries(USUAL_PARAMS).map(([action, params]) => [action, ...Object.keys(params)].join(' '));
  assert.deepEqual(names, ['analyze target days', 'report type format', 'fetch source query', 'push destination data']);
});

interface Asked {
  // The answers are what is under test, so their shape is checked by each test itself.
  response: ReturnType<typeof JSON.parse>;
  stderr: string;
  code: number | null;
}

function ask(t: TestContext, kit: Kit, request: unknown, env: Record<string, string> = {}): Promise<Asked> {
  const script = kit.write(temporaryFolder(t));
  const { promise, resolve } = Promise.withResolvers<Asked>();
  const child = spawn(kit.program, [script], { env: { PATH: process.env.PATH ?? '', ...env } });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text;
  });
  child.on('close', (code) => resolve({ response: JSON.parse(stdout), stderr, code }));
  child.stdin.end(typeof request === 'string' ? request : JSON.stringify(request, null, 2));
  return promise;
}

function save(folder: string, name: string, text: string): string {
  const file = path.join(folder, name);
  writeFileSync(file, text);
  return file;
}
