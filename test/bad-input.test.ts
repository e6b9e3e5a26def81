// Folders nobody would make on purpose, through the command line: a clear outcome, nothing raw, nothing lost.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { runCli, temporaryFolder } from './support.ts';

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
    assert.ok(code === 0 || (args[0] === 'validate' && code === 1), `${said}: exit ${code}: ${stderr}`);
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
  assert.equal(code, 0, stdout);
  const { skills, diagnostics } = JSON.parse(stdout).data;
  assert.equal(skills[0].name, 'good');
  assert.match(JSON.stringify(diagnostics), /root-unreadable/);
  const doctor = await runCli(['doctor'], asNobody);
  assert.match(doctor.stdout, /unreadable/);
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
