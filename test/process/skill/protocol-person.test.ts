// Protocol 1.0 as a person meets it: ranges, logs, refusals of the sandbox, hints, and what conform really ran.
import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import { type Files, makeProject, skillFiles, writeFiles } from '../../support/door-support.ts';
import { type CliOptions, type CliResult, runCli, temporaryFolder } from '../../support/support.ts';

function open(t: TestContext, files: Files = {}) {
  const [cwd, home] = [makeProject(t, files), temporaryFolder(t)];
  const run = (args: string[], more: Partial<CliOptions> = {}): Promise<CliResult> =>
    runCli(args, { cwd, home, ...more });
  return { cwd, home, run, sw: (...args: string[]) => run(args) };
}

const ECHO = 'import json, sys\nr = json.load(sys.stdin)\nprint(json.dumps({"success": True, "data": r}))\n';
const ROLE = (script: string, yaml = ''): Files => ({
  'agents/r/agent.yaml': yaml,
  'agents/r/.claude/skills/s.py': script,
});

test('000-50 a range declared in SKILL.md or agent.yaml is obeyed, however the value comes in', async (t) => {
  const actions =
    'actions:\n  one:\n    params:\n      days: {type: integer, required: true, minimum: 1, maximum: 31}\n      name: {type: string, maxLength: 3}';
  const indented = actions.replaceAll('\n', '\n    ');
  const { run, sw } = open(t, {
    ...skillFiles('a_b', `name: a_b\ndescription: x\nentry: a.py\n${actions}`, { 'a.py': ECHO }),
    ...ROLE(ECHO, `skills:\n  - name: s\n    ${indented}\n`),
  });
  const codeOf = ({ stdout }: CliResult) => JSON.parse(stdout).data.code ?? 'fine';
  for (const skill of ['a_b', 'r/s']) {
    const call = (...words: string[]) => sw('call', skill, 'one', ...words, '--yes', '--json');
    const [low, high, json, long, good] = await Promise.all([
      call('days=-1'),
      call('days=32'),
      call('--params', '{"days":0}'),
      call('days=7', 'name=four'),
      call('days=31', 'name=abc'),
    ]);
    assert.deepEqual([low, high, json, long, good].map(codeOf), [...Array(4).fill('INVALID_PARAM'), 'fine'], skill);
  }
  const said = await run(['call', 'a_b', 'one', 'days=-1', '--yes', '--lang', 'zh']);
  assert.match(said.stderr, /days 不得小于 1: -1/);
});

test('000-50 a word about a parameter that nobody checks is a finding', async (t) => {
  const params = (word: string) => `actions:\n  one:\n    params:\n      days: {type: integer, ${word}: 1}`;
  const { sw } = open(t, {
    ...skillFiles('a', `name: a\ndescription: x\nentry: a.py\n${params('minimun')}`, { 'a.py': ECHO }),
    ...ROLE(ECHO, `skills:\n  - name: s\n    ${params('smallest').replaceAll('\n', '\n    ')}\n`),
  });
  const [skill, role] = await Promise.all([
    sw('validate', '.claude/skills/a', '--json'),
    sw('roles', 'lint', 'r', '--json'),
  ]);
  assert.match(skill.stdout, /minimun of days is not known here and is not checked\. Did you mean minimum\?/);
  assert.match(role.stdout, /smallest of days is not known here/);
});

test('000-64 000-65 000-67 --debug and SKILL_DEBUG show what the skill logs, on stderr, without its secrets', async (t) => {
  const script =
    'import json, logging, os, sys\nlog = logging.getLogger(__name__)\nlog.setLevel(logging.INFO)\nlog.addHandler(logging.StreamHandler(sys.stderr))\nlog.info("Processing started " + os.environ["TOKEN"])\nprint(json.dumps({"success": True, "data": 1}))\n';
  const { run } = open(t, ROLE(script, 'secrets: [TOKEN]\nskills: [s]\n'));
  assert.equal((await run(['grants', 'add', 'r/s', '--action', 'x', '--tier', 'S1'])).code, 0);
  const call = (more: string[], env = {}) =>
    run(['call', 'r/s', 'x', ...more], { env: { TOKEN: 'hush-hush-7', ...env } });
  const [quiet, debug, environment] = await Promise.all([
    call([]),
    call(['--debug', '--json']),
    call([], { SKILL_DEBUG: '1' }),
  ]);
  assert.equal(quiet.stderr, '');
  for (const { stderr } of [debug, environment]) {
    assert.match(stderr, /^Processing started /m);
    assert.doesNotMatch(stderr, /hush-hush-7/);
  }
  assert.equal(JSON.parse(debug.stdout).state, 'success');
});

