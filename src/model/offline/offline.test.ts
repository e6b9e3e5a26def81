import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { count } from '../../../test/support/support.ts';
import { removeTree } from '../../base/files.ts';
import { type Language, languageOfRequest } from '../../base/language.ts';
import { discover, type Index } from '../../registry/discover.ts';
import { openSearchIndex, type SearchIndex } from '../../registry/search/index.ts';
import { parseDecision } from '../parse-action.ts';
import { createOfflineModel } from './offline.ts';
import { openProjectFiles } from './project.ts';
import type { OfflineStep, OfflineView } from './view.ts';

const SKILLS: Record<string, string> = {
  'page-maker': `description: Converts a Markdown file (README, notes) into an HTML page or plain text. Markdown 转换为网页. Not for PDF.
command: node scripts/main.mjs {input} --to={format} --output={output} [--title={title}] [--contents={contents}]
params:
  input: {type: file, required: true, description: the Markdown file}
  format: {type: string, enum: [html, text], default: html}
  output: {type: path}
  title: {type: string}
  contents: {type: string, enum: ["yes", "no"], default: "yes"}`,
  'table-stats': `description: Analyzes CSV files, gives statistics and trends, filters rows, and writes a report. CSV 数据分析与报告.
entry: scripts/main.mjs
actions:
  fetch:
    description: Rows that fit a query.
    params:
      source: {type: file, required: true}
      query: {type: string}
      limit: {type: integer, default: 100}
  analyze:
    description: Insights and metrics.
    params:
      target: {type: file, required: true, description: the CSV file}
      days: {type: integer}
      lang: {type: string, enum: [en, zh]}
  report:
    description: A report in Markdown or HTML.
    params:
      target: {type: file, required: true}
      type: {type: string, enum: [summary, daily, weekly, monthly], default: summary}
      format: {type: string, enum: [markdown, html], default: markdown}
  full:
    description: Everything in one go.
    params:
      target: {type: file, required: true}
      format: {type: string, enum: [markdown, html], default: markdown}
  describe: {description: Says what it can do.}`,
  'change-log': `description: Writes release notes from the git history. 根据 git 提交生成更新日志.
command: node scripts/main.mjs [--from={from}] --to={to} --releases={releases} --authors={authors} --output={output}
params:
  from: {type: string}
  to: {type: string, default: HEAD}
  releases: {type: integer, default: 1}
  authors: {type: boolean, default: true}
  output: {type: path}`,
  'letter-post': `description: Sends a short letter to an address.
network: true
command: node scripts/main.mjs --to={to} --message={message} [--link={link}] [--copies={copies}]
params:
  to: {type: email, required: true}
  message: {type: string, required: true}
  link: {type: url}
  copies: {type: integer}`,
  shout: `description: Prints words in capitals.
command: node scripts/main.mjs {input}`,
  'wait-timer': `description: Waits.
command: node scripts/main.mjs {seconds}
params:
  seconds: {type: integer, required: true}`,
  'two-ways': `description: Opens and closes a gate.
entry: scripts/main.mjs
actions:
  open: {description: Opens the gate.}
  close: {description: Closes the gate.}`,
  'gate-keeper': `description: Guards a table.
command: node scripts/main.mjs [--target={target}]
params:
  target: {type: file, description: the only one unless given}`,
  'free-form': `description: Speaks the protocol without saying what it can do.
entry: scripts/main.mjs`,
  'poem-coach': `description: Guides the writing of poems about the sea.`,
  'hidden-tool': `description: Prints the secret of the house.
disable-model-invocation: true
command: node scripts/main.mjs {input}`,
  'lone-worker': `description: Works on its own on long tasks.
run-mode: subagent
command: node scripts/main.mjs {input}`,
};
const BODY = '# Title\n\n## Goal\n\nA poem that can be read aloud.\n\n## Steps\n\n1. Write.\n';

let folder: string;
let index: Index;
let search: SearchIndex;
let project: string;

