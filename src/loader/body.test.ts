import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { carelessBodyLoader } from '../../test/support/changed/careless-reader.ts';
import { dataFolder, temporaryFolder } from '../../test/support/support.ts';
import { Fault } from '../base/errors.ts';
import { findHidden } from '../base/text.ts';
import { argumentsOf } from './argument.ts';
import { loadBody, type SkillPlace } from './body.ts';
import { loadResource } from './resource.ts';
import { listResources } from './resource-list.ts';

const HEAD = '---\nname: demo\ndescription: A demo.\nmetadata:\n  secret-plan: opaque\n---\n';

test('002-66 the body comes without its frontmatter, also where that had to be mended', (t) => {
  const forms = [
    `${HEAD}\n\n# Title\ntext\n`,
    `\ufeff${HEAD.replaceAll('\n', '\r\n')}# Title\r\ntext\r\n`,
    '---\nname: demo\ndescription: broken: colon\n---\n# Title\ntext\n',
    '---\nname: demo\ndescription: never closed\n\n# Title\ntext\n',
  ];
  for (const form of forms) {
    const body = loadBody(makeSkill(t, { 'SKILL.md': form }));
    assert.equal(body.text, '# Title\ntext', JSON.stringify(form));
  }
});

test('invisible characters are taken out and counted, line ends are made one', (t) => {
  const skill = makeSkill(t, { 'SKILL.md': `${HEAD}a\u200bb\r\nc\u202ed\re\u{e0041}f\ufeff\n` });
  const body = loadBody(skill);
  assert.equal(body.text, 'ab\ncd\nef');
  assert.equal(body.removed, 4);
});

test('threat 24 blocked: no hidden character of a body or a resource reaches a model, wherever it stands', (t) => {
  for (const hidden of HIDDEN) {
    const text = `${hidden}start mid${hidden}dle end${hidden}`;
    const skill = makeSkill(t, { 'SKILL.md': HEAD + text, 'reference/x.md': text });
    assert.deepEqual(findHidden(loadBody(skill).text), [], JSON.stringify(hidden));
    assert.equal(loadResource(skill, 'reference/x.md').text, 'start middle end');
  }
});

test('threat 24 control: read without care, each of them is there', async (t) => {
  const loadCarelessly = await carelessBodyLoader();
  for (const hidden of HIDDEN) {
    const skill = makeSkill(t, { 'SKILL.md': `${HEAD}start mid${hidden}dle` });
    assert.equal(findHidden(loadCarelessly(skill).text).length, 1, JSON.stringify(hidden));
  }
});

const HIDDEN = [
  '\u{e0000}',
  '\u{e0041}',
  '\u{e007f}',
  '\u200b',
  '\u202a',
  '\u202e',
  '\u2066',
  '\u2069',
  '\ufe0f\ufe0e',
];

test('a body over the limit loads up to it, and every later part can be read by name', (t) => {
  const sections = Array.from({ length: 12 }, (_, n) => `## Part ${n}\n${`line of ${n}\n`.repeat(49)}`);
  const skill = makeSkill(t, { 'SKILL.md': HEAD + sections.join('') });
  const body = loadBody(skill);
  assert.equal(body.totalLines, 600);
  assert.equal(body.text.split('\n').length, 500);
  assert.equal(body.truncated, true);
  assert.deepEqual(
    body.outline.map(({ title }) => title),
    ['Part 10', 'Part 11'],
  );
  for (const { title } of body.outline) {
    const part = loadResource(skill, 'SKILL.md', { section: title });
    assert.equal(part.text.split('\n').length, 50);
    assert.match(part.text, new RegExp(`^## ${title}\nline of`));
  }
  assert.equal(loadBody(skill, { maxLines: 600 }).truncated, false);
});

test('002-69 the body names its source and folder, and lists its resources by kind without opening them', (t) => {
  const skill = makeSkill(t, {
    'SKILL.md': `${HEAD}body`,
    'scripts/run.py': 'x',
    'reference/a.md': 'xx',
    'references/b.md': 'x',
    'assets/logo.png': 'x',
    'templates/t.txt': 'x',
    'LICENSE.txt': 'x',
    '.git/config': 'x',
    'node_modules/m/index.js': 'x',
  });
  symlinkSync('/etc/passwd', path.join(skill.folder, 'reference', 'link.md'));
  const body = loadBody(skill);
  assert.deepEqual([body.source, body.folder, body.name], ['user', skill.folder, 'demo']);
  assert.deepEqual(
    body.resources.items.map((item) => `${item.kind} ${item.path} ${item.bytes}`),
    [
      'reference reference/a.md 2',
      'reference references/b.md 1',
      'script scripts/run.py 1',
      'asset assets/logo.png 1',
      'other LICENSE.txt 1',
      'other templates/t.txt 1',
    ],
  );
});

