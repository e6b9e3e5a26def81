// Nothing is decided by a key of an outcome's data: the data is told to others, and what code needs stands in typed fields.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseSource, readSources } from '../../scripts/source-tree.ts';
import { findOutcomeReads } from '../support/outcome-read.ts';
import { repository } from '../support/support.ts';

/** Where outcomes are flattened and read back, put into the form of the library, and where somebody else's are checked. */
const READERS = [
  'src/app/library/agent-run.ts',
  'src/app/library/jobs.ts',
  'src/app/library/outcome.ts',
  'src/base/flat-outcome.ts',
  'src/evals/said.ts',
];

test('only the flat form and the readers of foreign outcomes name a key of the data', () => {
  const found = findOutcomeReads(readSources(repository));
  const fileOf = (place: string) => place.slice(0, place.indexOf(':'));
  assert.deepEqual(
    found.filter((place) => !READERS.includes(fileOf(place))),
    [],
  );
  assert.deepEqual([...new Set(found.map(fileOf))].sort(), READERS, 'a reader that reads nothing is none');
});

test('a read of the data is found however it is written', () => {
  const text = `
    interface Told { readonly summary: string; readonly data: Data }
    interface Failed extends Told { readonly state: 'error' }
    interface Finished extends Told { readonly state: 'success' }
    export type Outcome = Failed | Finished;
    interface Ran { readonly outcome: Outcome }
    class Calling { async perform(): Promise<Outcome> { return run(); } }
    async function run(): Promise<Outcome> { return await start(); }
    const a = (given: Outcome) => given.data.one;
    const b = ({ data }: Pick<Outcome, 'data'>) => data.two;
    const c = ({ data: { three } }: Outcome) => three;
    const d = async () => { const { four } = (await run()).data; return four; };
    const e = ({ outcome }: Ran) => 'five' in outcome.data;
    const f = ({ six }: Outcome['data']) => six;
    const g = (outcome) => (outcome.data as { seven: string });
    const h = async (calling: Calling) => { const made = await calling.perform(); return made?.data['eight']; };
    const i = (given: Failed | undefined) => given?.data.nine;
    const j = (one: Outcome, two: Outcome) => (one ? one : two).data.ten;
    const k = (given: Outcome) => ({ ...given, data: { ...given.data, added: 1 } });
    const l = (given: { data: Data }) => given.data.other;
    const m = ({ data, ...rest }: Outcome) => Object.entries(data);`;
  const words = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
  const found = findOutcomeReads([parseSource('src/a.ts', text)]);
  assert.equal(found.length, words.length, found.join('\n'));
  for (const [at, word] of words.entries()) assert.ok(found[at]?.includes(word), `${word}: ${found[at]}`);
});
