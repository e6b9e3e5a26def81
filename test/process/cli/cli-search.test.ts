// Searching, scanning, recording and measuring the router, as real processes.
import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { createRuntime } from '../../../src/app/runtime.ts';
import { findHidden } from '../../../src/base/text.ts';
import { renderCatalog } from '../../../src/loader/catalog.ts';
import { deserializeRankIndex } from '../../../src/registry/rank/file.ts';
import { runCli, temporaryFolder } from '../../support/support.ts';
import { watchReads } from '../../support/watch-reads.ts';

test('001-28 two new and three edited skills: counts, names and the sentence', async (t) => {
  const place = makePlace(t);
  for (const name of ['a', 'b', 'c', 'd']) place.write(name, 'Does one thing.');
  const first = await place.json(['scan']);
  assert.deepEqual(first.data.removed, []);
  assert.ok(['a', 'b', 'c', 'd'].every((name) => first.data.added.includes(name)));
  for (const name of ['a', 'b', 'c']) place.write(name, 'Does another thing.');
  for (const name of ['x', 'y']) place.write(name, 'Is new.');
  const { summary, data } = await place.json(['scan', '--lang', 'zh']);
  assert.equal(summary, '扫描完成: 新增 2 个, 更新 3 个');
  assert.deepEqual([data.added, data.updated, data.removed], [['x', 'y'], ['a', 'b', 'c'], []]);
  assert.equal(data.total, first.data.total + 2);
  rmSync(path.join(place.root, 'x'), { recursive: true });
  const human = await place.run(['scan']);
  assert.match(human.stdout, /^✅ scan finished: 0 added, 0 updated, 1 removed\n {2}- x\n/);
});

test('001-31 the list is {total, skills}', async (t) => {
  const place = makePlace(t);
  for (const name of ['a', 'b']) place.write(name, 'Does a thing.');
  const { data } = await place.json(['list', '--source', 'project']);
  assert.equal(data.total, 2);
  assert.deepEqual(data.skills.map(nameOf), ['a', 'b']);
});

test('003-08 search returns folder_name, and needs no scan', async (t) => {
  const place = makePlace(t);
  place.write('garden/rhubarb-helper', 'Grows rhubarb.');
  place.write('bread', 'Bakes bread.', '# Sourdough starter\n');
  const { data } = await place.json(['search', 'growing', 'rhubarb']);
  assert.deepEqual(Object.keys(data.hits[0]), ['name', 'folder_name', 'source', 'score', 'matched']);
  assert.equal(data.hits[0].folder_name, 'garden/rhubarb-helper');
  assert.equal(data.total, data.hits.length);
  assert.equal((await place.json(['search', 'sourdough'])).data.hits[0].folder_name, 'bread');
});

test('a search sees edits, removals and broken skills at once', async (t) => {
  const place = makePlace(t);
  place.write('a', 'Grows rhubarb.');
  place.write('b', 'Stores rhubarb.');
  const found = async () => (await place.json(['search', 'rhubarb', '--source', 'project'])).data.hits.map(nameOf);
  assert.deepEqual((await found()).sort(), ['a', 'b']);
  place.write('a', 'Grows turnips.');
  assert.deepEqual(await found(), ['b']);
  place.write('c', 'Unrelated.', 'Cut the rhubarb first.\n');
  assert.deepEqual((await found()).sort(), ['b', 'c']);
  writeFileSync(path.join(place.root, 'b', 'SKILL.md'), '---\nname: b\n---\nrhubarb\n');
  assert.deepEqual(await found(), ['c']);
  rmSync(place.root, { recursive: true });
  assert.deepEqual(await found(), []);
});

