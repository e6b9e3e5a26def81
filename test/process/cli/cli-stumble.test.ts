// Where people new to the command line stumbled: words of other tools, the first screen, settings, narrow terminals.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { runCli, temporaryFolder } from '../../support/support.ts';

function makePlace(t: TestContext, files: Record<string, string> = {}) {
  const folder = temporaryFolder(t);
  const [cwd, home] = [path.join(folder, 'project'), path.join(folder, 'home')];
  for (const one of [path.join(cwd, '.agent'), path.join(home, '.agent')]) mkdirSync(one, { recursive: true });
  const write = (name: string, text: string) => {
    mkdirSync(path.dirname(path.join(cwd, name)), { recursive: true });
    writeFileSync(path.join(cwd, name), text);
  };
  for (const [name, text] of Object.entries(files)) write(name, text);
  const run = (args: readonly string[], env: Record<string, string> = {}) => runCli(args, { cwd, home, env });
  return { cwd, home, write, run };
}

const skill = (name: string, fields: string, body = 'Text.') => ({
  [`.agent/skills/${name}/SKILL.md`]: `---\nname: ${name}\n${fields}\n---\n${body}\n`,
});

test('words of other tools do what is meant: ls, find, add, remove, logs, status', async (t) => {
  const { run, cwd } = makePlace(t, {
    ...skill('rhubarb', 'description: Grows rhubarb.'),
    'from/beet/SKILL.md': '---\nname: beet\ndescription: Grows beet.\n---\nx\n',
  });
  const [listed, found, added, logs, status, help] = await Promise.all([
    run(['ls', '--source', 'project']),
    run(['find', 'rhubarb']),
    run(['add', 'from', '--yes']),
    run(['logs']),
    run(['status', '--json']),
    run(['help', 'add']),
  ]);
  assert.match(listed.stdout, /^rhubarb +prompt +project +Grows rhubarb/m);
  assert.match(found.stdout, /^rhubarb +project +Grows/m);
  assert.match(added.stdout, /installed for the project: beet/);
  assert.equal(logs.code, 0, logs.stderr);
  assert.equal(JSON.parse(status.stdout).data.sandbox !== undefined, true);
  assert.match(help.stdout, /skillwright install \[source\]/);
  assert.match((await run(['remove', 'beet'])).stdout, /uninstalled: beet/);
  assert.equal(existsSync(path.join(cwd, '.agent/skills/beet')), false);
});

test('the first screen of help says where to begin, fits a screen, and names every command; --all explains them', async (t) => {
  const { run } = makePlace(t);
  const [first, all, chinese, json] = await Promise.all([
    run(['--help'], { COLUMNS: '100' }),
    run(['help', '--all'], { COLUMNS: '100' }),
    run(['--help', '--lang', 'zh'], { COLUMNS: '60' }),
    run(['--help', '--json']),
  ]);
  assert.match(first.stdout, /^Start here\n {2}skillwright list {2,}/m);
  assert.ok(first.stdout.split('\n').length <= 40, first.stdout);
  for (const { name } of JSON.parse(json.stdout).data.commands) {
    assert.ok(first.stdout.replace(/\s+/g, ' ').includes(name), name);
    assert.match(all.stdout, new RegExp(`^  ${name} `, 'm'));
  }
  assert.match(all.stdout, /^Options of every command$/m);
  assert.match(chinese.stdout, /^从这里开始$/m);
});

