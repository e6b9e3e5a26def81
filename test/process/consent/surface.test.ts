// A variable a person consented to reaches code of that digest on every surface, and nobody else.
import assert from 'node:assert/strict';
import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { script, select, tool } from '../../support/agent-support.ts';
import { type Desk, KEY, modelWords, openDesk, SURFACES, seenIn } from '../../support/consent/desk.ts';

for (const [surface, { grantee, words }] of Object.entries(SURFACES))
  test(`consent, ${surface}: nothing before, the variable by a grant for its code, nothing once it is revoked`, async (t) => {
    const desk = openDesk(t);
    if (surface === 'job') await desk.grant(grantee, '--action', 'see');
    assert.equal(seenIn(await desk.sw([...words, '--json'])), 0);
    const id = await desk.grant(grantee, '--variable', 'WEATHER_KEY');
    const given = await desk.sw([...words, '--json']);
    assert.equal(seenIn(given), KEY.length);
    assert.doesNotMatch(given.stdout, new RegExp(KEY));
    assert.equal((await desk.sw(['grants', 'revoke', id])).code, 0);
    assert.equal(seenIn(await desk.sw([...words, '--json'])), 0);
  });

test('consent, run: a model’s run_script of the skill has it, a run_command in its name has not', async (t) => {
  const desk = openDesk(t);
  await desk.grant('weather', '--variable', 'WEATHER_KEY');
  const ran = await desk.sw(modelWords(desk, select('weather'), script('weather', 'see.py')));
  assert.equal(ran.code, 0, ran.stderr);
  assert.equal(observedIn(desk), KEY.length);
  const argv = ['python3', '-c', 'import os; print("sees", len(os.environ.get("WEATHER_KEY", "")))'];
  const command = await desk.sw(modelWords(desk, select('weather'), tool('run_command', { argv }, 'weather')));
  assert.equal(command.code, 0, command.stderr);
  assert.equal(observedIn(desk), 0);
});

/** What the newest run kept of what its script printed. */
function observedIn({ project }: Desk): number {
  const runs = path.join(project, '.agent/runs');
  const [newest = ''] = readdirSync(runs)
    .filter((name) => name !== 'layers')
    .sort()
    .reverse();
  const texts = readdirSync(path.join(runs, newest), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), 'utf8'));
  const found = texts.flatMap((text) => [...text.matchAll(/sees (\d+)/g)].map(([, digits]) => Number(digits)));
  assert.notEqual(found.length, 0, texts.join('\n'));
  return found[0] ?? Number.NaN;
}

test('consent: another skill with the same script gets nothing, and one changed byte voids it', async (t) => {
  const desk = openDesk(t);
  await desk.grant('weather', '--variable', 'WEATHER_KEY');
  assert.equal(seenIn(await desk.sw(['exec', 'other', 'scripts/see.py', '--yes'])), 0);
  const words = ['exec', 'weather', 'scripts/see.py', '--yes'];
  assert.equal(seenIn(await desk.sw(words)), KEY.length);
  appendFileSync(path.join(desk.project, '.agent/skills/weather/SKILL.md'), '\n');
  assert.equal(seenIn(await desk.sw(words)), 0);
  const { data } = await desk.ask(['grants', 'list']);
  assert.equal((data.grants as { state: string }[])[0]?.state, 'changed');
});

test('consent: a grant for code lets nothing run, and one for a script with a variable does both', async (t) => {
  const desk = openDesk(t);
  const words = ['exec', 'weather', 'scripts/see.py', '--non-interactive'];
  const id = await desk.grant('weather', '--variable', 'WEATHER_KEY');
  assert.equal((await desk.sw(words)).code, 4);
  await desk.sw(['grants', 'revoke', id]);
  await desk.grant('weather', '--script', 'scripts/see.py', '--variable', 'WEATHER_KEY');
  const ran = await desk.sw(words);
  assert.deepEqual([ran.code, seenIn(ran)], [0, KEY.length], ran.stderr);
});

test('consent: the record names variables and never holds a value; the outcome says which were set', async (t) => {
  const desk = openDesk(t);
  await desk.grant('weather', '--variable', 'WEATHER_KEY', '--variable', 'WEATHER_PLACE');
  const { data } = await desk.ask(['exec', 'weather', 'scripts/see.py', '--yes']);
  assert.deepEqual(data.consent, { variables: ['WEATHER_KEY', 'WEATHER_PLACE'], unset: ['WEATHER_PLACE'] });
  const records = readdirSync(path.join(desk.project, '.agent/runs'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), 'utf8'))
    .join('\n');
  assert.match(records, /"type":"reach".*"variables":\["WEATHER_KEY","WEATHER_PLACE"\]/);
  assert.doesNotMatch(records, new RegExp(KEY));
  const log = await desk.sw(['log', '--json']);
  assert.match(log.stdout, /"command":"grants add".*"variables":\["WEATHER_KEY","WEATHER_PLACE"\]/);
});

test('consent: the value of a file that NAME_FILE names is handed over as well', async (t) => {
  const desk = openDesk(t);
  await desk.grant('weather', '--variable', 'WEATHER_KEY');
  const file = path.join(desk.home, 'key');
  appendFileSync(file, `${KEY}\n`);
  assert.equal(
    seenIn(await desk.sw(['exec', 'weather', 'scripts/see.py', '--yes'], { WEATHER_KEY_FILE: file })),
    KEY.length,
  );
});

test('consent: what would have no effect, or too much of one, is refused and says why', async (t) => {
  const desk = openDesk(t);
  const why = async (...words: string[]) => {
    const { code, summary, data } = await desk.ask(['grants', 'add', 'weather', ...words]);
    assert.notEqual(code, 0, words.join(' '));
    return `${summary} ${data.hint}`;
  };
  assert.match(await why('--variable', 'LD_PRELOAD'), /LD_PRELOAD may not be set/);
  assert.match(await why('--variable', 'PATH'), /PATH may not be set/);
  assert.match(await why('--variable', 'A=B'), /may not be set/);
  assert.match(await why('--host', 'https://example.com/x'), /Give the host without/);
  assert.match(await why('--host', '*.com'), /Anybody can get a name/);
  assert.match(await why('--program', 'sh'), /lies in a system folder/);
  assert.match(await why('--program', 'no-such-program'), /no program no-such-program/);
  assert.match(await why('--program', path.join(desk.project, 'bin/see.py')), /belongs to the project/);
  assert.match(await why('--device', 'toaster'), /toaster/);
  assert.match(await why('--variable', 'X', '--follow'), /bound to its files/);
  assert.match(await why('--variable', 'X', '--command', 'git', 'log'), /not for commands and tools/);
  assert.match(await why('--host', 'api.example.org', '--shell', 'git log'), /not for commands and tools/);
  assert.match(await why('--variable', 'X', '--network'), /for what a grant lets run/);
  assert.match(await why(), /say what is granted/);
  assert.deepEqual((await desk.ask(['grants', 'list'])).data.grants, []);
});
