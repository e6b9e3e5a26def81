// The command line as a real process: words, formats, exit codes, languages.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import about from '../../../package.json' with { type: 'json' };
import { type CliResult, commandLine, repository, runCli, temporaryFolder } from '../../support/support.ts';

interface Place {
  readonly project: string;
  readonly home: string;
  run(args: readonly string[], more?: { env?: Record<string, string>; cwd?: string; uid?: number }): Promise<CliResult>;
}

function makePlace(t: TestContext): Place {
  const folder = temporaryFolder(t);
  const project = path.join(folder, 'project');
  const home = path.join(folder, 'home');
  for (const made of [project, home]) mkdirSync(made);
  mkdirSync(path.join(project, '.agent'));
  chmodSync(folder, 0o755);
  return { project, home, run: (args, more) => runCli(args, { cwd: project, home, ...more }) };
}

function writeSkill(root: string, folderName: string, frontmatter: string, body = '# Title\n\nText.\n'): string {
  const folder = path.join(root, folderName);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'SKILL.md'), `---\n${frontmatter}\n---\n${body}`);
  return folder;
}

const projectRoot = (place: Place) => path.join(place.project, '.agent', 'skills');
const userRoot = (place: Place) => path.join(place.home, '.agent', 'skills');

test('--version prints the version, as JSON too', async (t) => {
  const { run } = makePlace(t);
  assert.deepEqual(await run(['--version']), { code: 0, stdout: `${about.version}\n`, stderr: '' });
  assert.equal(JSON.parse((await run(['-V', '--json'])).stdout).data.version, about.version);
});

test('002-97 help lists the commands, and each explains itself in both languages', async (t) => {
  const { run } = makePlace(t);
  const general = await run(['--help']);
  assert.equal(general.code, 0);
  for (const name of ['list', 'inspect', 'validate', 'new', 'init'])
    assert.match(general.stdout, new RegExp(`^  ${name} `, 'm'));
  const one = await run(['help', 'inspect']);
  assert.match(one.stdout, /skillwright inspect <skill> \[options\]/);
  assert.match(one.stdout, /Examples\n {2}skillwright inspect/);
  const chinese = await run(['inspect', '-h', '--lang', 'zh']);
  assert.match(chinese.stdout, /用法\n {2}skillwright inspect <skill>/);
});

test('a wrong word is a usage error with a suggestion, in the format that was asked for', async (t) => {
  const { run } = makePlace(t);
  const human = await run(['lsit']);
  assert.equal(human.code, 2);
  assert.equal(human.stdout, '');
  assert.match(human.stderr, /^❌ Usage: unknown command: lsit\n {2}hint: Did you mean list\?\n$/);
  const json = await run(['list', '--sorce', 'user', '--json', '--lang', 'zh']);
  assert.equal(json.code, 2);
  const outcome = JSON.parse(json.stdout);
  assert.equal(outcome.data.code, 'USAGE');
  assert.equal(outcome.data.recoverable, true);
  assert.deepEqual(outcome.data.details.suggestions, ['--source']);
  assert.match(outcome.summary, /未知选项/);
});

test('002-01 002-44 002-46 002-64 list shows the skills of project and user with all that an index entry has', async (t) => {
  const place = makePlace(t);
  writeSkill(projectRoot(place), 'alpha', 'name: alpha\ndescription: First of the project.\nversion: 1.2.0');
  writeSkill(userRoot(place), 'alpha', 'name: alpha\ndescription: The one of the user.');
  writeSkill(userRoot(place), 'beta', 'name: beta\ndescription: 处理中文表格。');
  const { code, stdout, stderr } = await place.run(['list', '--json']);
  assert.equal(code, 0, stderr);
  const { data } = JSON.parse(stdout);
  const mine = data.skills.filter(({ source }: { source: string }) => source !== 'builtin');
  assert.deepEqual(
    mine.map(({ skill_id }: { skill_id: string }) => skill_id),
    ['project:alpha@1.2.0', 'user:beta'],
  );
  assert.deepEqual(Object.keys(mine[0]), [
    'skill_id',
    'name',
    'folder_name',
    'source',
    'kind',
    'description',
    'version',
    'path',
    'controls',
    'state',
  ]);
  assert.equal(mine[0].path, path.join(projectRoot(place), 'alpha', 'SKILL.md'));
  assert.equal(data.total, data.skills.length);
  assert.ok(Array.isArray(data.diagnostics));
  const human = await place.run(['list', '--all', '--lang', 'zh'], { env: { COLUMNS: '80' } });
  assert.match(human.stdout, /^✅ 共 \d+ 个技能: project 1, user 2/);
  assert.match(human.stdout, /^alpha +prompt +user \(被遮蔽\) +The one of the user/m);
});