test('config shows what counts and where it comes from; doctor names the model and the way to trust', async (t) => {
  const { run, home, write } = makePlace(t);
  assert.match((await run(['config'])).stdout, /everything as it is by default\n.*config\.json/);
  const model = { provider: 'anthropic', name: 'some-model' };
  writeFileSync(path.join(home, '.agent/config.json'), JSON.stringify({ model }));
  write('.agent/config.json', JSON.stringify({ output_folder: 'results', execution: { denied: ['run_command'] } }));
  const [config, doctor, ready] = await Promise.all([
    run(['config']),
    run(['doctor']),
    run(['doctor', '--json'], { ANTHROPIC_API_KEY: 'x'.repeat(20) }),
  ]);
  assert.match(config.stdout, /^model\.name +yes +.*\.agent\/config\.json +some-model$/m);
  assert.match(config.stdout, /^output_folder +no +\.agent\/config\.json +results$/m);
  assert.match(config.stdout, /^execution\.denied +yes +\.agent\/config\.json +\["run_command"\]$/m);
  assert.match(doctor.stdout, /^– model: anthropic:some-model; its key ANTHROPIC_API_KEY is not set$/m);
  assert.match(doctor.stdout, /config-ignored .*`skillwright trust`/);
  const { checks } = JSON.parse(ready.stdout).data;
  const { ok, detail } = checks.find(({ name }: { name: string }) => name === 'model');
  assert.deepEqual([ok, detail], [true, 'anthropic:some-model']);
});

test('a search that finds nothing fitting says so, shows few, and no score', async (t) => {
  const others = Array.from({ length: 20 }, (_, at) => skill(`other-${at}`, `description: Counts cold item ${at}.`));
  const { run } = makePlace(t, Object.assign({}, ...others));
  const { stdout } = await run([
    'search',
    'translate this novel about cold war submarine crews',
    '--source',
    'project',
  ]);
  assert.match(stdout, /^✅ nothing fits well: /);
  assert.ok(stdout.trimEnd().split('\n').length <= 5, stdout);
  assert.doesNotMatch(stdout, /SCORE|\d\.\d\d/);
});

test('list and search keep to the line in a pipe, and list leaves out columns where the terminal is narrow', async (t) => {
  const { run } = makePlace(t, skill('wordy', `description: ${'many words '.repeat(60)}`));
  const [piped, found, narrow] = await Promise.all([
    run(['list', '--source', 'project']),
    run(['search', 'wordy', '--source', 'project']),
    run(['list', '--source', 'project'], { COLUMNS: '60' }),
  ]);
  for (const { stdout } of [piped, found])
    assert.ok(
      stdout.split('\n').every((line) => line.length <= 160),
      stdout,
    );
  assert.match(found.stdout, /^wordy +project +many words/m);
  assert.match(narrow.stdout, /^NAME +DESCRIPTION\nwordy +many words many words many words.*…$/m);
  assert.ok(
    narrow.stdout.split('\n').every((line) => line.length <= 60),
    narrow.stdout,
  );
});

test('strict takes the sign of a block for no angle bracket, and tells all missing sections at once', async (t) => {
  const { run } = makePlace(t, {
    ...skill('folded', 'description: >-\n  Does this\n  and that.\nlicense: |\n  MIT'),
    ...skill('tagged', 'description: >\n  Does <b>this</b>.\n  Or: >'),
  });
  const [good, bad] = await Promise.all([
    run(['validate', '.agent/skills/folded', '--profile', 'strict'], { COLUMNS: '60' }),
    run(['validate', '.agent/skills/tagged', '--profile', 'strict', '--json']),
  ]);
  assert.equal(good.code, 0, good.stdout);
  assert.equal(good.stdout.match(/section-missing/g)?.length, 1);
  assert.match(
    good.stdout.replace(/\s+/g, ' '),
    /Add sections: Goal, IO Contract, Steps, Failure Modes, Checklist, Resources\./,
  );
  assert.ok(
    good.stdout.split('\n').every((line) => line.length <= 60),
    good.stdout,
  );
  const [{ diagnostics }] = JSON.parse(bad.stdout).data.results;
  const lines = diagnostics.filter(({ code }: { code: string }) => code === 'strict-angle-bracket');
  assert.deepEqual(
    lines.map(({ line }: { line: number }) => line),
    [4, 5],
  );
});

test('inspect names what lies outside of the usual folders in the language of the answer', async (t) => {
  const { run } = makePlace(t, { ...skill('loose', 'description: L.'), '.agent/skills/loose/convert.py': 'print()\n' });
  const [english, chinese] = await Promise.all([run(['inspect', 'loose']), run(['inspect', 'loose', '--lang', 'zh'])]);
  assert.match(english.stdout, /^ +other +convert\.py$/m);
  assert.match(chinese.stdout, /^ +其他 +convert\.py$/m);
});

