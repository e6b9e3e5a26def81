// What `new` writes: complete, valid under the strictest profile, and working as it stands.
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { runCli, temporaryFolder } from '../../support/support.ts';

const HEADINGS = ['Goal', 'IO Contract', 'Steps', 'Failure Modes', 'Checklist', 'Resources'];

function makePlace(t: TestContext) {
  const cwd = temporaryFolder(t);
  mkdirSync(path.join(cwd, '.agent'));
  return { cwd, home: temporaryFolder(t) };
}

async function writeNew(t: TestContext, ...args: string[]) {
  const place = makePlace(t);
  const { code, stdout, stderr } = await runCli(['new', 'my-skill', '--json', ...args], place);
  assert.equal(code, 0, stderr + stdout);
  const { data } = JSON.parse(stdout);
  return { ...place, folder: data.path as string, data };
}

test('002-63 a new prompt skill has the six headings and passes the strict profile', async (t) => {
  const { folder, cwd, home, data } = await writeNew(t);
  assert.deepEqual([data.kind, data.language, data.files], ['prompt', null, ['SKILL.md', 'references/checklist.md']]);
  const text = readFileSync(path.join(folder, 'SKILL.md'), 'utf8');
  for (const heading of HEADINGS) assert.match(text, new RegExp(`^## ${heading}$`, 'm'));
  assert.match(text, /^name: my-skill$/m);
  assert.match(text, /^# My Skill$/m);
  const checked = await runCli(['validate', folder, '--profile', 'strict', '--json'], { cwd, home });
  assert.deepEqual(JSON.parse(checked.stdout).data.results[0].diagnostics, []);
});

test('002-63 validate --profile strict reports the headings that are absent', async (t) => {
  const { folder, cwd, home } = await writeNew(t, '--description', 'Says what it does.');
  const file = path.join(folder, 'SKILL.md');
  writeFileSync(file, readFileSync(file, 'utf8').replace('## Failure Modes', '## Notes'));
  const { stdout } = await runCli(['validate', file, '--profile', 'strict', '--json'], { cwd, home });
  assert.match(JSON.stringify(JSON.parse(stdout).data.results[0].diagnostics), /Failure Modes/);
});

const hasPython = spawnSync('python3', ['--version']).error === undefined;

const RUNS: Record<string, string[]> = {
  python: ['python3', 'tests/test_main.py'],
  typescript: [process.execPath, '--test', 'tests/main.test.mts'],
  javascript: [process.execPath, '--test', 'tests/main.test.mjs'],
  bash: ['bash', 'tests/test.sh'],
};

test('000-68 every kind of new skill in every language is valid under the strict profile, and its own test passes', async (t) => {
  const place = makePlace(t);
  const cases = ['command', 'protocol'].flatMap((kind) =>
    Object.keys(RUNS).map((language) => ({ kind, language, name: `${kind}-${language}` })),
  );
  await Promise.all(
    cases.map(async ({ kind, language, name }) => {
      const args = ['new', name, '--kind', kind, '--lang', language, '--lang', 'zh', '--json'];
      const { summary, data } = JSON.parse((await runCli(args, place)).stdout);
      assert.deepEqual([summary, data.kind, data.language], [`已创建 ${kind} 技能: ${name}`, kind, language]);
      for (const file of data.files)
        assert.doesNotMatch(readFileSync(path.join(data.path, file), 'utf8'), /skill-name|Skill Name/);
    }),
  );
  const root = path.join(place.cwd, '.agent', 'skills');
  const checked = JSON.parse((await runCli(['validate', root, '--profile', 'strict', '--json'], place)).stdout).data;
  assert.equal(checked.passed, cases.length);
  for (const result of checked.results) assert.deepEqual(result.diagnostics, []);
  const listed = JSON.parse((await runCli(['list', '--source', 'project', '--json'], place)).stdout).data.skills;
  assert.deepEqual(
    listed.map((skill: { kind: string }) => skill.kind),
    cases.map(({ kind }) => kind).sort(),
  );
  for (const { language, name } of cases) {
    const [program = '', ...args] = RUNS[language] ?? [];
    if (program === 'python3' && !hasPython) t.diagnostic('not run: there is no python3 here');
    else await promisify(execFile)(program, args, { cwd: path.join(root, name), env: { PATH: process.env.PATH } });
  }
});

test('the step that `new` advises for a command works as it is printed', { skip: !hasPython }, async (t) => {
  const place = makePlace(t);
  const made = await runCli(['new', 'measure', '--kind', 'command'], place);
  const [, words = ''] = /`skillwright (.*)`/.exec(made.stdout) ?? [];
  const tried = await runCli(words.split(' '), place);
  assert.deepEqual([tried.code, words], [0, 'invoke measure .agent/skills/measure/SKILL.md --yes']);
});

test('000-11 inspect lists the actions of a skill and what each takes', async (t) => {
  const { cwd, home } = await writeNew(t, '--kind', 'protocol', '--lang', 'bash');
  const { stdout } = await runCli(['inspect', 'my-skill'], { cwd, home });
  assert.match(
    stdout,
    /actions +analyze: .*\n +text \(string, required\)\n +min_length \(integer, default 1, minimum 1\)\n +describe: .*\n +test: .*\n/,
  );
});

test('000-24 000-34 a new Python protocol skill documents input and output, bounds its time and answers `test`', async (t) => {
  const { folder } = await writeNew(t, '--kind', 'protocol', '--lang', 'python');
  const script = path.join(folder, 'scripts', 'main.py');
  const text = readFileSync(script, 'utf8');
  assert.match(text, /^#!\/usr\/bin\/env python3\n"""[^"]+\nInput[^\n]*:\n/);
  assert.match(text, /\nOutput[^\n]*:\n/);
  assert.match(text, /^TIMEOUT = 300$/m);
  if (spawnSync('python3', ['--version']).error)
    return t.diagnostic('running it was not run: there is no python3 here');
  const done = spawnSync('python3', ['-B', script], { input: '{"action":"test"}', encoding: 'utf8' });
  assert.equal(done.status, 0);
  assert.equal(JSON.parse(done.stdout).success, true);
});

test('an existing skill is never written over', async (t) => {
  const { cwd, home, folder } = await writeNew(t);
  const before = readFileSync(path.join(folder, 'SKILL.md'), 'utf8');
  const again = await runCli(['new', 'my-skill', '--kind', 'command'], { cwd, home });
  assert.equal(again.code, 1);
  assert.match(again.stderr, /AlreadyExists/);
  assert.equal(readFileSync(path.join(folder, 'SKILL.md'), 'utf8'), before);
  assert.deepEqual(readdirSync(path.dirname(folder)), ['my-skill']);
});

test('names and descriptions that could not be published are refused, nothing is written', async (t) => {
  const { cwd, home } = makePlace(t);
  for (const name of ['My Skill', '../up', '/etc/x', 'a/b/c', '\u001b[2J', '.hidden']) {
    const { code, stderr } = await runCli(['new', '--', name], { cwd, home });
    assert.equal(code, 1, name);
    assert.match(stderr, /ParamInvalid/);
  }
  const tagged = await runCli(['new', 'x', '--description', 'a <system>b</system>'], { cwd, home });
  assert.match(tagged.stderr, /ParamInvalid: .*description/);
  assert.deepEqual(readdirSync(path.join(cwd, '.agent')), []);
});

test('short names of programming languages are taken as well', async (t) => {
  for (const [short, language] of Object.entries({ py: 'python', ts: 'typescript', js: 'javascript', sh: 'bash' })) {
    const { data } = await writeNew(t, '--kind', 'protocol', '--lang', short);
    assert.equal(data.language, language);
  }
});

test('--source user and a namespace choose the place, scripts are executable', async (t) => {
  const { cwd, home } = makePlace(t);
  await runCli(['new', 'acme/report', '--kind', 'command', '--lang', 'bash', '--source', 'user'], { cwd, home });
  const script = path.join(home, '.agent', 'skills', 'acme', 'report', 'scripts', 'main.sh');
  assert.equal(statSync(script).mode & 0o111, 0o111);
});

test('what new writes raises no finding of vet about the network', async (t) => {
  const { folder, cwd, home } = await writeNew(t, '--kind', 'protocol', '--lang', 'python');
  const { stdout } = await runCli(['vet', folder, '--json'], { cwd, home });
  assert.doesNotMatch(stdout, /undeclared-network/);
  assert.equal(JSON.parse(stdout).state, 'success');
});

test('new says which skill its name meant before, and `list` shows what hides what', async (t) => {
  const { cwd, home } = makePlace(t);
  const run = (...args: string[]) => runCli(args, { cwd, home });
  const plain = await run('new', 'my-skill');
  assert.doesNotMatch(plain.stderr + plain.stdout, /now means|still means/);
  const hiding = await run('new', 'csv-insights');
  assert.match(
    hiding.stderr + hiding.stdout,
    /csv-insights now means this skill and no longer builtin:csv-insights, which that name still reaches/,
  );
  const hidden = await run('new', 'csv-insights', '--source', 'user', '--json');
  assert.equal(JSON.parse(hidden.stdout).data.shadowed_by, 'project:csv-insights@0.1.0');
  const listed = (await run('list')).stdout;
  assert.match(listed, /csv-insights +\w+ +project \(shadows user, builtin\)/);
  assert.match(listed, /my-skill +\w+ +project {2,}/);
  assert.match((await run('list', '--lang', 'zh')).stdout, /project \(遮蔽 user, builtin\)/);
  assert.match((await run('list', '--source', 'builtin')).stdout, /csv-insights +\w+ +builtin \(shadowed\)/);
});