before(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'skillwright-test-'));
  for (const [name, front] of Object.entries(SKILLS)) {
    mkdirSync(path.join(folder, 'skills', name, 'scripts'), { recursive: true });
    writeFileSync(path.join(folder, 'skills', name, 'SKILL.md'), `---\nname: ${name}\n${front}\n---\n\n${BODY}`);
    writeFileSync(path.join(folder, 'skills', name, 'scripts', 'main.mjs'), '');
  }
  project = path.join(folder, 'project');
  for (const file of [
    'README.md',
    'sales.csv',
    'reports/sales.csv',
    'docs/guide.md',
    '销售数据.csv',
    'my notes.md',
    'mybox/output/made.md',
    'mybox/output/chart.svg',
  ]) {
    mkdirSync(path.dirname(path.join(project, file)), { recursive: true });
    writeFileSync(path.join(project, file), '');
  }
  index = discover([{ folder: path.join(folder, 'skills'), source: 'project', label: 'skills' }], {
    blockAngleBrackets: true,
  });
  assert.equal(index.skills.length, Object.keys(SKILLS).length);
  search = openSearchIndex(index, { folder: path.join(folder, 'cache'), bodies: 'remembered', now: 0 });
});

after(() => removeTree(folder));

const idOf = (name: string) => index.skills.find((skill) => skill.name === name)?.skillId ?? '';
const everySkill = () => index.skills.map(({ skillId }) => skillId);

async function decide(
  request: string,
  known: Partial<OfflineView> = {},
  language: Language = languageOfRequest(request) ?? 'en',
) {
  const view = { request, named: [], loaded: everySkill(), steps: [], artifacts: [], ...known };
  const model = createOfflineModel({
    index,
    search: async () => search,
    project: openProjectFiles(project, 'mybox/output'),
    language,
    view: () => view,
  });
  const reply = await model.decide({ messages: [], schema: {} });
  const parsed = parseDecision(reply.text);
  assert.ok(parsed.ok, parsed.ok ? '' : parsed.problem);
  return { ...reply, ...parsed.decision };
}

/** A call as one line, or what is waited for. */
async function shown(request: string, known?: Partial<OfflineView>): Promise<string> {
  const { action, pending } = await decide(request, known);
  if (action.type === 'invoke_skill')
    return [action.skill.name, action.action ?? '', JSON.stringify(action.params)].filter(Boolean).join(' ');
  if (pending)
    return [pending.reason, pending.skill ?? '', ...[pending.missing ?? []].flat()].filter(Boolean).join(' ');
  return action.type;
}

