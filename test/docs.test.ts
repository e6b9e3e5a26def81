import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { renderPages } from '../scripts/docs.ts';
import { repository } from './support.ts';

test('docs/cli.md, docs/errors.md and the map in AGENTS.md say what the code says', async () => {
  for (const [name, text] of Object.entries(await renderPages())) {
    const written = readFileSync(path.join(repository, name), 'utf8');
    assert.equal(written, text, `${name} is out of date: npm run docs`);
  }
});
