import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import type { Places } from '../../policy/place.ts';
import type { View } from '../../process/order.ts';
import type { SkillEntry } from '../../registry/discover.ts';
import { absolutePath } from './absolute-path.ts';

test('an absolute path stays as it is written, a relative one is meant from here', () => {
  assert.equal(absolutePath('/a/../b/'), '/a/../b/');
  for (const written of ['a', './a', '../a', '']) {
    const made = absolutePath(written);
    assert.ok(path.isAbsolute(made), written);
    assert.equal(made, path.resolve(written));
  }
});

/** Whether any text will do. Where one would, `false` does not compile. */
type TakesText<T> = string extends T ? true : false;

test('places, the view of a process and the folder of a skill take no text that was not made absolute', () => {
  const places: TakesText<Places['project'] | Places['home'] | Places['output'][number]> = false;
  const view: TakesText<View['work'] | View['readOnly'][number] | View['writable'][number]> = false;
  const project: TakesText<NonNullable<View['project']>['folder']> = false;
  const skill: TakesText<SkillEntry['folder']> = false;
  assert.deepEqual([places, view, project, skill], Array(4).fill(false));
});
