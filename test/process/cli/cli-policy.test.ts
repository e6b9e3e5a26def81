// Permissions and records through the command line as a real process: explain, grants, interrupts, runs, doctor.
import assert from 'node:assert/strict';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { judgeAttacks } from '../../../src/app/doctor/sandbox-report.ts';
import { type RunFolder, startRun } from '../../../src/audit/run-folder.ts';
import type { Json } from '../../../src/base/json.ts';
import { exitCode, failedOutcome } from '../../../src/base/outcome.ts';
import type { GuardResult } from '../../../src/cli/attack/attempt.ts';
import { renderAttacks } from '../../../src/cli/view/sandbox-report.ts';
import { findGrant, type GrantedCall } from '../../../src/policy/grant/grant.ts';
import { openGrants } from '../../../src/policy/grant/store.ts';
import { openInterrupts } from '../../../src/policy/interrupt/file.ts';
import { interrupt } from '../../../src/policy/interrupt/interrupt.ts';
import type { AttackResult } from '../../../src/process/sandbox/attack/attack.ts';
import { digestSkill } from '../../../src/skill/digest.ts';
import type { InterruptKind } from '../../../src/store/interrupt-store.ts';
import { TOOL_NAMES } from '../../../src/tools/list.ts';
import { type CliResult, runCli, temporaryFolder } from '../../support/support.ts';
import { placesAt } from '../../support/world/places.ts';

interface Place {
  readonly project: string;
  readonly home: string;
  run(...args: string[]): Promise<CliResult>;
  /** The data of an answer, and its exit code. */
  ask(...args: string[]): Promise<{ code: number | null; state: string; data: Data }>;
}

/** What came over a wire, looked at field by field. */
type Data = Record<string, unknown>;

function makePlace(t: TestContext): Place {
  const folder = realpathSync(temporaryFolder(t));
  const project = path.join(folder, 'project');
  const home = path.join(folder, 'home');
  for (const made of [path.join(project, '.agent'), home]) mkdirSync(made, { recursive: true });
  chmodSync(folder, 0o755);
  const run = (...args: string[]) => runCli(args, { cwd: project, home });
  return {
    project,
    home,
    run,
    async ask(...args) {
      const { code, stdout, stderr } = await run('--json', ...args);
      assert.notEqual(stdout, '', stderr);
      const { state, data } = JSON.parse(stdout);
      return { code, state, data };
    },
  };
}

function writeSkill({ project }: Place, name: string, frontmatter = '', files: Record<string, string> = {}): string {
  const folder = path.join(project, '.agent', 'skills', name);
  const text = `---\nname: ${name}\ndescription: A skill for tests.\n${frontmatter}---\n# ${name}\n`;
  for (const [file, content] of Object.entries({ 'SKILL.md': text, ...files })) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), content);
  }
  return folder;
}

function configure(folder: string, settings: object): void {
  mkdirSync(path.join(folder, '.agent'), { recursive: true });
  writeFileSync(path.join(folder, '.agent', 'config.json'), JSON.stringify(settings));
}

function layer(data: Data, name: string): { rule: string; effect: string } | undefined {
  const layers = data.layers as { layer: string; rule: string; effect: string }[];
  return layers.find((one) => one.layer === name);
}

test('002-08 explain: what allowed-tools leaves out is denied, what it lists is only not refused', async (t) => {
  const place = makePlace(t);
  writeSkill(place, 'narrow', 'allowed-tools: read_file, Bash(git:*)\n');
  const denied = await place.ask('explain', 'narrow', 'write_file', 'a.md');
  assert.deepEqual([denied.code, denied.data.effect, denied.data.risk], [0, 'deny', 'high']);
  assert.deepEqual(layer(denied.data, 'skill'), {
    layer: 'skill',
    rule: 'narrow: allowed-tools does not cover write_file',
    effect: 'deny',
  });
  const listed = await place.ask('explain', 'narrow', 'Bash', '--', 'git', 'log', '--oneline');
  assert.deepEqual([listed.data.effect, layer(listed.data, 'skill')?.effect], ['ask', 'allow']);
  const stretched = await place.ask('explain', 'narrow', 'Bash', '--', 'git', '-c', 'core.pager=sh', 'log');
  assert.equal(stretched.data.effect, 'deny');
  const human = await place.run('explain', 'narrow', 'write_file', 'a.md', '--lang', 'zh');
  assert.match(human.stdout, /^✅ narrow write_file: 拒绝 \(风险高\)\n {2}默认配置 +需批准 .*\n {2}技能 +拒绝 /);
});