test('a list of very many files is cut and says so', (t) => {
  const many = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`assets/${n}.txt`, 'x']));
  const list = listResources(makeSkill(t, { 'SKILL.md': HEAD, ...many }));
  assert.deepEqual([list.items.length, list.cut], [200, true]);
});

test('placeholders become the folder and the arguments', (t) => {
  const skill = makeSkill(t, { 'SKILL.md': `${HEAD}run {baseDir}/scripts/x.py $ARGUMENTS` });
  assert.equal(loadBody(skill, { arguments: argumentsOf('a b') }).text, `run ${skill.folder}/scripts/x.py a b`);
});

test('002-70 exactly one named file, one section of it, or the outline when the section is unknown', (t) => {
  const skill = makeSkill(t, {
    'SKILL.md': HEAD,
    'reference/kpi.md': '# KPI\nintro\n## 指标定义\n内容\n## Other\nx\n',
  });
  assert.equal(loadResource(skill, 'reference/kpi.md').text, '# KPI\nintro\n## 指标定义\n内容\n## Other\nx');
  const part = loadResource(skill, 'reference/kpi.md', { section: '## 指标定义' });
  assert.deepEqual([part.text, part.kind, part.truncated], ['## 指标定义\n内容', 'reference', false]);
  const unknown = loadResource(skill, 'reference/kpi.md', { section: 'Nothing' });
  assert.deepEqual([unknown.text, unknown.unknownSection], ['', 'Nothing']);
  assert.deepEqual(
    unknown.outline.map(({ title }) => title),
    ['KPI', '指标定义', 'Other'],
  );
});

test('002-75 reference, assets and scripts are readable as text', (t) => {
  const skill = makeSkill(t, { 'SKILL.md': HEAD, 'scripts/x.py': '# no heading\nprint(1)\n', 'assets/t.txt': 'text' });
  assert.equal(loadResource(skill, 'scripts/x.py').text, '# no heading\nprint(1)');
  assert.equal(loadResource(skill, 'scripts/x.py').kind, 'script');
  assert.equal(loadResource(skill, 'assets/t.txt').text, 'text');
});

test('frontmatter is not shown through the back door either', (t) => {
  const skill = makeSkill(t, { 'SKILL.md': `${HEAD}body`, 'nested/SKILL.md': `${HEAD}nested body` });
  assert.equal(loadResource(skill, 'SKILL.md').text, 'body');
  assert.equal(loadResource(skill, './SKILL.md').text, 'body');
  assert.equal(loadResource(skill, 'nested/SKILL.md').text, 'nested body');
});

test('SKILL.md may be a link to another file of the same skill', (t) => {
  const skill = makeSkill(t, { 'README.md': `${HEAD}body` });
  symlinkSync('README.md', skill.file);
  assert.equal(loadBody(skill).text, 'body');
  assert.equal(loadResource(skill, 'SKILL.md').text, 'body');
});

test('a skill that is gone, or a body over 1 MiB, is a fault of the catalogue', (t) => {
  const gone = { ...makeSkill(t, {}), file: '/nowhere/SKILL.md' };
  assert.throws(
    () => loadBody(gone),
    (error) => error instanceof Fault && error.type === 'MetadataMissing',
  );
  const large = makeSkill(t, { 'SKILL.md': HEAD + 'x'.repeat(1024 * 1024) });
  assert.throws(
    () => loadBody(large),
    (error) => error instanceof Fault && error.type === 'LIMIT_FILE_SIZE',
  );
});

test('every real SKILL.md gives a body, and what is cut can be read', (t) => {
  const data = dataFolder(t);
  if (data === undefined) return;
  const lines = readFileSync(path.join(data, 'skill-files', 'skills.jsonl'), 'utf8')
    .split('\n')
    .filter(Boolean);
  const skill = makeSkill(t, {});
  let empty = 0;
  for (const line of lines) {
    writeFileSync(skill.file, JSON.parse(line).text);
    const body = loadBody(skill, { maxLines: 100 });
    assert.deepEqual(findHidden(body.text), []);
    if (body.text === '') empty++;
    for (const { line: first, end } of body.outline) {
      const part = loadResource(skill, 'SKILL.md', { section: `lines ${first}-${end}` });
      assert.equal(part.section?.line, first);
    }
  }
  assert.ok(lines.length > 500);
  assert.ok(empty < lines.length / 50, `${empty} bodies of ${lines.length} are empty`);
});

function makeSkill(t: TestContext, files: Record<string, string>): SkillPlace {
  const folder = path.join(temporaryFolder(t), 'demo');
  mkdirSync(folder);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  return { name: 'demo', source: 'user', folder, file: path.join(folder, 'SKILL.md') };
}
