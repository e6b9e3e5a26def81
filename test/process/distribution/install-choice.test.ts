// A source with several skills: damaged ones are left out and named, a terminal lets a person choose, other agents find them.
import assert from 'node:assert/strict';
import { existsSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { writeZip } from '../../../src/distribution/archive/zip-writer.ts';
import { runCli, temporaryFolder } from '../../support/support.ts';
import { atTerminal } from '../../support/terminal.ts';

const SOUND = '---\nname: good\ndescription: Does good work.\n---\nText.\n';
const NAMELESS = '---\ndescription: Writes commit messages.\n---\nText.\n';
const DAMAGED = '---\nname: bad\n---\nNo description.\n';

function makeSource(t: TestContext, files: Record<string, string>) {
  const folder = temporaryFolder(t);
  const [cwd, home, source] = ['project', 'home', 'skills'].map((name) => path.join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const one of [path.join(cwd, '.agent'), home]) mkdirSync(one, { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.join(source, name), { recursive: true });
    writeFileSync(path.join(source, name, 'SKILL.md'), text);
  }
  const run = (...args: string[]) => runCli(args, { cwd, home });
  const isThere = (name: string) => existsSync(path.join(cwd, '.agent/skills', name, 'SKILL.md'));
  return { cwd, home, source, run, isThere };
}

const ALL = { good: SOUND, 'commit-helper': NAMELESS, broken: DAMAGED };

test('a damaged skill is named and left out; the others are installed, one without a name under that of its folder', async (t) => {
  const { source, run, isThere } = makeSource(t, ALL);
  const { code, stdout } = await run('install', source, '--yes');
  assert.equal(code, 6, stdout);
  assert.match(stdout, /^⚠️ installed for the project: commit-helper, good$/m);
  assert.match(stdout, /✗ broken \(damaged, left out\): broken\/SKILL\.md: Add a description/);
  assert.deepEqual(['good', 'commit-helper', 'broken'].map(isThere), [true, true, false]);
  const listed = JSON.parse((await run('list', '--source', 'project', '--json')).stdout);
  assert.deepEqual(
    listed.data.skills.map(({ name }: { name: string }) => name),
    ['commit-helper', 'good'],
  );
  assert.equal((await run('verify')).code, 0);
});

test('a second rollback leads forth again, and both say where', async (t) => {
  const versioned = (version: string) =>
    `---\nname: good\ndescription: Does good work.\nversion: ${version}\n---\nText.\n`;
  const { cwd, source, run } = makeSource(t, { good: versioned('1.0.0') });
  await run('install', path.join(source, 'good'), '--yes');
  writeFileSync(path.join(source, 'good', 'SKILL.md'), versioned('2.0.0'));
  await run('update', '--yes');
  const installed = () =>
    /version: (\S+)/.exec(readFileSync(path.join(cwd, '.agent/skills/good/SKILL.md'), 'utf8'))?.[1];
  const back = await run('rollback', 'good');
  assert.match(back.stdout, /good: back from 2\.0\.0 to 1\.0\.0[\s\S]*leads forth to 2\.0\.0 again/);
  assert.equal(installed(), '1.0.0');
  const forth = await run('rollback', 'good', '--json');
  const { from, to } = JSON.parse(forth.stdout).data;
  assert.deepEqual([from, to, installed()], ['1.0.0', '2.0.0', '2.0.0']);
});

test('--skill takes what is named; a damaged one that is named is an error', async (t) => {
  const { source, run, isThere } = makeSource(t, ALL);
  const [one, bad] = await Promise.all([
    run('install', source, '--skill', 'good', '--yes'),
    run('install', source, '--skill', 'broken', '--yes'),
  ]);
  assert.deepEqual([one.code, bad.code], [0, 1], one.stderr + bad.stderr);
  assert.match(bad.stderr, /MetadataMissing: .*broken\/SKILL\.md: Add a description/);
  assert.deepEqual(['good', 'commit-helper', 'broken'].map(isThere), [true, false, false]);
  const own = await run('install', path.join(source, 'commit-helper'), '--yes');
  assert.equal(own.code, 0, own.stderr);
  assert.equal(isThere('commit-helper'), true);
});

test('a terminal shows what there is and installs what was chosen', async (t) => {
  const { cwd, home, source, isThere } = makeSource(t, ALL);
  const asked = await atTerminal(['install', source], {
    cwd,
    home,
    until: 'Enter = none:',
    type: 'broken\r',
    more: [
      ['not damaged; a = all, Enter = none:', '3\r'],
      ['(type y to continue):', 'y\r'],
    ],
  });
  assert.equal(asked.code, 0, asked.shown);
  assert.match(asked.shown, /1 +broken +damaged: .*\r\n.*2 +commit-helper +Writes.*\r\n.*3 +good +Does good work/);
  assert.deepEqual(['good', 'commit-helper', 'broken'].map(isThere), [true, false, false]);
});

test('--for makes another agent find the one copy, and uninstalling takes that away, too', async (t) => {
  const { cwd, source, run } = makeSource(t, { good: SOUND });
  const link = path.join(cwd, '.claude/skills/good');
  const { code, stdout, stderr } = await run('install', source, '--for', 'claude-code', '--yes');
  assert.equal(code, 0, stderr);
  assert.match(stdout, /link for other agents: \.claude\/skills\/good/);
  assert.equal(lstatSync(link).isSymbolicLink(), true);
  assert.equal(readFileSync(path.join(link, 'SKILL.md'), 'utf8'), SOUND);
  assert.equal(JSON.parse((await run('list', '--source', 'project', '--all', '--json')).stdout).data.total, 1);
  assert.match((await run('install', source, '--for', 'claude-code', '--yes')).stdout, /nothing to do/);
  await run('uninstall', 'good');
  assert.equal(lstatSync(link, { throwIfNoEntry: false }), undefined);
});

test('what lies where the link would be stays, and nothing is installed', async (t) => {
  const { cwd, source, run, isThere } = makeSource(t, { good: SOUND });
  mkdirSync(path.join(cwd, '.agents/skills/good'), { recursive: true });
  const { code, stderr } = await run('install', source, '--for', 'codex', '--yes');
  assert.deepEqual([code, isThere('good')], [1, false]);
  assert.match(stderr, /AlreadyExists: already there: .*\.agents\/skills\/good/);
});

test('the help of install says what damaged skills do to a folder and to a pack, and it is so', async (t) => {
  const { source, cwd, run, isThere } = makeSource(t, ALL);
  const help = (await run('install', '--help')).stdout.replace(/\s+/g, ' ');
  assert.match(
    help,
    /Of a folder or a repository, skills whose SKILL\.md is damaged are left out and named \(exit code 6\)/,
  );
  assert.match(help, /a pack is taken whole or, where one of it is damaged, not at all/);
  const pack = path.join(cwd, 'mixed.zip');
  writeFileSync(pack, writeZip(Object.entries(ALL).map(([name, text]) => zipped(`${name}/SKILL.md`, text))));
  const refused = await run('install', pack, '--yes');
  assert.equal(refused.code, 1);
  assert.equal(isThere('good'), false);
  assert.equal((await run('install', source, '--yes')).code, 6);
  assert.equal(isThere('good'), true);
});

function zipped(name: string, text: string) {
  return { name, content: Buffer.from(text), executable: false };
}