/** Request, and the call or the wait it leads to. */
const TABLE: readonly (readonly [string, string])[] = [
  // Named.
  ['@page-maker README.md', 'page-maker {"input":"README.md"}'],
  ['/page-maker README.md', 'page-maker {"input":"README.md"}'],
  ['运行技能 page-maker README.md', 'page-maker {"input":"README.md"}'],
  ['运行技能page-maker README.md', 'page-maker {"input":"README.md"}'],
  ['run skill page-maker README.md', 'page-maker {"input":"README.md"}'],
  ['run the skill "page-maker" on README.md', 'page-maker {"input":"README.md"}'],
  ['use the page-maker skill for docs/guide.md', 'page-maker {"input":"docs/guide.md"}'],
  ['use page-maker to convert README.md', 'page-maker {"input":"README.md"}'],
  ['page-maker docs/guide.md', 'page-maker {"input":"docs/guide.md"}'],
  ['请用page-maker处理README.md', 'page-maker {"input":"README.md"}'],
  ['用 page-maker 技能把 README.md 转成网页', 'page-maker {"input":"README.md","format":"html"}'],
  ['@project:page-maker README.md', 'page-maker {"input":"README.md"}'],
  ['@page-maker，README.md', 'page-maker {"input":"README.md"}'],
  ['@hidden-tool hello', 'hidden-tool {"input":"hello"}'],
  ['@shout hello big world', 'shout {"input":"hello big world"}'],
  ['use the shout skill on "quiet words"', 'shout {"input":"quiet words"}'],
  // Clearly meant.
  ['convert README.md to html', 'page-maker {"input":"README.md","format":"html"}'],
  ['Convert README.md into plain text.', 'page-maker {"input":"README.md","format":"text"}'],
  ['convert the readme to a html page', 'page-maker {"format":"html","input":"README.md"}'],
  ['把README.md转换为HTML网页', 'page-maker {"input":"README.md","format":"html"}'],
  ['analyze sales.csv', 'table-stats analyze {"target":"sales.csv","lang":"en"}'],
  ['分析 sales.csv', 'table-stats analyze {"target":"sales.csv","lang":"zh"}'],
  ['write release notes', 'change-log {}'],
  ['生成更新日志', 'change-log {}'],
  // Parameters.
  ['@page-maker README.md format=text', 'page-maker {"format":"text","input":"README.md"}'],
  ['@page-maker README.md --format text', 'page-maker {"format":"text","input":"README.md"}'],
  ['@page-maker input=docs/guide.md title="Big Guide"', 'page-maker {"input":"docs/guide.md","title":"Big Guide"}'],
  ['@page-maker README.md title "My Page"', 'page-maker {"input":"README.md","title":"My Page"}'],
  ['@page-maker README.md 标题为“周报”', 'page-maker {"input":"README.md","title":"周报"}'],
  ['@page-maker README.md title: Hello World', 'page-maker {"input":"README.md","title":"Hello World"}'],
  ['@page-maker README.md without contents', 'page-maker {"input":"README.md","contents":"no"}'],
  [
    '@page-maker README.md to out/page.html',
    'page-maker {"input":"README.md","output":"out/page.html","format":"html"}',
  ],
  [
    '@page-maker README.md 保存到 out/page.txt',
    'page-maker {"input":"README.md","output":"out/page.txt","format":"text"}',
  ],
  ['apply @page-maker to README.md', 'page-maker {"input":"README.md"}'],
  ['@page-maker "my notes.md"', 'page-maker {"input":"my notes.md"}'],
  ['用page-maker转换docs/guide.md成text', 'page-maker {"input":"docs/guide.md","format":"text"}'],
  ['@page-maker README.md colour=red', 'page-maker {"colour":"red","input":"README.md"}'],
  ['use table-stats on 销售数据.csv', 'table-stats analyze {"target":"销售数据.csv","lang":"zh"}'],
  ['用table-stats分析销售数据.csv', 'table-stats analyze {"target":"销售数据.csv","lang":"zh"}'],
  ['@table-stats sales.csv last 7 days', 'table-stats analyze {"target":"sales.csv","lang":"en","days":7}'],
  ['@table-stats sales.csv 最近两周', 'table-stats analyze {"target":"sales.csv","lang":"zh","days":14}'],
  [
    '@table-stats analyze sales.csv of the past month',
    'table-stats analyze {"target":"sales.csv","lang":"en","days":30}',
  ],
  ['@table-stats 最近十天 sales.csv', 'table-stats analyze {"target":"sales.csv","lang":"zh","days":10}'],
  ['@table-stats analyze sales.csv days=abc', 'table-stats analyze {"days":"abc","target":"sales.csv","lang":"en"}'],
  ['@letter-post to=a@b.org message="see you"', 'letter-post {"to":"a@b.org","message":"see you"}'],
  ['@letter-post "good morning" to eve@example.org', 'letter-post {"to":"eve@example.org","message":"good morning"}'],
  [
    '@letter-post "read this" eve@example.org https://example.org/x?a=1.',
    'letter-post {"link":"https://example.org/x?a=1","to":"eve@example.org","message":"read this"}',
  ],
  ['@wait-timer 5', 'wait-timer {"seconds":5}'],
  ['@wait-timer for three seconds', 'wait-timer {"seconds":3}'],
  ['@change-log since v1.0', 'change-log {"from":"v1.0"}'],
  ['@change-log from v1.0 to v1.2', 'change-log {"from":"v1.0","to":"v1.2"}'],
  ['@change-log 从 v1.0 到 v1.2', 'change-log {"from":"v1.0","to":"v1.2"}'],
  ['@change-log for the last 3 releases', 'change-log {"releases":3}'],
  ['@change-log without authors', 'change-log {"authors":false}'],
  ['@change-log to NEWS.md', 'change-log {"output":"NEWS.md"}'],
  // Actions.
  ['@table-stats report sales.csv', 'table-stats report {"target":"sales.csv"}'],
  [
    '@table-stats write a weekly report of sales.csv as html',
    'table-stats report {"target":"sales.csv","type":"weekly","format":"html"}',
  ],
  ['@table-stats 为 sales.csv 生成月报', 'table-stats report {"target":"sales.csv","type":"monthly"}'],
  ['@table-stats 获取 sales.csv 前10行', 'table-stats fetch {"source":"sales.csv","limit":10}'],
  ['@table-stats fetch sales.csv "amount > 10"', 'table-stats fetch {"source":"sales.csv","query":"amount > 10"}'],
  ['@table-stats analyze and report sales.csv', 'table-stats analyze {"target":"sales.csv","lang":"en"}'],
  ['analyze sales.csv with table-stats and write a report', 'table-stats full {"target":"sales.csv"}'],
  ['@table-stats describe', 'table-stats describe {}'],
  ['@table-stats trends of reports/sales.csv', 'table-stats analyze {"target":"reports/sales.csv","lang":"en"}'],
  ['@two-ways please open it', 'two-ways open {}'],
  ['@two-ways', 'params two-ways action'],
  ['@free-form ping host=a', 'free-form ping {"host":"a"}'],
  ['@change-log between v1.0.0 and v1.1.0', 'change-log {"from":"v1.0.0","to":"v1.1.0"}'],
  [
    '@page-maker README.md as plain text in out.txt',
    'page-maker {"input":"README.md","output":"out.txt","format":"text"}',
  ],
  ['@table-stats sales.csv: which rows have an amount above 10', 'table-stats fetch {"source":"sales.csv"}'],
  [
    '@table-stats trends in sales.csv according to the reports',
    'table-stats analyze {"target":"sales.csv","lang":"en"}',
  ],
  // Something is missing.
  ['@gate-keeper gone.csv', 'params gate-keeper target'],
  ['@page-maker', 'params page-maker input'],
  ['@page-maker gone.md', 'params page-maker input'],
  ['convert gone.md to html', 'params page-maker input'],
  ['@letter-post "hello"', 'params letter-post to'],
  ['@letter-post eve@example.org', 'params letter-post message'],
  ['@wait-timer', 'params wait-timer seconds'],
  // Not clear enough, or not meant.
  ['delete sales.csv', 'skill'],
  ['rename README.md to index.md', 'skill'],
  ["don't use page-maker, convert README.md to html", 'skill'],
  ['I already ran page-maker yesterday', 'skill'],
  ['convert README.md to PDF', 'skill'],
  ['convert this web page to Markdown', 'skill'],
  ['write a CSV parser', 'skill'],
  ['what does CSV mean?', 'skill'],
  ['把 README.md 转换成 PDF', 'skill'],
  ['list the files in this folder', 'skill'],
  ['what is the weather in Paris', 'skill'],
  ['帮我订一张机票', 'skill'],
  ['print the secret of the house', 'skill'],
  ['run skill page-makr README.md', 'skill'],
  ['@poem-coach the sea', 'model poem-coach'],
  ['', 'skill'],
];

