// The mutants of the rules fit the product as it is now; whether tests notice them is shown by `npm run test:mutants`.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RULES } from '../../scripts/rule/list.ts';
import { MUTANTS, RULES_WITHOUT_MUTANT } from '../mutants/all.ts';
import { assertApplicable } from '../support/changed/change.ts';

test('each mutant belongs to a rule, says what breaks, and changes text that occurs once', () => {
  for (const mutant of MUTANTS) {
    assert.ok(RULES.includes(mutant.rule), `there is no rule ${mutant.rule}`);
    assert.match(mutant.shows, /^\S[^\n]*$/, `${mutant.rule}: one line says what breaks`);
    assertApplicable([mutant]);
  }
});

test('no rule has the same mutant twice', () => {
  const seen = MUTANTS.map(({ rule, file, from, to }) => JSON.stringify([rule, file, from, to]));
  const twice = seen.filter((one, index) => seen.indexOf(one) !== index);
  assert.deepEqual(twice, []);
});

// Whoever takes the last mutant of a rule away has to write the rule into the list, where a reviewer sees it.
test('the rules without a mutant are exactly those that are listed as open', () => {
  const covered = new Set(MUTANTS.map(({ rule }) => rule));
  assert.deepEqual(
    RULES_WITHOUT_MUTANT,
    RULES.filter((rule) => !covered.has(rule)),
  );
});
