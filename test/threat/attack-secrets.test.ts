// A script reads secrets that lie in the project under names people give them; the control runs the same script
// against the source that does not know these names.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Change } from '../support/changed/changed-source.ts';
import { makeProject, skillFiles } from '../support/door-support.ts';
import { runCli, temporaryFolder } from '../support/support.ts';

const SECRETS = [
  ...['prod.env', 'secrets.yml', 'terraform.tfstate', 'prod.tfvars', '.dockercfg', '.my.cnf'],
  ...['.cargo/credentials.toml', 'lib.git/config', '.git/worktrees/side/config.worktree'],
];

async function readSecrets(t: TestContext, ...change: Change[]) {
  const secrets = Object.fromEntries(SECRETS.map((name) => [name, `canary of ${name}\n`]));
  const skill = skillFiles('reader', 'name: reader\ndescription: Reads.\ncommand: sh read.sh', { 'read.sh': '' });
  const project = makeProject(t, { ...skill, ...secrets, config: 'plain settings\n' });
  const words = ['config', ...SECRETS].map((name) => `'${path.join(project, name)}'`);
  writeFileSync(path.join(project, '.claude/skills/reader/read.sh'), `cat ${words.join(' ')} 2>/dev/null\nexit 0\n`);
  const at = { cwd: project, home: temporaryFolder(t), change };
  const { stdout } = await runCli(['invoke', '@reader', '--yes', '--json'], at);
  const { data } = JSON.parse(stdout);
  return { tier: data.sandbox?.tier, seen: SECRETS.filter((name) => stdout.includes(`canary of ${name}`)), stdout };
}

test('attack secret-names blocked: a script sees none of them, and an ordinary config file', async (t) => {
  const { tier, seen, stdout } = await readSecrets(t);
  if (tier === 'S0') return t.diagnostic('not run: nothing isolates here');
  assert.deepEqual(seen, [], stdout);
  assert.match(stdout, /plain settings/);
});

test('attack secret-names control: where the names are not known, the script reads them all', async (t) => {
  const file = 'src/base/hidden-files.ts';
  const { seen, stdout } = await readSecrets(
    t,
    { file, from: 'if (SECRETS_OF.get(kind)?.has(name)) return true;', to: '' },
    { file, from: 'return SECRET_NAME.test(name);', to: 'return false;' },
  );
  assert.deepEqual(seen, SECRETS, stdout);
});