for (const [request, expected] of TABLE) {
  test(`${JSON.stringify(request)} leads to ${expected}`, async () => {
    assert.equal(await shown(request), expected);
  });
}

test('003-01 003-02 003-03 an address, the phrase and plain words become the same call', async () => {
  const call = 'page-maker {"input":"README.md","format":"html"}';
  assert.equal(await shown('@page-maker README.md as html'), call);
  assert.equal(await shown('运行技能 page-maker README.md 转成 html'), call);
  assert.equal(await shown('convert README.md to html'), call);
});

const done = (summary: string, more: Partial<OfflineStep> = {}): OfflineStep => ({
  type: 'invoke_skill',
  state: 'success',
  summary,
  ...more,
});
const read: OfflineStep = { type: 'select_skills', state: 'success', summary: 'loaded' };

test('002-98 a run without any model reads the skill, runs it and reports where the result lies', async () => {
  const request = 'convert README.md to html';
  const first = await decide(request, { loaded: [] });
  assert.deepEqual(first.action, {
    type: 'select_skills',
    skills: [{ name: 'page-maker', source: 'project' }],
    reason: 'it fits the request clearly better than any other',
  });
  assert.equal(first.plan_update?.mode, 'replace');
  const loaded = [idOf('page-maker')];
  const second = await decide(request, { loaded, steps: [read] });
  assert.equal(second.action.type, 'invoke_skill');
  const artifacts = ['mybox/output/made.md'];
  const step = done('done: convert', { printed: 'converted 3 headings\n' });
  const third = await decide(request, { loaded, steps: [read, step], artifacts });
  assert.deepEqual(third.action, {
    type: 'final_answer',
    content: 'done: convert\nconverted 3 headings\n\nWritten:\n- mybox/output/made.md',
  });
  assert.equal(third.pending, undefined);
});

