// Folders nobody would make on purpose, through the command line: a clear outcome, nothing raw, nothing lost.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { isLong, runCli, temporaryFolder } from '../support/support.ts';

const COMMANDS = [
  ['list'],
  ['list', '--deep', '--all', '--json'],
  ['doctor', '--deep', '--format', 'compact'],
  ['doctor', '--lang', 'zh'],
  ['validate'],
  ['scan', '--json'],
  ['search', 'good'],
  ['inspect', 'good', '--body'],
];
const HOSTILE = ['new\nline', 'esc\u001b[2J\u001b]0;owned\u0007', 'rtl\u202egnp', 'back\rspace\b', 'c1\u009b31m'];

interface World {
  readonly project: string;
  readonly home: string;
  readonly skills: string;
}

function makeWorld(t: TestContext): World {
  const folder = temporaryFolder(t);
  const [project, home] = [path.join(folder, 'project'), path.join(folder, 'home')];
  const skills = path.join(project, '.agent', 'skills');
  for (const made of [skills, home]) mkdirSync(made, { recursive: true });
  for (const made of [folder, project, home]) chmodSync(made, 0o755);
  writeSkill(skills, 'good');
  return { project, home, skills };
}

function writeSkill(root: string, name: string): void {
  mkdirSync(path.join(root, name), { recursive: true });
  writeFileSync(path.join(root, name, 'SKILL.md'), '---\nname: good\ndescription: A good one.\n---\n# Good\n');
}

test('folders 5,000 deep, circles of links and hostile names: every command answers, and the good skill is there', async (t) => {
  const world = makeWorld(t);
  const deep = path.join(world.skills, 'deep');
  makeDeepFolder(deep, 5000);
  symlinkSync('..', path.join(world.skills, 'circle'));
  for (const name of HOSTILE) writeSkill(world.skills, name);
  for (const args of COMMANDS) {
    const { code, stdout, stderr } = await runCli(args, { cwd: world.project, home: world.home });
    const said = args.join(' ');
    // Whoever looks below other skills is told that some of it lies too deep.
    const expected = args[0] === 'validate' ? 1 : said.startsWith('list --deep') ? 6 : 0;
    assert.equal(code, expected, `${said}: ${stderr}`);
    assert.match(stdout, args[0] === 'validate' ? /esc/ : /good|1 skill|SKILL\.md/, said);
    for (const line of `${stdout}${stderr}`.split('\n')) assert.doesNotMatch(line, /\p{Cc}|\u202e/u, said);
    assert.doesNotMatch(stderr, / {4}at |RangeError|ENAMETOOLONG/, said);
  }
  // Paths of this depth are longer than the system takes at once.
  spawnSync('rm', ['-rf', deep]);
});

test('settings that are no settings: reading goes on, acting does not, and each says which file', async (t) => {
  const world = makeWorld(t);
  const config = path.join(world.project, '.agent', 'config.json');
  for (const text of ['{"execution": }', '[]', '\u0000\u001b[2J', '{"execution": {"default": "alow"}}']) {
    writeFileSync(config, text);
    const listed = await runCli(['list', '--json'], { cwd: world.project, home: world.home });
    assert.equal(listed.code, 0, text);
    assert.equal(JSON.parse(listed.stdout).data.skills[0].name, 'good');
    assert.match(listed.stderr, /config\.json/);
    const refused = await runCli(['invoke', '@good', '--json'], { cwd: world.project, home: world.home });
    assert.equal(refused.code, 1, text);
    assert.equal(JSON.parse(refused.stdout).data.type, 'ConfigInvalid');
    for (const line of `${listed.stderr}${refused.stderr}`.split('\n')) assert.doesNotMatch(line, /\p{Cc}/u);
  }
});

test('a root that is a file and a root nobody may read are named, and the others are listed', async (t) => {
  const world = makeWorld(t);
  const closed = path.join(world.project, '.claude', 'skills');
  writeFileSync(path.join(world.project, '.agents'), 'a file where a folder is expected');
  writeSkill(closed, 'unseen');
  chmodSync(closed, 0o000);
  // Root would read everything.
  const isRoot = process.getuid?.() === 0;
  const asNobody = { cwd: world.project, home: world.home, ...(isRoot && { uid: 65534 }) };
  const { code, stdout } = await runCli(['list', '--json'], asNobody);
  assert.equal(code, 6, stdout);
  const { skills, diagnostics } = JSON.parse(stdout).data;
  assert.equal(skills[0].name, 'good');
  assert.match(JSON.stringify(diagnostics), /root-unreadable/);
  const doctor = await runCli(['doctor'], asNobody);
  assert.match(doctor.stdout, /unreadable/);
});