const CONNECT = (port: number) =>
  `import socket\nfrom skillwright_skill import define_skill\ndef go(params, context):\n    socket.create_connection(("127.0.0.1", ${port}), 5)\ndefine_skill("s", {"go": {"run": go}})\n`;

test('000-54 a refused connection is EXTERNAL_SERVICE_ERROR with the kits; without a network, the sandbox is named', async (t) => {
  const port = await closedPort();
  const { cwd, sw } = open(t);
  const network = 'name: net-KIT\ndescription: x\nentry: scripts/main.KIT\nnetwork: true\n';
  await Promise.all([
    sw('new', 'net-py', '--kind', 'protocol', '--lang', 'python'),
    sw('new', 'net-mjs', '--kind', 'protocol', '--lang', 'javascript'),
  ]);
  const write = (name: string, content: string) => writeFiles(cwd, { [name]: content });
  write('.agent/skills/net-py/SKILL.md', `---\n${network.replaceAll('KIT', 'py')}---\n`);
  write('.agent/skills/net-mjs/SKILL.md', `---\n${network.replaceAll('KIT', 'mjs')}---\n`);
  write('.agent/skills/net-py/scripts/main.py', CONNECT(port));
  write(
    '.agent/skills/net-mjs/scripts/main.mjs',
    `import { defineSkill } from './define-skill.mjs';\nawait defineSkill({ name: 's', actions: { go: { run: () => fetch('http://127.0.0.1:${port}/') } } });\n`,
  );
  for (const name of ['net-py', 'net-mjs']) {
    const { stdout } = await sw('call', name, 'go', '--yes', '--json');
    assert.equal(JSON.parse(stdout).data.code, 'EXTERNAL_SERVICE_ERROR', stdout);
  }
  write('.agent/skills/net-py/SKILL.md', `---\n${network.replaceAll('KIT', 'py').replace('network: true\n', '')}---\n`);
  const alone = JSON.parse((await sw('call', 'net-py', 'go', '--yes', '--json')).stdout);
  if (alone.data.sandbox.not_enforced.includes('network')) return;
  assert.deepEqual(alone.data.sandbox.refused, ['network'], JSON.stringify(alone));
  assert.match(alone.data.hint, /The sandbox refused the network, not the service/);
});

async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  await new Promise((closed) => server.close(closed));
  return typeof address === 'object' && address ? address.port : 1;
}

test('000-45 the kits know the shape of push', async (t) => {
  const { cwd, sw } = open(t);
  await sw('new', 'build_pusher', '--kind', 'protocol', '--lang', 'python');
  const script =
    'from skillwright_skill import USUAL_PARAMS, define_skill\ndef push(params, context):\n    return {"pushed": True, "id": params["destination"] + "-1"}\ndefine_skill("build_pusher", {"push": {"run": push, "params": USUAL_PARAMS["push"]}})\n';
  writeFiles(cwd, {
    '.agent/skills/build_pusher/scripts/main.py': script,
    '.agent/skills/build_pusher/SKILL.md': '---\nname: build_pusher\ndescription: x\nentry: scripts/main.py\n---\n',
  });
  const [good, bad] = await Promise.all([
    sw('call', 'build_pusher', 'push', 'destination=supabase', 'data={"n":1}', '--yes', '--json'),
    sw('call', 'build_pusher', 'push', 'destination=supabase', '--yes', '--json'),
  ]);
  assert.deepEqual(JSON.parse(good.stdout).data.response.data, { pushed: true, id: 'supabase-1' });
  assert.equal(JSON.parse(bad.stdout).data.code, 'MISSING_PARAM');
});

const RANDOM = `import json, random, sys
try:
    action = json.loads(sys.stdin.read()).get("action")
    if action == "analyze":
        print(json.dumps({"success": True, "data": {"average": random.random()}}))
    else:
        print(json.dumps({"success": False, "error": {"code": "UNKNOWN_ACTION", "message": "Unknown action"}}))
except Exception as e:
    print(json.dumps({"success": False, "error": {"code": "INTERNAL_ERROR", "message": str(e)}}))
`;
const ALWAYS =
  'import json, sys\nsys.stdin.read()\nprint(json.dumps({"success": False, "error": {"code": "INTERNAL_ERROR", "message": "no"}}))\n';

