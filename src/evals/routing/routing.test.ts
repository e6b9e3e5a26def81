import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test, { type TestContext } from 'node:test';
import { temporaryFolder } from '../../../test/support/support.ts';
import { Fault } from '../../base/errors.ts';
import { evaluateRouting } from './routing.ts';

const POOL = [
  { id: 'x:pdf', name: 'pdf', description: 'Extract text from PDF files', headings: ['Tables'], body_head: '# PDF' },
  { id: 'x:web', name: 'web', description: 'Deploy web services' },
];
const QUERIES = [
  { id: 'q1', query: 'text of a pdf', relevant: ['x:pdf'], lang: 'en' },
  { id: 'q2', query: 'deploy it', relevant: ['x:web', 'x:pdf'], lang: 'en' },
  { id: 'q3', query: '部署', relevant: ['x:web'], lang: 'zh' },
];
const NEGATIVES = [{ query: 'how are pdf files made?', not_relevant: ['x:pdf'] }];

function folder(t: TestContext, files: Record<string, unknown[]>): string {
  const place = path.join(temporaryFolder(t), 'set');
  mkdirSync(place);
  for (const [name, lines] of Object.entries(files)) {
    const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
    writeFileSync(path.join(place, name), `${text}\n`);
  }
  return place;
}

function faultOf(run: () => unknown): Fault {
  try {
    run();
  } catch (error) {
    assert.ok(error instanceof Fault, String(error));
    return error;
  }
  return assert.fail('nothing was thrown');
}

test('a labelled set is measured', (t) => {
  const report = evaluateRouting(
    folder(t, { 'pool.jsonl': POOL, 'queries.jsonl': QUERIES, 'negatives.jsonl': NEGATIVES }),
    { catalogTokens: (skills) => skills.length * 100 },
  );
  assert.deepEqual([report.pool, report.queries, report.negatives], [2, 3, 1]);
  assert.equal(report.metrics['recall@1'], 1);
  // q2 wants two skills and finds one of them.
  assert.equal(report.metrics['recall@5'], round(2.5 / 3));
  assert.equal(report.metrics.mrr, 1);
  assert.equal(report.metrics.near_miss, 1);
  assert.equal(report.metrics.catalog_tokens_max, 100);
  assert.equal(report.by_language.zh?.queries, 1);
  assert.equal(report.by_language.zh?.['recall@1'], 1);
  assert.ok((report.metrics.p95_ms ?? -1) >= 0);
  const near = report.intervals.near_miss;
  assert.ok(near && near.low > 0 && near.high === 1);
});

test('a set without negatives is measured too', (t) => {
  const report = evaluateRouting(folder(t, { 'pool.jsonl': POOL, 'queries.jsonl': QUERIES }));
  assert.equal(report.negatives, 0);
});

test('a missing folder or file is named', (t) => {
  assert.match(faultOf(() => evaluateRouting(path.join(temporaryFolder(t), 'none'))).message, /pool\.jsonl/);
  assert.match(faultOf(() => evaluateRouting(folder(t, { 'pool.jsonl': POOL }))).message, /queries\.jsonl/);
  assert.match(faultOf(() => evaluateRouting(folder(t, { 'pool.jsonl': [] }))).message, /no lines/);
});

test('a bad line is named by file and number', (t) => {
  const bad: [Record<string, unknown[]>, RegExp][] = [
    [{ 'pool.jsonl': [POOL[0], '{broken'] }, /pool\.jsonl:2/],
    [{ 'pool.jsonl': [{ ...POOL[0], name: 7 }] }, /pool\.jsonl:1: "name" must be a text/],
    [{ 'pool.jsonl': POOL, 'queries.jsonl': ['[]'] }, /queries\.jsonl:1: not a JSON object/],
    [
      { 'pool.jsonl': POOL, 'queries.jsonl': [{ ...QUERIES[0], relevant: ['x:gone'] }] },
      /x:gone, which is not in the pool/,
    ],
    [{ 'pool.jsonl': POOL, 'queries.jsonl': [{ ...QUERIES[0], relevant: [] }] }, /names no skill/],
    [
      { 'pool.jsonl': POOL, 'queries.jsonl': QUERIES, 'negatives.jsonl': [{ query: 'x' }] },
      /negatives\.jsonl:1: "not_relevant"/,
    ],
  ];
  for (const [files, message] of bad) assert.match(faultOf(() => evaluateRouting(folder(t, files))).message, message);
});

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