test('explain denies what the file tools would not touch, and says why', async (t) => {
  const place = makePlace(t);
  writeSkill(place, 'plain');
  const files = async (...words: string[]) => {
    const { data } = await place.ask('explain', 'plain', ...words);
    return [data.effect, layer(data, 'files')?.rule];
  };
  assert.deepEqual(await files('read_file', 'notes.md'), ['allow', undefined]);
  assert.deepEqual(await files('read_file', '.env'), ['deny', '.env is closed to tools, as secrets and records are']);
  assert.deepEqual(await files('read_file', '/etc/passwd'), ['deny', '/etc/passwd is outside the project']);
  assert.deepEqual(await files('read_file', '.git/HEAD'), ['allow', undefined]);
  assert.deepEqual(await files('write_file', '.git/hooks/x'), ['deny', '.git/hooks/x belongs to git']);
  const chinese = await place.run('explain', 'plain', 'read_file', '.env', '--lang', 'zh');
  assert.match(chinese.stdout, /文件防护 +拒绝 +\.env 属于机密或记录/);
});

test('002-77 explain names the risk of every tool', async (t) => {
  const place = makePlace(t);
  writeSkill(place, 'plain');
  const risks: Record<string, unknown> = {};
  for (const tool of TOOL_NAMES) risks[tool] = (await place.ask('explain', 'plain', tool)).data.risk;
  assert.deepEqual(risks, {
    read_file: 'low',
    list_dir: 'low',
    grep: 'low',
    run_script: 'medium',
    run_command: 'high',
    write_file: 'high',
    delete_file: 'high',
    move_file: 'high',
    network_request: 'high',
    run_shell: 'high',
    server_tool: 'high',
  });
});

test('002-78 the strictest of user, project, role and skill decides, each with its rule', async (t) => {
  const place = makePlace(t);
  writeSkill(place, 'plain');
  writeSkill(place, 'reader', 'allowed-tools: read_file\n');
  configure(place.home, { execution: { require_approval_for: ['delete_file'] } });
  const free = await place.ask('explain', 'plain', 'run_script', 'scripts/x.py');
  assert.equal(free.data.effect, 'allow');
  assert.equal((await place.ask('explain', 'reader', 'run_script', 'scripts/x.py')).data.effect, 'deny');
  configure(place.project, { execution: { require_approval_for: ['run_script'], denied: ['write_file'] } });
  const asked = await place.ask('explain', 'plain', 'run_script', 'scripts/x.py');
  assert.deepEqual([asked.data.effect, layer(asked.data, 'global')?.effect], ['ask', 'allow']);
  assert.equal(layer(asked.data, 'project')?.rule, 'execution.require_approval_for: run_script');
  assert.equal((await place.ask('explain', 'plain', 'write_file', 'a.md')).data.effect, 'deny');
});

test('002-79 a fresh project asks before scripts and writes; execution.default deny switches them off', async (t) => {
  const place = makePlace(t);
  writeSkill(place, 'plain');
  const effect = async (...words: string[]) => (await place.ask('explain', 'plain', ...words)).data.effect;
  assert.equal(await effect('read_file', 'a.md'), 'allow');
  assert.equal(await effect('run_script', 'scripts/x.py'), 'ask');
  assert.equal(await effect('write_file', 'a.md'), 'ask');
  assert.equal(await effect('write_file', 'mybox/a.md'), 'allow');
  configure(place.home, { execution: { default: 'deny' } });
  assert.equal(await effect('run_script', 'scripts/x.py'), 'deny');
  assert.equal(await effect('read_file', 'a.md'), 'allow');
});

test('000-10 explain --role decides for that role and names it', async (t) => {
  const place = makePlace(t);
  writeSkill(place, 'plain');
  const roles = { editor: 'allowed_tools: [read_file]', free: 'metadata: {}', broken: 'allowed_tools: 7', bad: 'a: [' };
  for (const [role, text] of Object.entries(roles)) {
    mkdirSync(path.join(place.project, 'agents', role), { recursive: true });
    writeFileSync(path.join(place.project, 'agents', role, 'agent.yaml'), `${text}\n`);
  }
  const explain = (role: string) => place.ask('explain', 'plain', 'run_script', 'scripts/x.py', '--role', role);
  const editor = (await explain('editor')).data;
  assert.deepEqual([editor.role, editor.effect], ['editor', 'deny']);
  assert.match(layer(editor, 'role')?.rule ?? '', /^editor: /);
  const free = (await explain('free')).data;
  assert.deepEqual([free.effect, layer(free, 'role')?.effect], ['ask', 'allow']);
  assert.equal((await explain('broken')).data.effect, 'deny');
  assert.equal((await explain('bad')).data.type, 'ConfigInvalid');
  const unknown = await place.run('explain', 'plain', 'read_file', '--role', 'editr');
  assert.equal(unknown.code, 1);
  assert.match(unknown.stderr, /no role editr in agents\/\n {2}hint: Did you mean editor\?/);
  assert.equal((await explain('../agents/editor')).data.type, 'DataNotFound');
});