test('002-58 a skill only the model may choose is not listed, and --all shows it', async (t) => {
  const place = makePlace(t);
  writeSkill(projectRoot(place), 'quiet', 'name: quiet\ndescription: Only for the model.\nuser-invocable: false');
  assert.doesNotMatch((await place.run(['list'])).stdout, /quiet/);
  assert.match((await place.run(['list', '--all'])).stdout, /^quiet /m);
});

test('002-02 002-47 002-48 002-56 002-66 inspect shows manifest, digest, resources by folder, limits and the body', async (t) => {
  const place = makePlace(t);
  const folder = writeSkill(
    projectRoot(place),
    'org/tool',
    'name: tool\ndescription: Of an organisation.\nauthor: Ada\nversion: 0.3.0\nallowed-tools: read_file grep',
    '# Tool\n\nDo it.\n',
  );
  writeSkill(userRoot(place), 'tool', 'name: tool\ndescription: Of the user.');
  for (const file of ['scripts/run.py', 'references/a.md', 'assets/logo.svg', 'notes.txt']) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), 'x');
  }
  const { stdout } = await place.run(['inspect', 'org/tool', '--body', '--json']);
  const { data } = JSON.parse(stdout);
  assert.equal(data.skill.skill_id, 'project:tool@0.3.0');
  assert.equal(data.manifest.author, 'Ada');
  assert.deepEqual(
    data.manifest.allowed_tools.map(({ tool }: { tool: string }) => tool),
    ['read_file', 'grep'],
  );
  assert.deepEqual(data.resources, {
    scripts: ['scripts/run.py'],
    reference: ['references/a.md'],
    assets: ['assets/logo.svg'],
    other: ['notes.txt'],
  });
  assert.match(data.digest, /^[0-9a-z:]{32,}$/);
  assert.equal(data.body.trim(), '# Tool\n\nDo it.');
  assert.deepEqual(data.limits, { timeout: null });
  const fromUser = JSON.parse((await place.run(['inspect', 'tool', '--source', 'user', '--json'])).stdout);
  assert.equal(fromUser.data.skill.description, 'Of the user.');
});

test('000-04 a protocol skill has 300 seconds, a command skill 60, unless it says otherwise', async (t) => {
  const place = makePlace(t);
  writeSkill(projectRoot(place), 'talks', 'name: talks\ndescription: Speaks the protocol.\nentry: scripts/main.py');
  writeSkill(
    projectRoot(place),
    'does',
    'name: does\ndescription: Runs a command.\ncommand: python scripts/main.py {input}',
  );
  for (const name of ['talks', 'does']) {
    mkdirSync(path.join(projectRoot(place), name, 'scripts'));
    writeFileSync(path.join(projectRoot(place), name, 'scripts', 'main.py'), 'print()\n');
  }
  assert.deepEqual(JSON.parse((await place.run(['inspect', 'talks', '--json'])).stdout).data.limits, { timeout: 300 });
  assert.deepEqual(JSON.parse((await place.run(['inspect', 'does', '--json'])).stdout).data.limits, { timeout: 60 });
});

test('a skill that is not there is named with its neighbours', async (t) => {
  const place = makePlace(t);
  writeSkill(projectRoot(place), 'markdown-tools', 'name: markdown-tools\ndescription: x y z.');
  const { code, stderr } = await place.run(['inspect', 'markdwn-tools']);
  assert.equal(code, 1);
  assert.match(stderr, /SkillNotFound: skill not installed: markdwn-tools\n {2}hint: Did you mean markdown-tools\?/);
});