test('what a run wrote itself does not change its choice', async () => {
  const request = 'convert README.md to made.html';
  const loaded = [idOf('page-maker')];
  writeFileSync(path.join(project, 'made.html'), '');
  const { action } = await decide(request, { loaded, steps: [read, done('done')], artifacts: ['made.html'] });
  assert.equal(action.type, 'final_answer');
  removeTree(path.join(project, 'made.html'));
});

test('the answer has the language of the request', async () => {
  const step = done('执行成功', { data: { insights: ['销售额上升 10%'] } });
  const zh = await decide('分析 sales.csv', {
    loaded: [idOf('table-stats')],
    steps: [read, step],
    artifacts: ['a.md'],
  });
  assert.deepEqual(zh.action, { type: 'final_answer', content: '执行成功\n- 销售额上升 10%\n\n已写入:\n- a.md' });
  const asked = await decide('@page-maker', {}, 'zh');
  assert.match(asked.action.type === 'final_answer' ? asked.action.content : '', /还需要 input/);
});

test('002-10 two skills that are named run in their order, the second on what the first wrote', async () => {
  for (const request of [
    '@table-stats report sales.csv then @page-maker',
    'use table-stats to write a report of sales.csv, then use page-maker to make a html page',
    '用table-stats为sales.csv写报告，然后用page-maker转成网页',
  ]) {
    const first = await decide(request, { loaded: [] });
    assert.equal(first.action.type, 'select_skills', request);
    assert.match(await shown(request, { steps: [read] }), /^table-stats report \{"target":"sales.csv"/, request);
    const wrote = { steps: [read, done('report written')], artifacts: ['chart.svg', 'made.md'] };
    assert.match(await shown(request, wrote), /^page-maker \{"input":"mybox\/output\/made.md"/, request);
    const { action } = await decide(request, { ...wrote, steps: [...wrote.steps, done('page made')] });
    assert.match(action.type === 'final_answer' ? action.content : '', /report written[\s\S]*page made/, request);
  }
});

test('two steps that are each clear run one after the other; one unclear step leaves all of it open', async () => {
  const request = 'convert README.md to html and then analyze sales.csv';
  const { action } = await decide(request, { loaded: [] });
  assert.deepEqual(action.type === 'select_skills' && action.skills.map(({ name }) => name), [
    'page-maker',
    'table-stats',
  ]);
  for (const same of [request, '先把 README.md 转换为网页，然后分析 sales.csv 的数据'])
    assert.equal(await shown(same), 'page-maker {"input":"README.md","format":"html"}');
  assert.equal(await shown('convert README.md to html and then feed the cat'), 'skill');
});

test('a second skill that gets nothing asks, and says what was done', async () => {
  const { action, pending } = await decide('@table-stats analyze sales.csv then @page-maker', {
    steps: [read, done('analysed')],
  });
  assert.match(action.type === 'final_answer' ? action.content : '', /^analysed\n\npage-maker needs input/);
  assert.deepEqual(pending?.missing, ['input']);
});

test('a failure is told with its hint, and nothing more is run', async () => {
  const failed = done('RuntimeFailed: boom', { state: 'error', hint: 'Look into the file.' });
  const reply = await decide('@table-stats sales.csv then @page-maker', { steps: [read, failed] });
  assert.deepEqual(reply.action, {
    type: 'final_answer',
    content: 'table-stats did not succeed: RuntimeFailed: boom\nLook into the file.',
  });
  assert.deepEqual(reply.failed, {
    skill: 'table-stats',
    state: 'error',
    summary: 'RuntimeFailed: boom',
    hint: 'Look into the file.',
  });
});

test('an effect that may have happened is named, not repeated', async () => {
  const unknown = done('whether it happened is unknown', { state: 'uncertain' });
  const { action } = await decide('@shout hi', { steps: [read, unknown] });
  assert.match(action.type === 'final_answer' ? action.content : '', /not known whether shout did its work/);
});

test('003-27 missing parameters are asked for by name', async () => {
  const { pending } = await decide('@page-maker gone.md');
  assert.deepEqual(pending, {
    reason: 'params',
    skill: 'page-maker',
    required: ['input'],
    optional: ['format', 'output', 'title', 'contents'],
    missing: ['input'],
    prompt: 'Give input (file, the Markdown file) as name=value. Not found in the project: gone.md.',
  });
});

test('an unclear request shows the three best, never a hidden one', async () => {
  const { action, pending } = await decide('something about the report of the house');
  const candidates = pending?.candidates;
  assert.ok(Array.isArray(candidates) && candidates.length > 0 && candidates.length <= 3);
  assert.ok(!JSON.stringify(candidates).includes('hidden-tool'));
  assert.match(
    action.type === 'final_answer' ? action.content : '',
    /^No skill is clearly meant; .*"@.+"\.\nThese come nearest:\n1\. @/,
  );
  const nothing = await decide('qwertz');
  assert.deepEqual(nothing.pending, { reason: 'skill', candidates: [] });
  assert.match(nothing.action.type === 'final_answer' ? nothing.action.content : '', /No skill fits/);
});

test('instructions alone need a model, and that is said', async () => {
  const first = await decide('@poem-coach the sea', { loaded: [] });
  assert.equal(first.action.type, 'select_skills');
  const { action, pending } = await decide('@poem-coach the sea', { loaded: [idOf('poem-coach')], steps: [read] });
  const content = action.type === 'final_answer' ? action.content : '';
  assert.match(content, /needs a model/);
  assert.match(content, /A poem that can be read aloud\./);
  assert.ok(content.includes(path.join('poem-coach', 'SKILL.md')));
  assert.equal(pending?.reason, 'model');
});

test('a skill that works on its own is given the task, and inside runs itself', async () => {
  const request = '@lone-worker count the stars';
  assert.equal(await shown(request, { loaded: [] }), `lone-worker ${JSON.stringify({ task: request })}`);
  const inside = { loaded: [idOf('lone-worker')], named: [idOf('lone-worker')] };
  assert.equal(await shown(request, inside), 'lone-worker {"input":"count the stars"}');
});

test('a skill named beside the request is used for it', async () => {
  assert.equal(
    await shown('README.md as text', { named: [idOf('page-maker')] }),
    'page-maker {"input":"README.md","format":"text"}',
  );
});

test('the same knowledge gives the same decision, and any request gives one', async () => {
  const { default: fc } = await import('fast-check');
  const word = fc.oneof(
    fc.constantFrom(...TABLE.map(([request]) => request)),
    fc.constantFrom('@', '/', '--', '=', '"', '“', '运行技能', 'then', '然后', '.md', '7 天', '\u0000'),
    fc.string({ unit: 'binary', maxLength: 12 }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(word, { maxLength: 4 }), async (words) => {
      const request = words.join(' ');
      const [one, other] = [await decide(request), await decide(request)];
      assert.equal(one.text, other.text);
    }),
    { numRuns: count(2_000, 100) },
  );
});
