import assert from 'node:assert/strict';
import test from 'node:test';
import { buildRankIndex, type RankIndex } from './index.ts';
import { rank } from './rank.ts';
import { RANK_SETTINGS } from './settings.ts';
import type { RankDocument } from './stream.ts';

function skill(name: string, description: string, more: Partial<RankDocument> = {}): RankDocument {
  return { id: `id:${name}`, digest: name, name, description, ...more };
}

const SKILLS = [
  skill('pdf-tools', 'Extract text and tables from PDF files, merge and split them'),
  skill('slide-maker', 'Create presentations and slide decks. Do not use for spreadsheets or budgets.'),
  skill('sheet-helper', 'Edit spreadsheets, formulas and budgets in Excel workbooks'),
  skill('deploy-web', 'Deploy a web service to Kubernetes clusters', { headings: ['Rolling update', 'Rollback'] }),
  skill('zh-contract', '审查合同条款，标出风险并生成修改建议'),
  skill('image', 'Generate pictures and banners', { bodyStart: 'Uses a diffusion model for watercolor drawings' }),
  skill('notes', 'Summarize meetings', { examples: ['what did we decide on Tuesday'] }),
];
const index = buildRankIndex(SKILLS);

function first(request: string, from: RankIndex = index): string | undefined {
  return rank(from, request).hits[0]?.id;
}

test('words of description, headings, body start and examples find a skill', () => {
  assert.equal(first('merging two pdf documents'), 'id:pdf-tools');
  assert.equal(first('how do I roll back'), 'id:deploy-web');
  assert.equal(first('a watercolor of my house'), 'id:image');
  assert.equal(first('remind me what was decided on tuesday'), 'id:notes');
});

test('Chinese requests, traditional ones too, find Chinese and English skills', () => {
  assert.equal(first('帮我看看这份合同有没有风险'), 'id:zh-contract');
  assert.equal(first('幫我審查合約風險'), 'id:zh-contract');
  assert.equal(first('部署网站到集群'), 'id:deploy-web');
  assert.equal(first('check my contract'), 'id:zh-contract');
});

test('character grams find what stems do not', () => {
  assert.equal(first('spreadsheeting'), 'id:sheet-helper');
});

test('an explicit mention wins over everything the words say', () => {
  const request = 'extract text and tables from pdf files';
  assert.equal(first(request), 'id:pdf-tools');
  for (const mention of [
    '@deploy-web',
    '/deploy-web',
    '$deploy-web',
    'use deploy-web:',
    'with the `deploy-web` skill,',
  ]) {
    assert.equal(first(`${mention} ${request}`), 'id:deploy-web', mention);
  }
  assert.equal(first(`${request} 用deploy-web`), 'id:deploy-web');
  assert.equal(first(`@image ${request}`), 'id:image');
});

test('an everyday word that is also a name is no mention', () => {
  assert.equal(first('extract the image from pdf files'), 'id:pdf-tools');
});

test('a name that is refused does not win, and leaves the list', () => {
  const { hits } = rank(index, 'merge pdf files, but not pdf-tools');
  assert.ok(!hits.some(({ id }) => id === 'id:pdf-tools'));
});

test('a path is not a mention', () => {
  assert.equal(first('merge the pdf files in ./deploy-web/out and /srv/deploy-web'), 'id:pdf-tools');
});

test('what a skill says it is not for does not find it', () => {
  const hits = rank(index, 'budgets').hits.map(({ id }) => id);
  assert.equal(hits[0], 'id:sheet-helper');
  assert.ok(!hits.includes('id:slide-maker'));
  const counting = buildRankIndex(SKILLS, { ...RANK_SETTINGS, exclusions: false });
  assert.ok(rank(counting, 'budgets').hits.some(({ id }) => id === 'id:slide-maker'));
});

test('matched words are those of the request, telling ones first, pairs joined', () => {
  const hit = rank(index, 'please show me the clusters of my web Service').hits[0];
  assert.deepEqual(hit?.matched, ['clusters', 'web', 'Service']);
  assert.deepEqual(rank(index, '请审查合同条款').hits[0]?.matched, ['审查合同条款']);
});

test('the router abstains when nothing fits, and says so', () => {
  for (const request of ['', '???', 'zzxxqq', 'how tall is the highest mountain on the planet mars']) {
    assert.equal(rank(index, request).abstained, true, request);
  }
  assert.equal(rank(index, 'split a pdf').abstained, false);
  assert.equal(rank(index, '@notes qwertz').abstained, false);
});

test('equal skills keep one order however they were found', () => {
  const twins = ['c', 'a', 'b'].map((id) => ({ ...skill('twin', 'The same words'), id }));
  for (const order of [twins, twins.toReversed()]) {
    assert.deepEqual(
      rank(buildRankIndex(order), 'same words').hits.map(({ id }) => id),
      ['a', 'b', 'c'],
    );
  }
});

test('the limit is kept, and an empty index answers', () => {
  assert.equal(rank(index, 'files web pictures meetings spreadsheets', { limit: 2 }).hits.length, 2);
  assert.deepEqual(rank(buildRankIndex([]), 'anything'), { hits: [], abstained: true });
});

test('a hostile request is answered, not obeyed', () => {
  const long = `${"'".repeat(5000)} ${'pdf '.repeat(20_000)} ${'`'.repeat(3000)}${'"a'.repeat(5000)}`;
  assert.equal(first(long), 'id:pdf-tools');
  assert.equal(rank(index, '__proto__ toString @__proto__').abstained, true);
});