test('explain: an unknown tool is denied with a suggestion, and a link is judged by where it leads', async (t) => {
  const place = makePlace(t);
  writeSkill(place, 'plain');
  const unknown = await place.run('explain', 'plain', 'write_fil');
  assert.equal(unknown.code, 2);
  assert.match(unknown.stdout, /^❌ Usage: unknown tool: write_fil\n {2}tools +deny[\s\S]*Did you mean write_file\?/);
  mkdirSync(path.join(place.project, '.agent', 'runs'));
  symlinkSync(path.join(place.project, '.agent', 'runs'), path.join(place.project, 'notes'));
  const led = await place.ask('explain', 'plain', 'read_file', 'notes/new.md');
  assert.equal(layer(led.data, 'state')?.effect, 'deny');
  const missing = await place.run('explain', 'plin', 'read_file');
  assert.match(missing.stderr, /SkillNotFound[\s\S]*Did you mean plain\?/);
});

test('explain runs no probe: the tier shows once doctor has found it', async (t) => {
  const place = makePlace(t);
  writeSkill(place, 'plain');
  assert.equal((await place.ask('explain', 'plain', 'run_script', 'scripts/x.py')).data.tier, null);
  const { tier } = (await place.ask('doctor')).data.sandbox as { tier: string };
  assert.match(tier, /^S[0-3]$/);
  const known = (await place.ask('explain', 'plain', 'run_script', 'scripts/x.py')).data;
  assert.equal(known.tier, tier);
  assert.ok(layer(known, 'sandbox')?.rule.startsWith(tier));
});

test('broken settings are not explained as a policy', async (t) => {
  const place = makePlace(t);
  writeSkill(place, 'plain');
  writeFileSync(path.join(place.project, '.agent', 'config.json'), '{');
  assert.equal((await place.ask('explain', 'plain', 'read_file')).data.type, 'ConfigInvalid');
});

test('grants: added for the files as they are, listed, void after one byte, revoked', async (t) => {
  const place = makePlace(t);
  const folder = writeSkill(place, 'report', '', { 'scripts/daily.py': 'print(1)\n' });
  const { digest } = digestSkill(folder);
  const added = await place.ask(
    ...['grants', 'add', 'report', '--script', './scripts/daily.py', '--expires', '7d', '--tier', 'S1'],
    ...['daily'],
  );
  assert.equal(added.code, 0);
  const { id } = added.data;
  const listed = (await place.ask('grants', 'list')).data.grants as Data[];
  assert.equal(listed.length, 1);
  const { created, ...grant } = listed[0] ?? {};
  const expires = new Date(Date.parse(String(created)) + 7 * 86_400_000).toISOString();
  const what = 'script scripts/daily.py daily …';
  assert.deepEqual(grant, {
    ...{ id, skill: 'report', digest, what, network: false, writes: false, tier: 'S1', expires },
    state: 'active',
  });
  assert.deepEqual(readdirSync(path.join(place.project, '.agent')), ['skills']);
  appendFileSync(path.join(folder, 'scripts', 'daily.py'), '#');
  assert.match((await place.run('grants', 'list')).stdout, /1 grant, 0 active\n[\s\S]*void: the files changed/);
  const wrong = await place.run('grants', 'revoke', `${String(id).slice(0, -1)}x`);
  assert.deepEqual([wrong.code, wrong.stderr.includes(`Did you mean ${id}?`)], [1, true]);
  assert.equal((await place.ask('grants', 'revoke', String(id))).data.revoked, id);
  assert.deepEqual((await place.ask('grants', 'list')).data.grants, []);
});

test('a grant ends only when it was asked to: without --expires it holds until it is revoked', async (t) => {
  const place = makePlace(t);
  writeSkill(place, 'report', '', { 'scripts/daily.py': 'print(1)\n' });
  const added = await place.ask('grants', 'add', 'report', '--script', 'scripts/daily.py');
  assert.deepEqual([added.code, added.data.expires], [0, null]);
  await place.ask('grants', 'add', 'report', '--script', 'scripts/daily.py', '--expires', '900d');
  const [lasting, ending] = (await place.ask('grants', 'list')).data.grants as Data[];
  assert.deepEqual([lasting?.expires, lasting?.state], [null, 'active']);
  const days = (Date.parse(String(ending?.expires)) - Date.parse(String(ending?.created))) / 86_400_000;
  assert.deepEqual([days, ending?.state], [900, 'active']);
  assert.match((await place.run('grants', 'list')).stdout, / never +active /);
  assert.match((await place.run('--lang', 'zh', 'grants', 'list')).stdout, / 永不 +有效 /);
});

test('a grant that was added covers that call and no other', async (t) => {
  const place = makePlace(t);
  const folder = writeSkill(place, 'report', '', { 'scripts/daily.py': 'print(1)\n' });
  await place.ask(
    'grants',
    'add',
    'report',
    '--script',
    'scripts/daily.py',
    '--exact',
    '--expires',
    '30d',
    '--',
    '--quiet',
  );
  const grants = openGrants(place.home, place.project).list();
  const call: GrantedCall = {
    ...{ project: place.project, digest: digestSkill(folder).digest, folder, tool: 'run_script' },
    ...{ script: 'scripts/daily.py', argv: ['--quiet'], network: false, tier: 'S3' },
  };
  const places = placesAt(place.project, place.home);
  const covers = (change: Partial<GrantedCall>, now = Date.now()) =>
    findGrant(grants, { ...call, ...change }, now, places) !== undefined;
  assert.ok(covers({}));
  assert.ok(covers({ tier: 'S2' }));
  for (const change of [{ argv: [] }, { argv: ['--quiet', 'x'] }, { network: true }, { tier: 'S1' }])
    assert.ok(!covers(change as Partial<GrantedCall>), JSON.stringify(change));
  assert.ok(covers({}, Date.now() + 29 * 86_400_000));
  assert.ok(!covers({}, Date.now() + 31 * 86_400_000));
});