test('--why shows the words that were found, --limit and --source narrow, in English and Chinese', async (t) => {
  const place = makePlace(t);
  place.write('rhubarb', 'Grows rhubarb in cold gardens.');
  place.write('changelog', '根据 git 提交记录生成更新日志。');
  for (let number = 0; number < 5; number++) place.write(`garden-${number}`, 'Looks after gardens.');
  const why = await place.run(['search', 'rhubarb gardens', '--why', '--source', 'project'], { COLUMNS: '100' });
  assert.match(why.stdout, /^✅ 6 skills for: rhubarb gardens\nNAME +SOURCE +FOUND +DESCRIPTION\n/);
  assert.match(why.stdout, /^rhubarb +project +rhubarb, gardens? +Grows/m);
  const plain = await place.run(['search', 'rhubarb gardens', '--source', 'project', '--limit', '2']);
  assert.match(plain.stdout, /^✅ 2 skills .*\nNAME +SOURCE +DESCRIPTION\nrhubarb .*\ngarden-0 .*\n$/);
  const chinese = await place.run(['search', '帮我生成更新日志', '--source', 'project', '--lang', 'zh']);
  assert.match(chinese.stdout, /^✅ 找到 1 个技能: 帮我生成更新日志\n.*\nchangelog /);
});

test('search says when nothing fits, and when nothing is near', async (t) => {
  const place = makePlace(t);
  place.write('rhubarb', 'Grows rhubarb in cold gardens and writes down how much of it was cut.');
  for (let number = 0; number < 30; number++) place.write(`other-${number}`, `Counts item number ${number} of a list.`);
  const weak = [
    'search',
    'please translate this novel about cold war submarine crews into Finnish',
    '--source',
    'project',
  ];
  const { summary, data, state } = await place.json(weak);
  assert.equal(state, 'success');
  assert.equal(data.abstained, true);
  assert.match(summary, /^nothing fits well: .*; nearest: \S+$/);
  assert.match((await place.json([...weak, '--lang', 'zh'])).summary, /^没有合适的技能: .*; 最接近: /);
  const none = await place.json(['search', 'xqzzy', '--source', 'project']);
  assert.deepEqual([none.summary, none.data.hits], ['no skill for: xqzzy', []]);
  const sure = await place.json(['search', 'cut rhubarb in the garden', '--source', 'project']);
  assert.deepEqual([sure.data.abstained, sure.data.hits[0].name], [false, 'rhubarb']);
});

test('hostile requests are answered like any other', async (t) => {
  const place = makePlace(t);
  place.write('rhubarb', 'Grows rhubarb.');
  const steering = '\u001b[2J\u009b31m rhubarb \u202e\u0007';
  for (const format of ['human', 'json', 'compact']) {
    const { code, stdout, stderr } = await place.run(['search', steering, '--format', format]);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /rhubarb/);
    assert.deepEqual(findHidden(stdout + stderr), []);
  }
  const megabyte = Array.from({ length: 10 }, (_, at) => `${'word '.repeat(20_000)} rhubarb${at}`);
  const long = await place.json(['search', 'rhubarb', ...megabyte]);
  assert.equal(long.state, 'success');
  assert.ok(long.summary.length < 200);
  for (const odd of ['---', '"rhubarb', '(((((((', '\\', '.*', '__proto__', '😀', '@rhubarb', '/rhubarb'])
    assert.equal((await place.run(['search', '--', odd])).code, 0, odd);
});

test('a search for nothing or with an odd limit is a usage error', async (t) => {
  const place = makePlace(t);
  for (const args of [[], [''], ['  ', '\t'], ['x', '--limit', '0'], ['x', '--limit', '101'], ['x', '--limit=-1']]) {
    const { code, stderr } = await place.run(['search', ...args]);
    assert.equal(code, 2, JSON.stringify(args));
    assert.match(stderr, /^❌ Usage: /);
  }
});