test('000-05 conform runs the actions a script speaks of, and finds change, constant failure, and nothing to run', async (t) => {
  const { sw } = open(t, {
    'agents/r/agent.yaml': '',
    'agents/r/.claude/skills/rnd.py': RANDOM,
    'agents/r/.claude/skills/always.py': `# action == "go"\n${ALWAYS}`,
    'agents/r/.claude/skills/mute.py': ALWAYS,
  });
  const conform = async (skill: string) => {
    const { code, stdout } = await sw('conform', `r/${skill}`, '--yes', '--json');
    const { data } = JSON.parse(stdout);
    const failed = data.results.filter(({ ok }: { ok: boolean }) => !ok);
    return {
      code,
      actions: data.actions,
      failed: failed.map(({ level, check }: Record<string, string>) => `${level} ${check}`),
    };
  };
  const [rnd, always, mute] = await Promise.all([conform('rnd'), conform('always'), conform('mute')]);
  assert.deepEqual([rnd.code, rnd.actions], [0, ['analyze']]);
  assert.ok(rnd.failed.includes('advice analyze: the same request gives the same result'), rnd.failed.join());
  assert.deepEqual([always.code, always.failed.includes('must an action does its work')], [1, true]);
  assert.deepEqual([mute.code, mute.failed.includes('must an action can be tried')], [1, true]);
});

test('000-28 000-70 what the host refuses is worded as the protocol words it; fields it cannot place are named', async (t) => {
  const { run, sw } = open(
    t,
    ROLE(
      ECHO,
      'skills:\n  - name: s\n    actions:\n      show: {params: {days: {required: true}, target: {required: true}, foo: {}}}\n',
    ),
  );
  const [unknown, missing, piped] = await Promise.all([
    sw('call', 'r/s', 'nope'),
    sw('call', 'r/s', 'show', '--yes'),
    run(['call', 'r/s', '-', '--yes', '--json'], {
      input: '{"action":"show","foo":1,"params":{"days":1,"target":"x"},"context":{"session":"y"}}',
    }),
  ]);
  assert.match(unknown.stderr, /Unknown action: nope/);
  assert.match(missing.stderr, /Missing required parameters: \[days, target\]/);
  const { response, warnings } = JSON.parse(piped.stdout).data;
  assert.deepEqual(response.data.params, { days: 1, target: 'x', foo: 1 });
  assert.match(warnings.join('\n'), /^foo stood beside action[\s\S]*context\.session is no field/);
});

test('000-58 the hint of a timeout and of a missing entry names the file of the role; PWD is its folder', async (t) => {
  const { cwd, sw } = open(t, {
    'agents/r/agent.yaml':
      'skills:\n  - {name: s, timeout: 1}\n  - {name: gone, entry: .claude/skills/gone.py}\n  - {name: pwd, entry: .claude/skills/pwd.py}\n',
    'agents/r/.claude/skills/s.py': 'import sys, time\nsys.stdin.read()\ntime.sleep(60)\n',
    'agents/r/.claude/skills/pwd.py':
      'import json, os\nprint(json.dumps({"success": True, "data": [os.environ.get("PWD"), os.getcwd()]}))\n',
  });
  const [late, gone, pwd] = await Promise.all([
    sw('call', 'r/s', 'x', '--yes'),
    sw('call', 'r/gone', 'x', '--yes'),
    sw('call', 'r/pwd', 'x', '--yes', '--json'),
  ]);
  assert.equal(late.code, 5, late.stdout);
  assert.match(late.stdout + late.stderr, /raise timeout in agents\/r\/agent\.yaml/);
  assert.match(gone.stderr, /Correct entry in agents\/r\/agent\.yaml/);
  const [named, real] = JSON.parse(pwd.stdout).data.response.data;
  assert.equal(named, real, cwd);
});

test('000-77 schema has the request and the response of protocol 1.0; new takes the names of the seed', async (t) => {
  const { sw } = open(t);
  const [request, response, made] = await Promise.all([
    sw('schema', 'request'),
    sw('schema', 'response'),
    sw('new', 'build_analysis', '--kind', 'protocol', '--lang', 'python', '--description', 'Says how builds do.'),
  ]);
  assert.deepEqual(JSON.parse(request.stdout).required, ['action']);
  assert.equal(JSON.parse(response.stdout).oneOf.length, 2);
  assert.equal(made.code, 0, made.stderr);
  assert.match(made.stderr, /warning: a name with an underscore/);
  const called = await sw('call', 'build_analysis', 'analyze', 'text=one two', '--yes', '--json');
  assert.equal(JSON.parse(called.stdout).data.response.data.metrics.words, 2);
});
