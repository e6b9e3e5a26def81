// The rules of the worker about what it is asked, each by the command line.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Change } from '../../support/changed/changed-source.ts';
import { type Answer, readAnswer } from '../../support/rule-support.ts';
import { runCli, temporaryFolder } from '../../support/support.ts';
import { openTaskCli, type TaskCli } from '../../support/task-cli.ts';
import { assertWorkedIn } from '../../support/working-folder.ts';

const SKILL = '---\nname: markdown-converter\ndescription: Converts Markdown files to HTML.\n---\nText.\n';
// Every execution prints another id.
const COUNTED = 'import json, uuid\nprint(json.dumps({"id": str(uuid.uuid4())}))\n';
const WINDOW_MS = 5_000;

const checkOf = ({ data }: Answer) => [data.type, (data.details as { check?: string } | undefined)?.check];

test('001-12 001-13 001-14 001-15 the prompts of the seed, word for word, with the keys it recommends', async (t) => {
  const { ask, write, cli } = openTaskCli(t);
  write('.agent/skills/md-tools-v1/SKILL.md', SKILL);
  const listed = await ask('执行 python bin/skill_manager.py list', '--key', 'skill-list');
  const found = await ask('执行 python bin/skill_manager.py search markdown', '--key', 'skill-search:markdown');
  const scanned = await ask('执行 python bin/skill_scanner.py scan', '--key', 'scan-skills', '--lang', 'zh');
  assert.deepEqual([listed.state, found.state, scanned.state], ['success', 'success', 'success'], found.summary);
  assert.equal(listed.data.total, (listed.data.skills as unknown[]).length);
  const [best] = found.data.hits as { name: string; folder_name: string }[];
  assert.deepEqual([best?.name, best?.folder_name], ['markdown-converter', 'md-tools-v1']);
  assert.match(scanned.summary, /^扫描完成: 新增 \d+ 个, 更新 0 个$/);
  assert.ok((scanned.data.added as string[]).includes('markdown-converter'));
  const { stdout } = await cli('task', '--help');
  assert.match(stdout, /skill-list, skill-search:<keyword>, scan-skills/);
});

test('001-06 001-07 the description is a few words, and the prompt says everything', async (t) => {
  const { cli } = openTaskCli(t);
  const task = async (description: string, prompt = '执行 python bin/skill_scanner.py scan') =>
    readAnswer(await cli('task', description, prompt, '--json'));
  const warned = await task('word '.repeat(20));
  assert.deepEqual([warned.state, warned.data.warnings], ['success', ['the description should have 3 to 5 words']]);
  assert.ok(!('warnings' in (await task('扫描所有技能目录')).data));
  assert.equal((await task(' ')).data.type, 'Usage');
  assert.deepEqual(checkOf(await task('one small task', ' \n# only a remark\n')), ['InvalidArgs', 'prompt']);
});

test('001-08 001-09 001-10 001-11 001-25 001-30 one key: once within five seconds, again afterwards, never for another prompt', async (t) => {
  const place = openTaskCli(t);
  place.write('bin/x.py', COUNTED);
  const { first, key } = await storedByKey(place, async (again) => {
    const second = await again();
    assert.deepEqual([second.state, second.summary], ['success', '缓存命中: 使用最近结果 (<5s)']);
    assert.ok(second.data.cached === true);
    return second.data.original_result;
  });
  await storedByKey(place, async (_, word) => {
    const compact = await place.cli('task', 'one small task', PROMPT, '--key', word, '--yes', '--format', 'compact');
    assert.match(compact.stdout, /^⏭️ worker_agent from cache: /);
  });
  await storedByKey(place, async (_, word) => {
    const other = await place.ask(`${PROMPT} more`, '--key', word);
    assert.deepEqual([other.state, other.data.type, other.data.recoverable], ['error', 'IdempotencyConflict', true]);
  });
  await sleep(Math.max(0, Date.parse(first.meta.ts) + WINDOW_MS + 200 - Date.now()));
  const later = await place.ask(PROMPT, '--key', key);
  assert.ok(!('cached' in later.data));
  assert.notEqual(later.data.id, first.data.id);
  const [one, two] = [await place.ask(PROMPT), await place.ask(PROMPT)];
  assert.notEqual(one.data.id, two.data.id, 'without a key each call executes');
});

const PROMPT = '执行 python bin/x.py';

/**
 * Runs the prompt under a new key and looks at once, while its result is kept. What a look finds counts only within the
 * window: a machine that is too busy to look in time tries again, and a look in time that fails is a failure.
 */
async function storedByKey(
  { ask }: TaskCli,
  look: (again: () => Promise<Answer>, key: string) => Promise<unknown>,
): Promise<{ first: Answer; key: string }> {
  for (let trial = 1; ; trial++) {
    const key = `key ${crypto.randomUUID()}`;
    const first = await ask(PROMPT, '--key', key);
    const again = () => ask(PROMPT, '--key', key, '--lang', 'zh');
    try {
      const original = await look(again, key);
      if (original !== undefined) assert.deepEqual(original, first.data);
      return { first, key };
    } catch (error) {
      const isInTime = Date.now() < Date.parse(first.meta.ts) + WINDOW_MS;
      if (isInTime || trial === 10) throw error;
    }
  }
}

