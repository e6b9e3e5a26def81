// Packages found in scripts of public skills, against what a person found in them before there was a reader.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createRuntime } from '../../src/app/runtime.ts';
import { count, type PackagesLabel, packagesOfScript, precision, recall, type Tally } from '../support/real/needs.ts';
import { realFolder } from '../support/real/real-folder.ts';
import { temporaryFolder } from '../support/support.ts';

const LABELS: PackagesLabel[] = JSON.parse(readFileSync(`${import.meta.dirname}/package-labels.json`, 'utf8'));
const AT_LEAST = 0.95;

for (const half of ['first', 'held-out'] as const)
  test(`packages of scripts of public skills: ${half} half`, async (t) => {
    const root = realFolder(t);
    if (!root) return;
    const home = temporaryFolder(t);
    const runtime = await createRuntime({ project: home, home });
    const labels = LABELS.filter((one) => one.half === half);
    assert.equal(labels.length, 50);
    const tally: Tally = { found: 0, labelled: 0, right: 0, wrong: [] };
    for (const label of labels) {
      const where = `${label.repository}/${label.path}`;
      const found = await packagesOfScript(label, root, runtime);
      assert.ok(found, `${where} is in the folder`);
      count(tally, found, label.packages, where);
    }
    const text = `precision ${precision(tally).toFixed(3)}, recall ${recall(tally).toFixed(3)} (${tally.labelled} labelled, ${tally.found} found)`;
    t.diagnostic([text, ...tally.wrong].join('\n'));
    assert.ok(precision(tally) >= AT_LEAST && recall(tally) >= AT_LEAST, [text, ...tally.wrong].join('\n'));
  });