test('folders nobody may list or enter are told by list, search and validate, which are then partial', async (t) => {
  const world = makeWorld(t);
  for (const [name, mode] of [
    ['no-list', 0o111],
    ['no-entry', 0o444],
    ['nothing', 0o000],
  ] as const) {
    writeSkill(path.join(world.skills, name), 'inner');
    chmodSync(path.join(world.skills, name), mode);
  }
  chmodSync(world.home, 0o777);
  const isRoot = process.getuid?.() === 0;
  const asNobody = { cwd: world.project, home: world.home, ...(isRoot && { uid: 65534 }) };
  for (const args of [['list'], ['search', 'good'], ['validate'], ['validate', '.agent/skills'], ['doctor']]) {
    const { stdout, stderr } = await runCli([...args, '--json'], asNobody);
    const { state, summary, data } = JSON.parse(stdout);
    if (args[0] !== 'doctor') {
      assert.match(
        `${state} ${summary}`,
        /^(?:partial|error) .*(?:skills may be missing|of 3 skills)$/,
        args.join(' '),
      );
    }
    for (const name of ['no-list', 'no-entry', 'nothing'])
      assert.match(JSON.stringify(data), new RegExp(`skills/${name}`), args.join(' '));
    assert.doesNotMatch(`${stdout}${stderr}`, /[Ii]nternal/, args.join(' '));
  }
  const { stdout } = await runCli(['list'], asNobody);
  assert.match(stdout, /^⚠️ .*\n[\s\S]*hint: .*(?:no-list|nothing).*doctor/);
  // So that an ordinary user can remove them.
  for (const name of ['no-list', 'no-entry', 'nothing']) chmodSync(path.join(world.skills, name), 0o700);
});

test('a skill and a role with folders nobody may read are told as such, and the others work', async (t) => {
  const world = makeWorld(t);
  writeSkill(world.skills, 'closed');
  const roles = path.join(world.project, 'agents');
  for (const role of ['fine', 'shut']) {
    mkdirSync(path.join(roles, role, '.claude', 'skills'), { recursive: true });
    writeFileSync(path.join(roles, role, 'agent.yaml'), `description: The role ${role}.\n`);
  }
  const closed = [path.join(world.skills, 'closed', 'data'), path.join(roles, 'shut', '.claude', 'skills')];
  for (const folder of closed) {
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, 0o000);
  }
  chmodSync(world.home, 0o777);
  const isRoot = process.getuid?.() === 0;
  const asNobody = { cwd: world.project, home: world.home, ...(isRoot && { uid: 65534 }) };
  for (const [args, said] of [
    [['inspect', 'closed'], /no-digest.*closed/],
    [['scan'], /no-digest.*closed/],
    [['grants', 'list'], /grants/],
    [['invoke', '@closed'], /closed/],
    [['roles', 'list'], /"fine".*"shut"/],
    [['roles', 'lint'], /unreadable.*EACCES/],
  ] as const) {
    const { stdout, stderr } = await runCli([...args, '--json'], asNobody);
    assert.match(stdout, said, args.join(' '));
    assert.notEqual(JSON.parse(stdout).data.type, 'Internal', stdout);
    assert.doesNotMatch(stderr, / {4}at /, args.join(' '));
  }
  for (const folder of closed) chmodSync(folder, 0o700);
});

test('more folders than are walked: list and search say that skills may be missing', async (t) => {
  if (!isLong()) return t.diagnostic('not run: 100,001 folders are made in the long run only');
  const world = makeWorld(t);
  for (let at = 0; at <= 100_000; at++) mkdirSync(path.join(world.skills, `n${at}`));
  writeSkill(world.skills, 'zzz');
  for (const args of [['list'], ['search', 'good']]) {
    const { code, stdout } = await runCli([...args, '--json'], { cwd: world.project, home: world.home });
    const { summary, data } = JSON.parse(stdout);
    assert.ok(code === 6 && /skills may be missing/.test(summary), `${args[0]}: ${summary}`);
    assert.match(JSON.stringify(data.diagnostics), /walk-limit/);
  }
});

// Step by step, for the same reason.
function makeDeepFolder(folder: string, depth: number): void {
  const before = process.cwd();
  const step = Array.from({ length: 100 }, () => 'd').join('/');
  mkdirSync(folder);
  process.chdir(folder);
  for (let at = 0; at < depth; at += 100) {
    mkdirSync(step, { recursive: true });
    process.chdir(step);
  }
  process.chdir(before);
}
