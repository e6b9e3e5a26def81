// What the protocol's own conformance suite says of our command line as a host of skills; in the long run only.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { installed, OUTSIDE } from '../../support/mcp/outside.ts';
import { call } from '../../support/package-support.ts';
import { compiledCode, isLong, repository } from '../../support/support.ts';

const SKIP = { skip: isLong() ? false : 'in the long run only' };
const DRIVER = path.join(repository, 'test/support/child/conformance-skills.ts');
const SCENARIOS = ['no-prefetch', 'verify-digest', 'verify-size', 'verify-frontmatter'].map(
  (name) => `sep-2640-client-${name}`,
);

test('as a host of skills the command line passes every scenario of the suite', SKIP, async (t) => {
  const folder = await installed(t, OUTSIDE.conformance);
  const suite = path.join(folder, 'node_modules/.bin/conformance');
  for (const scenario of SCENARIOS) {
    const out = path.join(folder, 'out', scenario);
    const options = ['--scenario', scenario, '--timeout', '120000', '--output-dir', out];
    const client = ['--command', `${process.execPath} ${DRIVER}`];
    const { code, stdout, stderr } = await call([suite, 'client', ...client, ...options], folder, compiledCode());
    const [file = ''] = globSync('**/checks.json', { cwd: out });
    const checks: { status: string }[] = JSON.parse(readFileSync(path.join(out, file), 'utf8'));
    const states = new Set(checks.map(({ status }) => status));
    assert.deepEqual([code, states.has('SUCCESS'), states.has('FAILURE')], [0, true, false], stdout + stderr);
  }
});