test('001-16 001-17 001-35 what is not a script of bin/ is not found, and nothing is started', async (t) => {
  const { ask, write, project } = openTaskCli(t);
  write('bin/x.py', 'print("ran")\n');
  write('outside/y.py', 'print("ran")\n');
  symlinkSync('../outside/y.py', path.join(project, 'bin/link.py'));
  symlinkSync('../outside', path.join(project, 'bin/linked'));
  for (const script of ['bin/nope.py', 'bin/link.py', 'bin/linked/y.py']) {
    const outcome = await ask(`执行 python bin/x.py\n执行 python ${script}`, '--lang', 'zh');
    assert.deepEqual([outcome.code, outcome.state], [1, 'error'], 'the script before it was not started');
    assert.equal(outcome.summary, `ScriptNotFound: 脚本不存在: ${script}`);
    assert.deepEqual([outcome.data.recoverable, ...checkOf(outcome)], [false, 'ScriptNotFound', 'script']);
  }
  for (const script of ['../outside/y.py', 'bin/../outside/y.py', path.join(project, 'outside/y.py')])
    assert.deepEqual(checkOf(await ask(`执行 python ${script}`)), ['ScriptNotFound', 'outside-bin'], script);
});

test('001-18 missing arguments of a shipped script are asked for', async (t) => {
  const { ask } = openTaskCli(t);
  const { code, state, summary, data } = await ask('执行 python bin/skill_manager.py search', '--lang', 'zh');
  assert.deepEqual([code, state, summary], [3, 'pending', '等待参数: 需要 keyword']);
  assert.deepEqual([data.required, data.missing], [['keyword'], ['keyword']]);
});

test('001-19 001-20 001-49 what is no work for the worker is refused by name, and done by nobody', async (t) => {
  const { ask, write, project } = openTaskCli(t);
  write('bin/x.py', 'print("ran")\n');
  write('.claude/skills/conv/SKILL.md', SKILL);
  write('.claude/skills/conv/convert.py', 'print("ran")\n');
  for (const prompt of ['创建 python 脚本 bin/new.py', 'write a python script bin/new.py'])
    assert.deepEqual(checkOf(await ask(prompt)), ['InvalidArgs', 'code-creation'], prompt);
  assert.ok(!existsSync(path.join(project, 'bin/new.py')));
  for (const name of ['nul', 'NUL'])
    assert.deepEqual(checkOf(await ask(`执行 python bin/x.py > ${name}`)), ['InvalidArgs', 'nul']);
  assert.ok(!existsSync(path.join(project, 'nul')));
  for (const prompt of ['执行 python .claude/skills/conv/convert.py', '运行技能 conv']) {
    const refused = await ask(prompt);
    assert.deepEqual(checkOf(refused), ['InvalidArgs', 'skill'], prompt);
    assert.match(String(refused.data.hint), /skillwright invoke @conv/);
  }
});

test('001-21 001-24 001-29 a script that ends well: what it prints as JSON is the data, and nothing with `> /dev/null`', async (t) => {
  const { ask, write, project, cli } = openTaskCli(t);
  write('bin/x.py', 'import json, os, sys\nprint(json.dumps({"argv": sys.argv[1:], "cwd": os.getcwd()}))\n');
  const { code, state, data } = await ask('执行 python bin/x.py "a b" --flag');
  assert.deepEqual([code, state, data.argv], [0, 'success', ['a b', '--flag']]);
  await assertWorkedIn(data.cwd, project, t);
  const quiet = await ask('执行 python bin/x.py > /dev/null');
  assert.deepEqual([quiet.state, quiet.data.argv, quiet.data.stdout], ['success', undefined, undefined]);
  const compact = await cli('task', 'one small task', '执行 python bin/x.py', '--yes', '--format', 'compact');
  assert.match(compact.stdout, /^✅ worker_agent ran bin\/x\.py\n {2}state: success \| data: \{argv: \[\], /);
});

/** A second takes five milliseconds. */
const FAST: Change = {
  file: 'src/door/order/build.ts',
  from: 'const timeoutMs = work.seconds * 1000;',
  to: 'const timeoutMs = work.seconds * 5;',
};

test('001-50 a script without an end is ended at the limit: 300 seconds, or less where the user says so', async (t) => {
  const { ask, write, home, project } = openTaskCli(t);
  write('bin/x.py', 'import time\ntime.sleep(600)\n');
  const words = ['task', 'one small task', '执行 python bin/x.py', '--yes', '--json'];
  const usual = readAnswer(await runCli(words, { cwd: project, home, change: FAST }));
  assert.deepEqual([usual.code, usual.state, usual.data.limit], [5, 'timeout', 300]);
  mkdirSync(path.join(home, '.agent'), { recursive: true });
  writeFileSync(path.join(home, '.agent/config.json'), JSON.stringify({ limits: { timeout_seconds: 1 } }));
  const { code, state, data } = await ask('执行 python bin/x.py');
  assert.deepEqual([code, state, data.limit, data.recoverable], [5, 'timeout', 1, true]);
});

test('001-51 init writes the definition of the worker and its scripts, and leaves what is there alone', async (t) => {
  const folder = temporaryFolder(t);
  const [project, home] = [path.join(folder, 'project'), path.join(folder, 'home')];
  mkdirSync(path.join(project, 'bin'), { recursive: true });
  mkdirSync(home);
  writeFileSync(path.join(project, 'bin/skill_manager.py'), 'print("mine")\n');
  const { data } = readAnswer(await runCli(['init', '--json'], { cwd: project, home }));
  const text = (name: string) => readFileSync(path.join(project, name), 'utf8');
  assert.match(text('.claude/agents/worker_agent.md'), /^---\nname: worker_agent\n/);
  assert.equal(text('bin/skill_manager.py'), 'print("mine")\n');
  const created = data.created as string[];
  assert.ok(['.claude/agents/worker_agent.md', 'bin/skill_scanner.py'].every((name) => created.includes(name)));
});