test('grants add --follow outlives changes and says so; --action keeps the parameters that were declared', async (t) => {
  const place = makePlace(t);
  const folder = writeSkill(
    place,
    'talks',
    'entry: scripts/main.py\nnetwork: true\nactions:\n  fetch:\n    params:\n      day: {type: string, required: true, enum: [mon, tue]}\n',
    { 'scripts/main.py': 'print()\n' },
  );
  const { stdout } = await place.run('grants', 'add', 'talks', '--action', 'fetch', '--network', '--follow');
  assert.match(
    stdout,
    /may +action fetch\n {2}with +day \(mon\|tue\)\n {2}files +whatever is in .*talks, changed or not/,
  );
  const offline = (await place.ask('grants', 'add', 'talks', '--script', 'scripts/main.py')).data;
  assert.match(String(offline.note), /--network would cover them/);
  assert.ok((await place.ask('grants', 'revoke', String(offline.id))).data.revoked);
  assert.equal((await place.ask('explain', 'talks', 'run_script', 'scripts/main.py')).data.risk, 'high');
  appendFileSync(path.join(folder, 'SKILL.md'), 'More.\n');
  const [grant] = (await place.ask('grants', 'list')).data.grants as Data[];
  assert.deepEqual([grant?.digest, grant?.follow, grant?.network, grant?.state], [null, folder, true, 'active']);
  assert.deepEqual(grant?.params, ['day']);
  renameSync(folder, `${folder}-moved`);
  const [moved] = (await place.ask('grants', 'list')).data.grants as Data[];
  assert.equal(moved?.state, 'missing');
  const wrong = await place.run('grants', 'add', 'talks', '--action', 'fetsh');
  assert.match(wrong.stderr, /Unknown action: fetsh\n {2}hint: Did you mean fetch\?/);
});

test('grants add refuses what would be a permission for anything, and every mistake says what was meant', async (t) => {
  const place = makePlace(t);
  writeSkill(place, 'report', '', { 'scripts/daily.py': 'print(1)\n', 'notes.md': 'print(2)\n' });
  const refused: [string[], number, RegExp][] = [
    [['--command', 'bash'], 1, /bash alone could run anything[\s\S]*--exact/],
    [['--command', '--', 'python3', '-c', 'x'], 1, /can run code from its arguments/],
    [['--command', 'env', 'x'], 1, /runs what its arguments say/],
    [['--command'], 1, /name the words of the command/],
    [['--tool', 'write_file', '--pattern', '**'], 1, /name a path or a host/],
    [['--tool', 'write_file', '--pattern', '~/**/*'], 1, /name a path or a host/],
    [['--tool', 'Bash', '--pattern', 'git:*'], 1, /name the words of the command/],
    [['--tool', 'write_fle', '--pattern', 'a'], 2, /Did you mean write_file\?/],
    [['--tool', 'write_file'], 2, /--tool and --pattern go together/],
    [['--script', 'scripts/dayly.py'], 1, /no such script[\s\S]*Did you mean scripts\/daily.py\?/],
    [['--script', 'notes.md'], 1, /no such script/],
    [['--script', '../report/scripts/daily.py'], 1, /no such script/],
    [['--action', 'fetch'], 1, /report has no actions/],
    [[], 2, /one of --action, --script, --command, --tool/],
    [['--script', 'scripts/daily.py', '--action', 'x'], 2, /one of/],
    [['--tool', 'write_file', '--pattern', 'a', '--exact'], 2, /--exact is for/],
    [['--script', 'scripts/daily.py', '--expires', '3y'], 2, /such as 12h or 30d/],
    [['--script', 'scripts/daily.py', '--expires', '0d'], 2, /more than nothing/],
    [['--script', 'scripts/daily.py', '--tier', 's3'], 2, /Did you mean S3/],
  ];
  for (const [words, code, message] of refused) {
    const { code: got, stderr } = await place.run('grants', 'add', 'report', ...words);
    assert.equal(got, code, words.join(' '));
    assert.match(stderr, message);
  }
  assert.deepEqual((await place.ask('grants', 'list')).data.grants, []);
});