test('002-55 003-52 validate names what is wrong, keeps unknown fields, and exits 1 on failure', async (t) => {
  const place = makePlace(t);
  writeSkill(projectRoot(place), 'good', 'name: good\ndescription: Fine as it is.');
  const bad = writeSkill(projectRoot(place), 'bad', 'name: bad');
  const failed = await place.run(['validate', '--json']);
  assert.equal(failed.code, 1);
  const { state, data } = JSON.parse(failed.stdout);
  assert.equal(state, 'error');
  assert.deepEqual([data.passed, data.failed, data.type, data.code], [1, 1, 'CheckFailed', 'CHECK_FAILED']);
  const result = data.results.find((one: { path: string }) => one.path === path.join(bad, 'SKILL.md'));
  assert.equal(result.ok, false);
  assert.equal(result.profile, 'lenient');
  assert.match(JSON.stringify(result.diagnostics), /description/);
  const agent = path.join(place.project, 'skills.md');
  writeFileSync(agent, '---\nname: skills\ndescription: 技能执行。\ncolor: purple\n---\n# Skills\n');
  const kept = await place.run(['validate', agent, path.join(projectRoot(place), 'good'), '--json']);
  assert.equal(kept.code, 0, kept.stdout);
  assert.equal(JSON.parse(kept.stdout).data.passed, 2);
});

