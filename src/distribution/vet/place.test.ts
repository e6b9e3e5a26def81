import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { count } from '../../../test/support/support.ts';
import { openPlaceFinder } from './place.ts';
import { prefixesOf } from './prefix.ts';
import { RULES } from './rule/list.ts';

const CUES = new Set(RULES.flatMap(({ shapes }) => shapes.flatMap(({ cues }) => cues)));
const EXAMPLES = RULES.flatMap(({ examples }) => [...examples.bad, ...examples.fine]);
const { find, known } = openPlaceFinder(CUES);

test('a cue is tried wherever it can match, in texts of examples cut and joined anyhow', () => {
  const piece = fc
    .tuple(fc.constantFrom(...EXAMPLES), fc.nat(60), fc.nat(60))
    .map(([text, from, length]) => text.slice(from, from + length + 1));
  const text = fc.array(
    fc.oneof({ weight: 4, arbitrary: piece }, fc.constantFrom('\n', ' ', ' | ', '"', '\t', '中', '🏴')),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(text, (pieces) => assertTried(pieces.join(''))),
    { numRuns: count(20_000, 400) },
  );
  for (const example of EXAMPLES) assertTried(example);
  for (const example of EXAMPLES) assertTried(example.toUpperCase());
});

function assertTried(text: string): void {
  const places = find(text);
  for (const cue of CUES) {
    const { prefixes } = known(cue);
    for (const { index } of text.matchAll(cue))
      assert.ok(
        prefixes.some((number) => places[number]?.includes(index)),
        `${cue} at ${index} of ${JSON.stringify(text)}`,
      );
  }
}

test('the letters a pattern can begin with', () => {
  const of = (pattern: RegExp) => prefixesOf(pattern).map(({ text, atWord }) => (atWord ? `>${text}` : text));
  assert.deepEqual(of(/\bcurl\b|\bwget/g), ['>curl', '>wget']);
  assert.deepEqual(of(/(?:sudo )?(?:ba|z)?sh\b/g), ['sh', 'bash', 'zsh', 'sudo']);
  assert.deepEqual(of(/x["']?y{2}z/g), ['xy', 'x"y', "x'y"]);
  assert.deepEqual(of(/(?<=a)b(?!c)d/g), ['bd']);
  assert.deepEqual(of(/ab\d|cd.e|[^f]g/g), ['ab', 'cd', '']);
});

test('a cue that can begin with anything is refused, since it would be tried everywhere', () => {
  assert.throws(() => openPlaceFinder([/\w+x/g]), /can begin with anything/);
});
