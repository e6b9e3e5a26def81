import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { changed } from '../../test/support/changed/changed-source.ts';
import { Fault } from '../base/errors.ts';
import { compilePattern, isTooMuchWork, replaceMatches } from './pattern.ts';

const faultOf = (type: string) => (error: unknown) => error instanceof Fault && error.type === type;
const swap = async (pattern: string, text: string, replacement: string) =>
  replaceMatches(await compilePattern(pattern), text, replacement);

const PATIENT = { from: 'Math.min(300 + characters / 1000, 3000)', to: 'Number.POSITIVE_INFINITY' };
const LARGE_PATTERNS = ['a{1000}a{1000}a{1000}', `${'(a*)*'.repeat(1000)}b`, 'x'.repeat(5000)];

test('threat 51 blocked: a pattern that is large, or becomes large, is refused', async () => {
  for (const pattern of LARGE_PATTERNS) await assert.rejects(compilePattern(pattern), faultOf('ParamInvalid'));
});

test('threat 51 control: without limits the same patterns are run', async () => {
  const limits = ['length: 1000,', 'steps: 2000,', 'work: 100_000_000,'];
  const unlimited = await changed<typeof import('./pattern.ts')>(
    'src/tools/pattern.ts',
    PATIENT,
    ...limits.map((from) => ({ from, to: from.replace(/[\d_]+/, 'Number.POSITIVE_INFINITY') })),
  );
  for (const source of LARGE_PATTERNS) {
    const pattern = await unlimited.compilePattern(source);
    assert.equal(unlimited.replaceMatches(pattern, 'ab', 'c') ?? 'ab', source.includes('b') ? 'c' : 'ab');
  }
});

test('threat 51 blocked: each match looks at the whole rest of the text, and is stopped', async () => {
  await assert.rejects(swap('(?s)(a+)+b|a', 'a'.repeat(50_000), 'b'), faultOf('LIMIT_CPU'));
  assert.ok(isTooMuchWork(await compilePattern('a{900}'), 'a'.repeat(1_000_000)));
});

test('a result that would fill the memory is stopped', async () => {
  const patient = await changed<typeof import('./pattern.ts')>('src/tools/pattern.ts', PATIENT);
  const pattern = await compilePattern('a');
  const fill = () => patient.replaceMatches(pattern, 'a'.repeat(1000), 'b'.repeat(100_000));
  assert.throws(fill, faultOf('LIMIT_FILE_SIZE'));
});

test('evil patterns on evil texts end with an answer', async () => {
  for (const pattern of [
    '^(a+)+$',
    '((a+)+)+$',
    '(a|aa)+$',
    '(.*a){20}$',
    '(a?){30}a{30}$',
    '^(([a-z])+.)+[A-Z]([a-z])+$',
  ])
    assert.equal(await swap(pattern, `${'a'.repeat(5000)}!`, 'x'), undefined, pattern);
});

test('a replacement means what it means to String.prototype.replace', async () => {
  const replacements = fc
    .array(
      fc.constantFrom('$1', '$2', '$3', '$0', '$10', '$01', '$$', '$&', '$<year>', '$<no', '$', 'x', '中', '$99'),
      {
        maxLength: 6,
      },
    )
    .map((parts) => parts.join(''));
  await fc.assert(
    fc.asyncProperty(replacements, async (replacement) => {
      const text = 'on 2024-05 and 2025-06';
      const native = text.replace(/(?<year>\d{4})-(\d\d)/g, replacement.replaceAll('$<no', '$ <no'));
      assert.equal(await swap('(?<year>\\d{4})-(\\d\\d)', text, replacement.replaceAll('$<no', '$ <no')), native);
    }),
  );
});
