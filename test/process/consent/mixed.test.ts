// A call with a variable, in a layer that holds what others left: a person is asked first, and shown those files.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { script, select, tool } from '../../support/agent-support.ts';
import type { Change } from '../../support/changed/changed-source.ts';
import { CONSENT_FILES, type Desk, modelWords, openDesk } from '../../support/consent/desk.ts';
import { runCli } from '../../support/support.ts';

const FILES = {
  ...CONSENT_FILES,
  '.agent/skills/weather/scripts/write.py': 'open("own.txt", "w").write("own")\n',
};

/** The files a saved question names; undefined where nobody is asked. */
async function askedAbout(desk: Desk, words: readonly string[], change: readonly Change[] = []) {
  const at = { cwd: desk.project, home: desk.home, env: { WEATHER_KEY: 'tok-3f9c-not-to-be-seen' }, change };
  const { code, stdout, stderr } = await runCli([...words, '--non-interactive'], at);
  assert.ok([0, 4].includes(code ?? -1), stdout + stderr);
  const { data } = await desk.ask(['interrupts']);
  const questions = data.items as { question: string }[];
  return /others changed in this run, not applied yet: (.*)/.exec(questions[0]?.question ?? '')?.[1];
}

const WRITES = tool('write_file', { path: 'model.txt', content: 'from the model' });

test('attack consent-mixed blocked: neither a grant nor --yes lets code with a variable read what the model wrote', async (t) => {
  const desk = openDesk(t, FILES);
  await desk.grant('weather', '--script', 'scripts/see.py', '--variable', 'WEATHER_KEY');
  const words = modelWords(desk, WRITES, select('weather'), script('weather', 'see.py'));
  assert.equal(await askedAbout(desk, words), 'model.txt');
});

test('attack consent-mixed control: where files of others are not looked for, it runs at once', async (t) => {
  const desk = openDesk(t, FILES);
  await desk.grant('weather', '--script', 'scripts/see.py', '--variable', 'WEATHER_KEY');
  const words = modelWords(desk, WRITES, select('weather'), script('weather', 'see.py'));
  const change = {
    file: 'src/door/consent/consent.ts',
    from: 'if (hosts.length + variables.length === 0 && !hasDeclared(work)) return consent;',
    to: 'return consent;',
  };
  assert.equal(await askedAbout(desk, words, [change]), undefined);
});

test('consent: what its own code left in the layer is no reason to ask, nor is a call without consent', async (t) => {
  const desk = openDesk(t, FILES);
  const own = [select('weather'), script('weather', 'write.py'), script('weather', 'see.py')];
  assert.equal(await askedAbout(desk, modelWords(desk, WRITES, ...own)), undefined);
  await desk.grant('weather', '--variable', 'WEATHER_KEY');
  assert.equal(await askedAbout(desk, modelWords(desk, ...own)), undefined);
});

for (const [what, field, option] of [
  ['a variable', 'secrets: [WEATHER_KEY]', []],
  ['the whole network', 'network: true', ['--network']],
] as const) {
  const declaring = { ...FILES };
  const file = '.agent/skills/weather/SKILL.md';
  declaring[file] = FILES[file].replace(/^name: .*/m, (line) => `${line}\n${field}`);
  const granted = async (t: TestContext, change: readonly Change[] = []) => {
    const desk = openDesk(t, declaring);
    await desk.grant('weather', '--script', 'scripts/see.py', ...option);
    return await askedAbout(desk, modelWords(desk, WRITES, select('weather'), script('weather', 'see.py')), change);
  };

  test(`attack consent-mixed blocked: ${what} that a skill declares counts like what a grant names`, async (t) => {
    assert.equal(await granted(t), 'model.txt');
  });

  test(`attack consent-mixed control: where only grants count, ${what} and the model’s file are together in a call`, async (t) => {
    const change = { file: 'src/door/consent/consent.ts', from: ' && !hasDeclared(work)', to: '' };
    assert.equal(await granted(t, [change]), undefined);
  });
}
