// A new tier, provider, matcher or archive type is one file and an entry in a list: everything else follows.
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Change } from '../support/changed/changed-source.ts';
import { runCli, temporaryFolder } from '../support/support.ts';

const TIER: Change = {
  file: 'src/process/sandbox/tiers.ts',
  from: 'const LISTED: readonly SandboxTier[] = [bareTier,',
  to: "import { fakeTier } from '../../../test/support/fake/tier.ts'; const LISTED = [bareTier, fakeTier,",
};

test('a tier that is listed is tried, chosen by its rank, named in grants and records, and asked what it can do', async (t) => {
  const place = makePlace(t, TIER);
  place.write('.agent/skills/talks/SKILL.md', SKILL);
  const { sandbox } = (await place.ask('doctor')).data;
  // What its missing capability leaves open is added, and what it says itself.
  assert.deepEqual(sandbox, { tier: 'S4', not_enforced: ['no-limits', 'disk-space'] });
  const grant = await place.ask('grants', 'add', 'talks', '--command', '--tier', 'S4', '--', 'echo', 'hello');
  assert.deepEqual([grant.state, grant.data.tier], ['success', 'S4']);
  // Unasked: by rank it is at least what the grant demands.
  const run = await place.ask('invoke', 'talks');
  assert.deepEqual([run.state, run.data.sandbox], ['success', sandbox], JSON.stringify(run));
});

const SKILL =
  '---\nname: talks\ndescription: Says hello when somebody asks for a greeting.\ncommand: echo hello\n---\n\n# Talks\n';

type Data = Record<string, unknown>;

function makePlace(t: TestContext, change: Change) {
  const folder = realpathSync(temporaryFolder(t));
  chmodSync(folder, 0o755);
  const [project, home] = [path.join(folder, 'project'), path.join(folder, 'home')];
  for (const made of [project, home]) mkdirSync(made);
  return {
    project,
    write(name: string, content: string | Uint8Array): string {
      const file = path.join(project, name);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, content);
      return file;
    },
    async ask(...args: string[]): Promise<{ code: number | null; state: string; data: Data }> {
      const { code, stdout, stderr } = await runCli(['--json', ...args], { cwd: project, home, change });
      assert.notEqual(stdout, '', stderr);
      const { state, data } = JSON.parse(stdout);
      return { code, state, data };
    },
  };
}