test('validate --fix adds the missing name', async (t) => {
  const { run, cwd } = makePlace(t, {
    '.agent/skills/commit-helper/SKILL.md': '---\ndescription: Writes commit messages.\n---\nText.\n',
  });
  const { code, stdout } = await run(['validate', '--fix']);
  assert.equal(code, 0, stdout);
  const text = readFileSync(path.join(cwd, '.agent/skills/commit-helper/SKILL.md'), 'utf8');
  assert.equal(text, '---\nname: commit-helper\ndescription: Writes commit messages.\n---\nText.\n');
});

test('init says what each file is for; --minimal writes nothing but .agent/', async (t) => {
  const { run, cwd } = makePlace(t);
  const minimal = await run(['init', '--minimal']);
  assert.match(minimal.stdout, /\+ \.agent\/skills +the skills of this project$/m);
  assert.deepEqual([existsSync(path.join(cwd, 'bin')), existsSync(path.join(cwd, '.claude'))], [false, false]);
  const whole = await run(['init']);
  assert.match(whole.stdout, /\+ bin\/skill_manager\.py +worker scripts that `skillwright task` runs$/m);
});

test('new writes Chinese templates under zh, and a report with its extension', async (t) => {
  const { run, cwd } = makePlace(t);
  const created = await run(['new', 'review', '--lang', 'zh']);
  assert.match(created.stdout, /references\/checklist\.md/);
  const text = readFileSync(path.join(cwd, '.agent/skills/review/SKILL.md'), 'utf8');
  assert.match(text, /^description: 按书面清单/m);
  for (const [name, kind, lang] of [
    ['measure', 'command', 'python'],
    ['answer', 'protocol', 'bash'],
  ] as const)
    assert.equal((await run(['new', name, '--kind', kind, '--lang', lang, '--lang', 'zh'])).code, 0);
  const checked = await run(['validate', '--profile', 'strict']);
  assert.equal(checked.code, 0, checked.stdout);
  assert.doesNotMatch(checked.stdout, /section-missing/);
  const invoked = await run(['invoke', '@measure', '.agent/skills/review/SKILL.md', '--yes', '--json']);
  assert.equal(JSON.parse(invoked.stdout).data.output_path, 'mybox/output/report.md', invoked.stdout);
});

test('doctor names skills that lie where nobody looks; validate says where a file had to be repaired', async (t) => {
  const { run } = makePlace(t, {
    'skills/lost/SKILL.md': '---\nname: lost\ndescription: Is not found.\n---\nx\n',
    '.agent/skills/torn/SKILL.md': '---\nname: torn\ndescription: one: two\n---\nx\n',
  });
  const [doctor, validate] = await Promise.all([run(['doctor']), run(['validate'])]);
  assert.match(doctor.stdout, /^skills: warning skills-elsewhere .*: 1\n {4}→ skillwright install \S+\/skills, or/m);
  assert.match(validate.stdout, /^✅ 1 checked, all passed; 1 had to be repaired while reading/);
});

test('bash completes names before a dash is written, options behind it', async (t) => {
  const { run } = makePlace(t);
  const { stdout } = await run(['completion', 'bash']);
  const complete = (...words: string[]) => {
    const at = words.length - 1;
    const line = words.map((word) => `'${word}'`).join(' ');
    const program = `skillwright() { :; }\n${stdout}\nCOMP_WORDS=(${line}); COMP_CWORD=${at}; _skillwright; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return spawnSync('bash', ['--norc', '-c', program], { encoding: 'utf8', cwd: '/' }).stdout.split('\n');
  };
  const first = complete('skillwright', '');
  assert.ok(
    first.includes('list') && first.includes('runs') && !first.some((word) => word.startsWith('-')),
    `${first}`,
  );
  assert.ok(complete('skillwright', 'list', '--s').includes('--source'));
  assert.ok(complete('skillwright', 'list', '--source', '').includes('project'));
  assert.ok(!complete('skillwright', 'call', 'word-count', 'analyze', '').some((word) => word.startsWith('-')));
});
