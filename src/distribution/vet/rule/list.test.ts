import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findRules } from '../search.ts';
import { viewsOf } from '../view.ts';
import { RULES } from './list.ts';

for (const rule of RULES) {
  const kind = rule.where === 'script' ? 'script' : 'prose';
  const finds = (text: string) => [...findRules([rule], viewsOf(`# A\n\n${text}\n`, kind), kind)].length > 0;

  test(`rule ${rule.id} in ${rule.where}: finds what it says it finds, and nothing of what it says is fine`, () => {
    assert.ok(rule.examples.bad.length > 0 && rule.examples.fine.length > 0);
    assert.deepEqual(
      rule.examples.bad.filter((text) => !finds(text)),
      [],
      'missed',
    );
    assert.deepEqual(rule.examples.fine.filter(finds), [], 'false alarm');
  });

  test(`rule ${rule.id} in ${rule.where}: no cue reaches further than is written in it`, () => {
    for (const { source, global } of rule.shapes.flatMap(({ cues }) => cues)) {
      assert.ok(global, source);
      // A repetition without an end, tried at each of a million places, would read the text a million times.
      assert.doesNotMatch(source.replace(/\\.|\[(?:\\.|[^\]])*\]/g, 'x'), /[*+]|\{\d+,\}/, source);
    }
  });
}
