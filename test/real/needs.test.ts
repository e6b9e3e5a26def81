// Hosts and variables found in scripts of public skills, against what a person found who read each of them whole.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createRuntime } from '../../src/app/runtime.ts';
import { count, type NeedsLabel, needsOfScript, precision, recall, type Tally } from '../support/real/needs.ts';
import { realFolder } from '../support/real/real-folder.ts';
import { temporaryFolder } from '../support/support.ts';

const LABELS: NeedsLabel[] = JSON.parse(readFileSync(`${import.meta.dirname}/needs-labels.json`, 'utf8'));
const AT_LEAST = 0.9;

for (const half of ['first', 'held-out'] as const)
  test(`hosts and variables of scripts of public skills: ${half} half`, async (t) => {
    const root = realFolder(t);
    if (!root) return;
    const home = temporaryFolder(t);
    const runtime = await createRuntime({ project: home, home });
    const tally = (): Tally => ({ found: 0, labelled: 0, right: 0, wrong: [] });
    const [hosts, variables] = [tally(), tally()];
    let absent = 0;
    for (const label of LABELS.filter((one) => one.half === half)) {
      const needs = await needsOfScript(label, root, runtime);
      if (!needs) absent++;
      const names = (kind: string) => (needs ?? []).filter((need) => need.kind === kind).map(({ name }) => name);
      const where = `${label.repository}/${label.path}`;
      if (needs) count(hosts, names('host'), label.hosts, where);
      if (needs) count(variables, names('variable'), label.variables, where);
    }
    const line = (name: string, one: Tally) =>
      `${name}: precision ${precision(one).toFixed(3)}, recall ${recall(one).toFixed(3)} (${one.labelled} labelled, ${one.found} found)`;
    const text = [line('hosts', hosts), line('variables', variables), `scripts that are not there: ${absent}`];
    t.diagnostic([...text, ...hosts.wrong, ...variables.wrong].join('\n'));
    assert.equal(absent, 0, 'every labelled script is in the folder');
    for (const one of [hosts, variables])
      assert.ok(precision(one) >= AT_LEAST && recall(one) >= AT_LEAST, [...text, ...one.wrong].join('\n'));
  });
