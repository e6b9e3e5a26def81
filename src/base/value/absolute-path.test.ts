import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { absolutePath } from './absolute-path.ts';

test('an absolute path stays as it is written, a relative one is meant from here', () => {
  assert.equal(absolutePath('/a/../b/'), '/a/../b/');
  for (const written of ['a', './a', '../a', '']) {
    const made = absolutePath(written);
    assert.ok(path.isAbsolute(made), written);
    assert.equal(made, path.resolve(written));
  }
});