test('a skill hidden from models is found by people, one hidden from people is not, a shadowed one by its source', async (t) => {
  const place = makePlace(t);
  place.write('by-hand', 'Grows rhubarb.\ndisable-model-invocation: true');
  place.write('model-only', 'Grows rhubarb.\nuser-invocable: false');
  const inHome = path.join(place.home, '.agent', 'skills', 'by-hand');
  mkdirSync(inHome, { recursive: true });
  writeFileSync(path.join(inHome, 'SKILL.md'), '---\nname: by-hand\ndescription: Stores rhubarb.\n---\n');
  const hits = async (...args: string[]) => (await place.json(['search', 'rhubarb', ...args])).data.hits;
  assert.deepEqual((await hits()).map(nameOf), ['by-hand']);
  assert.deepEqual((await hits('--source', 'user')).map(nameOf), ['by-hand']);
  assert.equal((await hits('--source', 'user'))[0].source, 'user');
});

test('scans and searches at the same time leave a whole index', async (t) => {
  const place = makePlace(t);
  for (let number = 0; number < 40; number++) place.write(`s-${number}`, `Handles thing ${number}.`, '# Rhubarb\n');
  const runs = Array.from({ length: 6 }, async (_, at) => {
    place.write(`s-${at}`, 'Was edited meanwhile.', '# Rhubarb\n');
    return place.run(at % 2 === 0 ? ['scan'] : ['search', 'rhubarb']);
  });
  for (const { code, stderr } of await Promise.all(runs)) assert.deepEqual([code, stderr], [0, '']);
  const cache = path.join(place.home, '.agent', 'cache', 'search');
  const files = readdirSync(cache).sort();
  assert.deepEqual(
    files.map((file) => path.extname(file)),
    ['.json', '.rank'],
  );
  assert.ok(deserializeRankIndex(readFileSync(path.join(cache, files[1] ?? ''))));
  const { data } = await place.json(['search', 'edited', 'meanwhile', '--source', 'project', '--limit', '20']);
  assert.equal(data.hits.length, 6);
});

test('002-101 002-102 after a scan, the list and the catalog of a request open frontmatter and the index only', async (t) => {
  const place = makePlace(t);
  for (let number = 0; number < 30; number++)
    place.write(`s-${number}`, `${'Handles things of all kinds. '.repeat(20)}`, `# Rhubarb ${number}\n`);
  place.writeFile('s-7/evals/evals.json', '[{"query": "stew the quinces", "should_trigger": true}]');
  const runtime = await createRuntime({ project: place.project, home: place.home });
  // What a scan does; also, the module is loaded before the count begins.
  (await runtime.searchIndex(runtime.index(), 'read')).refresh();
  const search = await runtime.searchIndex(runtime.index(), 'remembered');
  const { result, files } = watchReads(() => {
    const index = runtime.index();
    return renderCatalog(index.skills, { shortlist: () => search.shortlist('stew the quinces') });
  });
  assert.match(result.text, /^<skills>\n<skill name="s-7" source="project">/);
  assert.ok(result.tokens <= 2000);
  const ofSkills = [...files.keys()].filter((file) => file.startsWith(place.root));
  assert.ok(ofSkills.length >= 30);
  for (const file of ofSkills) assert.equal(path.basename(file), 'SKILL.md');
  const others = [...files.keys()].filter((file) => file.startsWith(place.home));
  for (const file of others) assert.ok(file.startsWith(path.join(place.home, '.agent', 'cache')), file);
  assert.ok(others.some((file) => file.endsWith('.rank')));
});

test('003-21 003-22 003-24 record counts a use, a failure apart, and a prompt not at all; inspect shows it', async (t) => {
  const place = makePlace(t);
  place.write('tool', 'Runs.\ncommand: scripts/run.sh');
  place.write('text', 'Is read.');
  const usage = async (name: string) => (await place.json(['inspect', name])).data.usage;
  assert.equal((await usage('tool')).count, 0);
  assert.equal((await place.json(['record', 'tool', '--duration', '1.5'])).data.count, 1);
  await place.json(['record', '@tool', '--duration', '2.5']);
  await place.json(['record', 'tool', '--failed']);
  const { count, failures, average_ms, last_used } = await usage('tool');
  assert.deepEqual([count, failures, average_ms], [2, 1, 2000]);
  assert.ok(Date.parse(last_used) > 0);
  assert.match((await place.run(['inspect', 'tool'])).stdout, /usage +succeeded 2 \(2 s on average\), failed 1/);
  const prompt = await place.json(['record', 'text', '--lang', 'zh']);
  assert.deepEqual([prompt.data.recorded, prompt.summary], [false, '不计数: text 是提示词技能']);
  assert.equal((await usage('text')).count, 0);
  assert.equal((await place.run(['record', 'tol'])).code, 1);
  assert.equal((await place.run(['record', 'tool', '--duration', 'long'])).code, 2);
});