test('validate --fix mends the file in place and keeps its mode', async (t) => {
  const place = makePlace(t);
  const file = path.join(
    writeSkill(projectRoot(place), 'crooked', 'name: crooked\ndescription: Use it: now.'),
    'SKILL.md',
  );
  chmodSync(file, 0o640);
  const fixed = JSON.parse((await place.run(['validate', 'crooked', '--fix', '--json'])).stdout).data;
  assert.deepEqual([fixed.passed, fixed.results[0].diagnostics], [1, []]);
  assert.ok(fixed.results[0].fixed.length > 0);
  assert.match(readFileSync(file, 'utf8'), /^description: ["'].*["']$/m);
  assert.equal(statSync(file).mode & 0o777, 0o640);
});

test('completion never hands a shell a name it could expand', async (t) => {
  const place = makePlace(t);
  for (const name of ['plain', '表格', '$(touch owned)', '`id`', 'a;b', '-rf'])
    writeSkill(projectRoot(place), name, 'name: x\ndescription: y z.');
  const { stdout } = await place.run(['completion', '--skills']);
  const builtin = readdirSync(path.join(repository, 'skills'), { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  );
  const expected = ['plain', '表格', ...builtin.map(({ name }) => name)];
  assert.deepEqual(stdout.trim().split('\n').sort(), expected.sort());
});

test('an answer that cannot be written ends with one line, not with a stack', async (t) => {
  if (!existsSync('/dev/full')) return t.diagnostic('not run: there is no /dev/full here');
  const place = makePlace(t);
  const full = openSync('/dev/full', 'w');
  t.after(() => closeSync(full));
  const child = spawnSync(process.execPath, [commandLine(), 'list', '--json'], {
    cwd: place.project,
    env: { PATH: process.env.PATH ?? '', HOME: place.home, NODE_DISABLE_COMPILE_CACHE: '1' },
    stdio: ['ignore', full, 'pipe'],
    encoding: 'utf8',
  });
  assert.equal(child.status, 1);
  assert.equal(child.stderr, 'skillwright cannot write its answer: ENOSPC\n');
});

test('doctor says of every SKILL.md whether it is seen and why not', async (t) => {
  const place = makePlace(t);
  writeSkill(projectRoot(place), 'same', 'name: same\ndescription: The one that wins.');
  writeSkill(userRoot(place), 'same', 'name: same\ndescription: The one that does not.');
  writeSkill(userRoot(place), 'broken', 'name: broken');
  const { stdout } = await place.run(['doctor', '--json']);
  const { data } = JSON.parse(stdout);
  const why = Object.fromEntries(
    data.skills.map((one: { path: string; visible: boolean; why: string }) => [one.path, [one.visible, one.why]]),
  );
  assert.deepEqual(why[path.join(projectRoot(place), 'same', 'SKILL.md')], [true, 'visible']);
  assert.deepEqual(why[path.join(userRoot(place), 'same', 'SKILL.md')], [false, 'shadowed by project:same']);
  assert.match(why[path.join(userRoot(place), 'broken', 'SKILL.md')].join(), /^false,.*description/);
  assert.deepEqual(Object.keys(data.sandbox), ['tier', 'not_enforced']);
  assert.ok(data.checks.length > 3);
  assert.match((await place.run(['doctor'])).stdout, /Not visible\n[^\n]+same/);
  const chinese = JSON.parse((await place.run(['doctor', '--json', '--lang', 'zh'])).stdout);
  for (const one of chinese.data.skills) assert.match(one.why, /\p{Script=Han}/u);
});

test('002-43 init sets a folder up once and trusts only what was empty', async (t) => {
  const place = makePlace(t);
  const first = JSON.parse((await place.run(['init', '--json'])).stdout).data;
  const settings = ['.agent/skills', '.agent/evals', '.agent/config.json', '.agent/.gitignore'];
  const worker = ['skill_manager', 'skill_scanner', 'file_editor'].map((name) => `bin/${name}.py`);
  const agents = ['.claude/agents', '.claude/agents/worker_agent.md', '.claude/agents/skills.md'];
  const expected = [...settings, 'bin', ...worker, ...agents];
  assert.deepEqual(first.created.toSorted(), expected.toSorted());
  assert.equal(first.trusted, true);
  const second = JSON.parse((await place.run(['init', '--json'])).stdout).data;
  assert.deepEqual([second.created, second.trusted], [[], true]);
  const foreign = makePlace(t);
  writeFileSync(path.join(foreign.project, '.agent', 'config.json'), '{"execution": {"default": "ask"}}');
  const other = await foreign.run(['init']);
  assert.match(other.stdout, /run `skillwright trust`/);
  assert.equal(JSON.parse((await foreign.run(['trust', '--show', '--json'])).stdout).data.trusted, false);
});

test('trust is given, shown and taken back', async (t) => {
  const place = makePlace(t);
  writeFileSync(path.join(place.project, '.agent', 'config.json'), '{}');
  const given = JSON.parse((await place.run(['trust', '--json'])).stdout).data;
  assert.deepEqual([given.trusted, given.files], [true, ['.agent/config.json']]);
  const revoked = await place.run(['trust', '--revoke', '--lang', 'zh']);
  assert.match(revoked.stdout, /^✅ 已撤销信任/);
});

test('schema prints a format as JSON Schema', async (t) => {
  const { run } = makePlace(t);
  assert.deepEqual(JSON.parse((await run(['schema', '--json'])).stdout).data.names, [
    'config',
    'role',
    'outcome',
    'request',
    'response',
    'decision',
    'actions',
    'plan',
    'eval',
    'run-event',
    'diagnostic',
  ]);
  assert.ok(JSON.parse((await run(['schema', 'config'])).stdout).properties.skill_roots);
  assert.ok(JSON.parse((await run(['schema', 'role'])).stdout).properties.schedule.items.properties.timezone);
  const wrong = await run(['schema', 'confg']);
  assert.equal(wrong.code, 2);
  assert.match(wrong.stderr, /Did you mean config/);
});

test('threat 24 blocked, threat 47 blocked: hostile folder names and descriptions never reach the terminal raw', async (t) => {
  const place = makePlace(t);
  const hostile = '\u001b[2J\u202egnp\u0007';
  writeSkill(projectRoot(place), `evil${hostile}`, `name: fine\ndescription: "a\\e]52;c;eA==\\a b"`);
  writeSkill(projectRoot(place), 'lines\nforged', 'name: lines\ndescription: "one\\nSKILL forged \\u009b2J"');
  writeSkill(projectRoot(place), 'tags', 'name: tags\ndescription: "x \\U000E0041 y"');
  for (const args of [
    ['list', '--all'],
    ['doctor'],
    ['validate'],
    ['list', '--json'],
    ['doctor', '--format', 'compact'],
    ['inspect', hostile],
  ]) {
    const { stdout, stderr } = await place.run(args);
    for (const line of `${stdout}${stderr}`.split('\n'))
      assert.doesNotMatch(line, /\p{Cc}|\u202e|\u{e0041}/u, args.join(' '));
  }
});

test('broken settings are named on stderr and listing still works', async (t) => {
  const place = makePlace(t);
  writeSkill(projectRoot(place), 'alpha', 'name: alpha\ndescription: First.');
  writeFileSync(path.join(place.project, '.agent', 'config.json'), '{"execution": }');
  const { code, stdout, stderr } = await place.run(['list', '--json']);
  assert.equal(code, 0);
  assert.equal(JSON.parse(stdout).data.skills[0].name, 'alpha');
  assert.match(stderr, /\.agent\/config\.json:1:\d+: error/);
});

test('roots that are files or cannot be read are reported, not fatal', async (t) => {
  const place = makePlace(t);
  writeFileSync(projectRoot(place), 'a file');
  const { code, stdout } = await place.run(['list', '--json']);
  assert.equal(code, 0);
  assert.match(stdout, /root-not-a-folder/);
  if (process.getuid?.() !== 0) return t.diagnostic('unreadable root not run: only root can change the user');
  mkdirSync(userRoot(place), { recursive: true });
  chmodSync(userRoot(place), 0o700);
  const foreign = await place.run(['list', '--json'], { uid: 65534 });
  assert.equal(foreign.code, 6, foreign.stderr);
  assert.match(foreign.stdout, /root-unreadable/);
});

test('a reader that leaves early ends the command quietly', async (t) => {
  const place = makePlace(t);
  for (let at = 0; at < 300; at++) {
    writeSkill(projectRoot(place), `skill-${at}`, `name: skill-${at}\ndescription: ${'long text '.repeat(90)}`);
  }
  const child = spawn(process.execPath, [commandLine(), 'list'], {
    cwd: place.project,
    env: { PATH: process.env.PATH ?? '', HOME: place.home, NODE_DISABLE_COMPILE_CACHE: '1' },
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  child.stdout.once('data', () => child.stdout.destroy());
  const [code] = await once(child, 'close');
  assert.equal(stderr, '');
  assert.equal(code, 0);
});

const SLOW_READER = `
import fcntl, os, subprocess, sys, time
reader, writer = os.pipe()
fcntl.fcntl(writer, fcntl.F_SETFL, fcntl.fcntl(writer, fcntl.F_GETFL) | os.O_NONBLOCK)
child = subprocess.Popen(sys.argv[1:], stdout=writer)
os.close(writer)
time.sleep(0.5)
count = 0
while block := os.read(reader, 65536): count += len(block)
print(count, child.wait())
`;

test('an answer is whole also for a slow reader of a pipe that does not block', async (t) => {
  const place = makePlace(t);
  for (let at = 0; at < 300; at++) {
    writeSkill(projectRoot(place), `skill-${at}`, `name: skill-${at}\ndescription: ${'long text '.repeat(90)}`);
  }
  const wide = { COLUMNS: '2000' };
  const { stdout } = await place.run(['list'], { env: wide });
  const command = [process.execPath, commandLine(), 'list'];
  const slow = spawnSync('python3', ['-c', SLOW_READER, ...command], {
    cwd: place.project,
    env: { PATH: process.env.PATH ?? '', HOME: place.home, NODE_DISABLE_COMPILE_CACHE: '1', ...wide },
    encoding: 'utf8',
  });
  assert.ok(stdout.length > 200_000);
  assert.equal(slow.stdout, `${Buffer.byteLength(stdout)} 0\n`, slow.stderr);
});

test('colour reaches a pipe only when it is forced', async (t) => {
  const { run } = makePlace(t);
  assert.ok(!(await run(['--help'])).stdout.includes('\u001b'));
  assert.ok((await run(['--help'], { env: { FORCE_COLOR: '1' } })).stdout.includes('\u001b'));
  assert.ok(!(await run(['--help'], { env: { FORCE_COLOR: '1', NO_COLOR: '1' } })).stdout.includes('\u001b'));
});

test('001-22 the compact format is two lines, for failures too', async (t) => {
  const { run } = makePlace(t);
  const { code, stdout } = await run(['inspect', 'nothing', '--format', 'compact']);
  assert.equal(code, 1);
  assert.match(
    stdout,
    /^❌ skillwright SkillNotFound: [^\n]+\n {2}state: error \| data: \{type: "SkillNotFound", .+\} \| meta: \{agent: skillwright, time: [\d.]+, ts: "[^"]+Z"\}\n$/,
  );
});

test('a project folder that is not there is a usage error', async (t) => {
  const { run } = makePlace(t);
  const { code, stderr } = await run(['list', '-C', 'nowhere']);
  assert.equal(code, 2);
  assert.match(stderr, /nowhere/);
});