test('a grant for the command of a skill that starts its own script is refused with the words that work', async (t) => {
  const place = makePlace(t);
  writeSkill(place, 'slug', 'command: python3 slug.py {input}\n', { 'slug.py': 'print("slugged")\n' });
  const add = (...words: string[]) => place.run('grants', 'add', 'slug', ...words);
  for (const words of [['python3', 'slug.py'], ['./slug.py']]) {
    const { code, stderr } = await add('--command', ...words);
    assert.equal(code, 2);
    assert.match(stderr, /slug\.py is a script of slug[\s\S]*`skillwright grants add slug --script slug\.py`/);
  }
  assert.match(
    (await add('--command', '--exact', 'python3', 'slug.py', 'x')).stderr,
    /--script slug\.py --exact -- x`/,
  );
  assert.match((await add('--command', 'python3', 'slug.py', '--lang', 'zh')).stderr, /请授权脚本/);
  assert.equal((await add('--script', 'slug.py', '--tier', 'S0')).code, 0);
  assert.match((await place.run('invoke', 'slug', 'x')).stdout, /slugged/);
  assert.equal((await add('--command', 'python3', 'elsewhere.py', '--tier', 'S0')).code, 0);
});

test('grants add says when the grant does not help: policy denies it', async (t) => {
  const place = makePlace(t);
  writeSkill(place, 'report', 'allowed-tools: read_file\n', { 'scripts/daily.py': 'print(1)\n' });
  const { code, data } = await place.ask('grants', 'add', 'report', '--script', 'scripts/daily.py');
  assert.equal(code, 0);
  assert.match(String(data.note), /^Policy still denies it: report: allowed-tools does not cover run_script/);
});

test('grants, interrupts and settings planted in a project change nothing', async (t) => {
  const place = makePlace(t);
  writeSkill(place, 'report', '', { 'scripts/daily.py': 'print(1)\n' });
  const other = { home: path.join(place.home, 'other') };
  mkdirSync(other.home);
  const args = ['grants', 'add', 'report', '--script', 'scripts/daily.py'];
  await runCli(args, { cwd: place.project, home: other.home });
  await interrupt(openInterrupts(other.home, place.project), QUESTION, Date.now());
  for (const kind of ['grants', 'interrupts'])
    cpSync(path.join(other.home, '.agent', kind), path.join(place.project, '.agent', kind), { recursive: true });
  assert.deepEqual((await place.ask('grants', 'list')).data.grants, []);
  assert.deepEqual((await place.ask('interrupts')).data.items, []);
  assert.equal((await place.ask('explain', 'report', 'run_script', 'scripts/daily.py')).data.effect, 'ask');
});

const QUESTION = {
  kind: 'approval',
  question: 'report wants to run \u001b[2Jscripts/daily.py',
  items: ['call'],
  choices: ['approve', 'deny'],
  digest: 'd',
  payload: {},
} as const;

test('002-81 interrupts lists what waits, with the command that goes on, and nothing that is over', async (t) => {
  const place = makePlace(t);
  const store = openInterrupts(place.home, place.project);
  await interrupt(store, QUESTION, Date.now() - 1000, 500);
  const waiting = await interrupt(store, QUESTION, Date.now());
  const { data } = await place.ask('interrupts');
  assert.deepEqual(data.items, [
    {
      id: waiting.id,
      kind: 'approval',
      question: QUESTION.question,
      decides: ['call'],
      choices: ['approve', 'deny'],
      expires: new Date(waiting.expires).toISOString(),
      resume_command: `skillwright resume ${waiting.id} --decide approve`,
      here: true,
    },
  ]);
  const human = (await place.run('interrupts', '--lang', 'zh')).stdout;
  assert.match(human, /^✅ 1 项待决定\n/);
  assert.ok(human.includes(`  skillwright resume ${waiting.id} --decide approve\n`));
  assert.ok(human.includes('\\u{1b}[2J') && !human.includes('\u001b'));
});

test('a saved question whose content is damaged is named, decides nothing and stays', async (t) => {
  const place = makePlace(t);
  const store = openInterrupts(place.home, place.project);
  await place.run('trust', '--yes');
  const context = { request_id: 'r' };
  const damaged: { kind: InterruptKind; payload: Json }[] = [
    { kind: 'approval', payload: { kind: 'run_command', argv: 'rm -r', context } },
    { kind: 'job', payload: { job: 'j', call: { kind: 'run_script', skill: 'report', context }, within: [] } },
    { kind: 'run', payload: { run: 'r', call: { kind: 'run_script', skill: 'report', context }, within: [] } },
    { kind: 'worker', payload: { curation: [{ item: 'user:report', folder: '/' }] } },
    { kind: 'worker', payload: { interpreter: 'perl', script: 'bin/x.py', args: [], quiet: false } },
  ];
  for (const broken of damaged) {
    const { id } = await interrupt(store, { ...QUESTION, ...broken }, Date.now());
    const { state, data } = await place.ask('resume', id, '--decide', 'approve');
    assert.deepEqual([state, data.type], ['error', 'StateUnusable'], `${broken.kind}: ${JSON.stringify(data)}`);
    assert.match(String(data.msg), new RegExp(`the saved question ${id} is damaged`));
    assert.ok(await store.get(id), broken.kind);
  }
});

function record(place: Place, request: string, now = Date.now()): RunFolder {
  const run = startRun({
    ...{ project: place.project, home: place.home, clock: { now: () => now }, kind: 'invoke', request, version: '0' },
    context: { request_id: 'r1', agent_id: 'editor', user_id: null },
    tier: 'S3',
  });
  run.record({ type: 'skill-selected', skill: 'report', source: 'project' });
  run.record({ type: 'resource-loaded', skill: 'report', path: 'reference/a.md', sha256: 'x' });
  const ended = { state: 'success', exit: 0, duration_ms: 5, output: run.keep('the output') } as const;
  run.record({ type: 'call-result', call: 'c1', tool: 'run_script', skill: 'report', ...ended });
  run.finish({ outcome: 'success', output: 'the output' });
  return run;
}

test('002-82 002-83 runs list and show what run.json under .agent/runs/<time> holds', async (t) => {
  const place = makePlace(t);
  const older = record(place, 'first', Date.now() - 5000);
  const run = record(place, 'make a \u001b]52;c;x\u0007 report');
  assert.ok(existsSync(path.join(place.project, '.agent', 'runs', run.id, 'run.json')));
  const { runs, total } = (await place.ask('runs', 'list', '--limit', '1')).data;
  assert.deepEqual([(runs as Data[]).map(({ run_id }) => run_id), total], [[run.id], 2]);
  const shown = (await place.ask('runs', 'show', run.id, '--events')).data;
  assert.equal(shown.path, path.join(place.project, '.agent', 'runs', run.id));
  const { request, skills, resources, tools, exit_codes, output } = shown.run as Data;
  assert.match(String(request), /^make a .* report$/);
  assert.deepEqual(skills, [{ skill: 'report', source: 'project' }]);
  assert.deepEqual(resources, [{ skill: 'report', path: 'reference/a.md', sha256: 'x' }]);
  assert.deepEqual([(tools as Data[])[0]?.tool, exit_codes, output], ['run_script', [0], 'the output']);
  assert.deepEqual(
    (shown.events as Data[]).map(({ type }) => type),
    ['run-start', 'skill-selected', 'resource-loaded', 'call-result', 'run-end'],
  );
  const human = (await place.run('runs', 'show', 'latest', '--events', '--lang', 'zh')).stdout;
  assert.match(human, /工具 +run_script report success exit 0/);
  assert.match(human, /核验 +5 个事件，完整/);
  assert.ok(!human.includes('\u001b'));
  const wrong = await place.run('runs', 'show', older.id.replace(/.$/, 'x'));
  assert.match(wrong.stderr, new RegExp(`no run .* here\\n {2}hint: Did you mean ${older.id}`));
});

test('runs verify: whole records pass; an edited, cut or foreign one is named and exits 1', async (t) => {
  const place = makePlace(t);
  const whole = record(place, 'whole', Date.now() - 5000);
  const run = record(place, 'edited');
  const good = await place.ask('runs', 'verify');
  assert.deepEqual([good.code, good.data.ok, good.data.events], [0, true, 10]);
  const log = path.join(run.folder, 'events.jsonl');
  const lines = readFileSync(log, 'utf8');
  writeFileSync(log, lines.replace('"source":"project"', '"source":"builtin"'));
  const bad = await place.ask('runs', 'verify', run.id);
  assert.deepEqual([bad.code, bad.state], [1, 'error']);
  assert.deepEqual([bad.data.ok, bad.data.events, bad.data.broken_at], [false, 1, 1]);
  assert.deepEqual([bad.data.type, bad.data.code, bad.data.run_id], ['CheckFailed', 'CHECK_FAILED', run.id]);
  const all = await place.run('runs', 'verify');
  assert.equal(all.code, 1);
  assert.match(all.stdout, new RegExp(`✗ ${run.id} broken at event 1: [^\\n]+\\n✓ ${whole.id} 5 events, unbroken`));
  writeFileSync(log, `${lines.split('\n').slice(0, -2).join('\n')}\n`);
  assert.equal((await place.ask('runs', 'verify', 'latest')).data.why, 'the end is missing');
  writeFileSync(log, lines);
  assert.equal((await place.ask('runs', 'verify')).code, 0);
  const home = path.join(place.home, 'other');
  mkdirSync(home);
  const foreign = await runCli(['runs', 'verify', '--json'], { cwd: place.project, home });
  const elsewhere = 'sealed under another home: cannot be verified here';
  assert.deepEqual([foreign.code, JSON.parse(foreign.stdout).data.why], [1, elsewhere]);
  const shown = await runCli(['runs', 'show', 'latest'], { cwd: place.project, home });
  assert.equal(shown.code, 1);
  assert.match(shown.stdout + shown.stderr, new RegExp(`check failed: ${run.id}, ${elsewhere}`));
});

test('runs verify without any run is no failure', async (t) => {
  const place = makePlace(t);
  const { code, data } = await place.ask('runs', 'verify');
  assert.deepEqual([code, data.ok, data.events], [0, true, 0]);
});

test('runs prune removes by age, keeps the latest, and follows the retention of the settings', async (t) => {
  const place = makePlace(t);
  const day = 86_400_000;
  const ids = [200, 60, 40, 0].map((age) => record(place, `${age}`, Date.now() - age * day).id);
  const [ancient, old, recent, now] = ids;
  const byDefault = (await place.ask('runs', 'prune')).data;
  assert.deepEqual(byDefault, { removed: [ancient], emptied: [recent, old], kept: 3 });
  assert.equal((await place.ask('runs', 'verify', String(old))).data.ok, true);
  assert.deepEqual((await place.ask('runs', 'prune', '--older-than', '50d')).data.removed, [old]);
  assert.deepEqual((await place.ask('runs', 'prune', '--older-than', '1d', '--keep', '2')).data.removed, []);
  const rest = (await place.ask('runs', 'prune', '--keep', '1')).data;
  assert.deepEqual([rest.removed, rest.kept], [[recent], 1]);
  assert.deepEqual(readdirSync(path.join(place.project, '.agent', 'runs')).sort(), ['.gitignore', now]);
  const wrong = await place.run('runs', 'prune', '--keep', 'few');
  assert.deepEqual([wrong.code, /whole number/.test(wrong.stderr)], [2, true]);
});

test('runs prune shows what would go, and asks before many go by an option', async (t) => {
  const place = makePlace(t);
  for (let number = 0; number < 7; number++) record(place, `${number}`, Date.now());
  const folder = path.join(place.project, '.agent', 'runs');
  const tried = (await place.ask('runs', 'prune', '--keep', '2', '--dry-run')).data;
  assert.deepEqual([(tried.removed as string[]).length, tried.kept, tried.dry_run], [5, 2, true]);
  const asked = await place.ask('runs', 'prune', '--keep', '1');
  assert.deepEqual([asked.code, asked.state], [4, 'interrupted']);
  assert.equal(asked.data.resume_command, 'skillwright runs prune --keep 1 --yes');
  assert.equal(readdirSync(folder).length, 8);
  assert.equal((await place.ask('runs', 'prune', '--keep', '1', '--yes')).data.kept, 1);
});

test('runs show of a record that was changed says so first and exits 1', async (t) => {
  const place = makePlace(t);
  const { id } = record(place, 'x', Date.now());
  assert.equal((await place.run('runs', 'show', id)).code, 0);
  appendFileSync(path.join(place.project, '.agent', 'runs', id, 'run.json'), ' ');
  const shown = await place.run('runs', 'show', id);
  assert.equal(shown.code, 1);
  assert.match(shown.stdout, /^❌ IntegrityMismatch: .*broken at event \d+: run\.json was changed\n/);
});

test('explain names the grant that answers, the shipped one too, and the one that a change ended', async (t) => {
  const place = makePlace(t);
  const shipped = (await place.ask('explain', 'csv-insights', 'run_script', 'scripts/main.mjs')).data;
  assert.deepEqual([shipped.effect, shipped.grant], ['allow', 'builtin:csv-insights']);
  const folder = writeSkill(place, 'report', '', { 'scripts/daily.py': 'print(1)\n' });
  const explain = () => place.run('explain', 'report', 'run_script', 'scripts/daily.py');
  assert.match(
    (await explain()).stdout,
    /: ask .*\n {2}default settings +ask[\s\S]*A person is asked, or a grant answers/,
  );
  const args = ['grants', 'add', 'report', '--script', 'scripts/daily.py', '--tier', 'S0'];
  const { id } = (await place.ask(...args)).data;
  assert.match((await explain()).stdout, new RegExp(`: allow .*[\\s\\S]*A grant answers: ${id} \\(script`));
  appendFileSync(path.join(folder, 'SKILL.md'), 'More.\n');
  assert.match((await explain()).stdout, new RegExp(`: ask [\\s\\S]*the grant ${id} .* no longer counts`));
  configure(place.home, { execution: { denied: ['delete_file'] } });
  assert.match((await explain()).stdout, /\n {2}user settings +ask/);
});

test('grants add for a file tool says when the list of the skill leaves it out, and asks for no sandbox', async (t) => {
  const place = makePlace(t);
  writeSkill(place, 'narrow', 'allowed-tools: read_file\n');
  writeSkill(place, 'free');
  const grant = (skill: string) => place.run('grants', 'add', skill, '--tool', 'write_file', '--pattern', 'notes/**');
  assert.match(
    (await grant('narrow')).stdout,
    /hint: Policy still denies it: narrow: allowed-tools does not cover write_file/,
  );
  const free = await grant('free');
  assert.match(free.stdout, /sandbox +none: nothing is run/);
  assert.doesNotMatch(free.stdout, /hint:/);
});

test('a call that a grant covered until the files changed says so when it asks', async (t) => {
  const place = makePlace(t);
  const folder = writeSkill(place, 'talks', 'entry: main.sh\n', {
    'main.sh': 'echo "{\\"success\\":true,\\"data\\":1}"\n',
  });
  const { id } = (await place.ask('grants', 'add', 'talks', '--action', 'go', '--tier', 'S0')).data;
  const call = () => place.run('call', 'talks', 'go', '--non-interactive');
  assert.equal((await call()).code, 0);
  appendFileSync(path.join(folder, 'SKILL.md'), 'More.\n');
  const asked = await call();
  assert.equal(asked.code, 4);
  assert.match(asked.stdout, new RegExp(`The grant ${id} \\(action go\\) no longer counts`));
});

test('runs of somebody else are not reached through a linked folder', async (t) => {
  const place = makePlace(t);
  const victim = makePlace(t);
  const { id } = record(victim, 'theirs', Date.now() - 500 * 86_400_000);
  symlinkSync(path.join(victim.project, '.agent', 'runs'), path.join(place.project, '.agent', 'runs'));
  const { code, data } = await place.ask('runs', 'prune', '--keep', '0');
  assert.deepEqual([code, data.type], [1, 'PathBlocked']);
  assert.ok(existsSync(path.join(victim.project, '.agent', 'runs', id)));
});

test('each of these commands explains itself in both languages, with examples', async (t) => {
  const place = makePlace(t);
  for (const name of ['explain', 'grants add', 'grants revoke', 'interrupts', 'runs verify', 'runs prune']) {
    const { stdout } = await place.run('help', ...name.split(' '), '--lang', 'zh');
    assert.match(stdout, new RegExp(`用法\\n {2}skillwright ${name}`), name);
    assert.match(stdout, new RegExp(`示例\\n {2}skillwright ${name}`), name);
    assert.match(stdout.split('\n')[0] ?? '', /\p{Script=Han}/u);
  }
  const wrong = await place.run('runs', 'verfy');
  assert.deepEqual([wrong.code, /Did you mean runs verify\?/.test(wrong.stderr)], [2, true]);
});

test('doctor names the tier, what it leaves open, and survives a home it may not write', async (t) => {
  const place = makePlace(t);
  const { data } = await place.ask('doctor');
  const { tier, not_enforced } = data.sandbox as { tier: string; not_enforced: string[] };
  const human = (await place.run('doctor', '--lang', 'zh')).stdout;
  assert.ok(human.includes(`sandbox: ${tier}`));
  for (const point of not_enforced) assert.match(human, new RegExp(`^${point}: .*\\p{Script=Han}`, 'mu'));
  const closed = path.join(place.home, 'closed');
  mkdirSync(closed);
  chmodSync(closed, 0o555);
  // Root may write anywhere; somebody else may not.
  const uid = process.getuid?.() === 0 && { uid: 65534 };
  const answer = await runCli(['doctor', '--json'], { cwd: place.project, home: closed, ...uid });
  const report = JSON.parse(answer.stdout);
  assert.deepEqual([report.state, report.data.sandbox.tier], ['partial', null]);
});

test('002-12 decided differently: a real sandbox; doctor --attack tries every tier that holds here and finds what each promises', async (t) => {
  const place = makePlace(t);
  const { code, data } = await place.ask('doctor', '--attack');
  assert.equal(code, 0);
  for (const { probe, ended, why } of data.guards as GuardResult[]) assert.equal(ended, 'stopped', `${probe}: ${why}`);
  const { tier } = data.sandbox as { tier: string };
  const probes = data.probes as AttackResult[];
  if (probes.length === 0) return t.diagnostic('not run: no perl to attack with');
  const tiers = [...new Set(probes.map((probe) => probe.tier))];
  assert.equal(tiers[0], tier);
  for (const { probe, blocked, expected } of probes) assert.ok(blocked || !expected, probe);
  assert.ok(probes.filter((probe) => probe.tier === tier).length > 40);
});

test('an attempt that gets through against the promise fails the check, an open point that is listed does not', () => {
  const attempt = { probe: 'read-home', threat: 40, tier: 'S3', said: '' } as const;
  const open: AttackResult = { ...attempt, tier: 'S1', blocked: false, expected: false };
  assert.equal(judgeAttacks([{ ...attempt, blocked: true, expected: true }, open]), undefined);
  const through: AttackResult = { ...attempt, blocked: false, expected: true };
  const fault = judgeAttacks([through, open]);
  assert.ok(fault);
  const by = { agent: 'skillwright', surface: 'own', language: 'en', startedAt: 0, now: () => 0 } as const;
  const outcome = failedOutcome(by, fault);
  assert.equal(exitCode(outcome), 1);
  assert.match(outcome.summary, /1 attempt broke out of the sandbox: read-home \(S3\)/);
  const table = renderAttacks([through, open], 'en', { interactive: false, color: false, width: Infinity });
  assert.match(table, /PROBE +S3 +S1\nread-home +✗ GOT THROUGH +– open, as listed/);
});