test('eval routing measures a labelled set, progress aside', async (t) => {
  const place = makePlace(t);
  const lines = (file: string, rows: unknown[]) =>
    place.writeFile(`../routing/${file}`, rows.map((row) => JSON.stringify(row)).join('\n'));
  lines('pool.jsonl', [
    { id: 'one', name: 'rhubarb', description: 'Grows rhubarb in cold gardens.' },
    { id: 'two', name: 'bread', description: 'Bakes sourdough bread.' },
    { id: 'three', name: 'changelog', description: '根据提交记录生成更新日志' },
  ]);
  lines('queries.jsonl', [
    { id: 'q1', query: 'rhubarb in the garden', relevant: ['one'], lang: 'en' },
    { id: 'q2', query: '生成更新日志', relevant: ['three'], lang: 'zh' },
  ]);
  lines('negatives.jsonl', [{ query: 'sourdough', not_relevant: ['two'] }]);
  const folder = path.join(path.dirname(place.root), 'routing');
  const { code, stdout, stderr } = await place.run(['eval', 'routing', folder, '--json']);
  assert.equal(code, 0, stderr);
  assert.match(stderr, /^indexing skills: 3\nranking requests: 3\n/);
  const { data } = JSON.parse(stdout);
  assert.deepEqual([data.pool, data.queries, data.negatives], [3, 2, 1]);
  for (const name of ['recall@1', 'recall@5', 'recall@10', 'recall@20', 'mrr', 'near_miss'])
    assert.equal(data.metrics[name], 1, name);
  for (const name of ['p50_ms', 'p95_ms', 'catalog_tokens_max']) assert.ok(data.metrics[name] > 0, name);
  assert.deepEqual(Object.keys(data.by_language), ['en', 'zh']);
  assert.ok(data.intervals['recall@1'].low <= 1);
  assert.match((await place.run(['eval', 'routing', folder])).stdout, /^METRIC +VALUE +95 %\nrecall@1 +1 /m);
  appendFileSync(path.join(folder, 'queries.jsonl'), '\n{"id": "q3", "query": 5}');
  const broken = await place.run(['eval', 'routing', folder]);
  assert.equal(broken.code, 1);
  assert.match(broken.stderr, /queries\.jsonl:3/);
  assert.equal((await place.run(['eval', 'routing', path.join(folder, 'nowhere')])).code, 1);
});

interface Named {
  readonly name: string;
}

function nameOf({ name }: Named): string {
  return name;
}

function makePlace(t: TestContext) {
  const folder = temporaryFolder(t);
  const project = path.join(folder, 'project');
  const home = path.join(folder, 'home');
  const root = path.join(project, '.agent', 'skills');
  for (const made of [root, home]) mkdirSync(made, { recursive: true });
  const run = (args: readonly string[], env: Record<string, string> = {}) => runCli(args, { cwd: project, home, env });
  const writeFile = (inside: string, text: string) => {
    const file = path.join(root, inside);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  return {
    project,
    home,
    root,
    run,
    writeFile,
    write: (name: string, fields: string, body = '') =>
      writeFile(`${name}/SKILL.md`, `---\nname: ${path.basename(name)}\ndescription: ${fields}\n---\n${body}`),
    json: async (args: readonly string[]) => {
      const { code, stdout, stderr } = await run([...args, '--json']);
      assert.equal(code, 0, stdout + stderr);
      return JSON.parse(stdout);
    },
  };
}
