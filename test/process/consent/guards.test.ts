// Each guard of consent: with it a variable stays out of reach, and where it is taken out of the source, the same words get it.
import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { openGrants } from '../../../src/policy/grant/store.ts';
import { select, tool } from '../../support/agent-support.ts';
import type { Change } from '../../support/changed/changed-source.ts';
import { CONSENT_FILES, type Desk, KEY, modelWords, openDesk } from '../../support/consent/desk.ts';
import { runCli } from '../../support/support.ts';

const EXEC = ['exec', 'weather', 'scripts/see.py', '--yes'];
const TEXT = ['python3', '-c', 'import os; print("sees", len(os.environ.get("WEATHER_KEY", "")))'];
const DECLARED = CONSENT_FILES['.agent/skills/weather/SKILL.md'].replace(
  /^name: .*/m,
  (line) => `${line}\nsecrets: [WEATHER_KEY]`,
);

interface Guard {
  readonly what: string;
  readonly files?: Readonly<Record<string, string>>;
  /** What a person and others did before; the words that are tried then. */
  readonly prepare: (desk: Desk) => Promise<readonly string[]>;
  readonly control: Change;
}

const reads = (desk: Desk) => desk.grant('weather', '--variable', 'WEATHER_KEY');

const GUARDS: readonly Guard[] = [
  {
    what: 'a text in the name of the skill, by a grant for its code and --yes',
    prepare: async (desk) => {
      await reads(desk);
      return modelWords(desk, select('weather'), tool('run_command', { argv: TEXT }, 'weather'));
    },
    control: {
      file: 'src/door/consent/consent.ts',
      from: 'return wasShown && isSame ? now : NO_CONSENT;',
      to: 'return isSame ? now : NO_CONSENT;',
    },
  },
  {
    what: 'a skill of which one byte is another since',
    prepare: async (desk) => {
      await reads(desk);
      appendFileSync(path.join(desk.project, '.agent/skills/weather/SKILL.md'), '\n');
      return EXEC;
    },
    control: {
      file: 'src/policy/grant/grant.ts',
      from: "if (call.digest === undefined || grant.bound.digest !== call.digest) return 'the files changed';",
      to: '',
    },
  },
  {
    what: 'another skill',
    prepare: async (desk) => {
      await reads(desk);
      return EXEC.with(1, 'other');
    },
    control: {
      file: 'src/policy/grant/grant.ts',
      from: "if (call.digest === undefined || grant.bound.digest !== call.digest) return 'the files changed';",
      to: '',
    },
  },
  {
    what: 'a grant that has ended',
    prepare: async (desk) => {
      const id = await reads(desk);
      const grants = openGrants(desk.home, desk.project);
      const [grant] = grants.list();
      assert.ok(grant);
      grants.add({ ...grant, expires: Date.now() - 1 });
      grants.revoke(id);
      return EXEC;
    },
    control: {
      file: 'src/policy/grant/grant.ts',
      from: 'return expires !== null && now >= expires;',
      to: 'return expires !== null && now < 0;',
    },
  },
  {
    what: 'a variable that the skill only declares, by --yes',
    files: { '.agent/skills/weather/SKILL.md': DECLARED },
    prepare: async () => EXEC,
    control: {
      file: 'src/policy/approval.ts',
      from: 'return variables.length === 0 && (',
      to: 'return variables.length < 99 && (',
    },
  },
];

/** How much of the variable the code or the text saw; 0 where it was not run. */
async function seen(t: TestContext, { prepare, files = {} }: Guard, change: readonly Change[]): Promise<number> {
  const desk = openDesk(t, { ...CONSENT_FILES, ...files });
  const words = await prepare(desk);
  const at = { cwd: desk.project, home: desk.home, env: { WEATHER_KEY: KEY }, change };
  const { stdout, stderr, code } = await runCli([...words, '--non-interactive'], at);
  assert.ok([0, 4].includes(code ?? -1), stdout + stderr);
  const shown = words[0] === 'run' ? (await desk.sw(['runs', 'show', 'latest', '--output'])).stdout : stdout;
  const found = /sees (\d+)/.exec(shown);
  return found ? Number(found[1]) : 0;
}

for (const guard of GUARDS) {
  test(`consent-guard blocked: ${guard.what}`, async (t) => {
    assert.equal(await seen(t, guard, []), 0);
  });

  test(`consent-guard control: ${guard.what}`, async (t) => {
    assert.equal(await seen(t, guard, [guard.control]), KEY.length);
  });
}
