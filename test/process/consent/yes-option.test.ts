// What --yes does not hand over: variables that a skill only declares, on any surface, until a person names them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { displayWidth } from '../../../src/base/text.ts';
import { plant } from '../../support/agent-support.ts';
import { CONSENT_FILES, KEY, openDesk, SURFACES, seenIn } from '../../support/consent/desk.ts';
import { runCli } from '../../support/support.ts';

const DECLARED = Object.fromEntries(
  Object.entries(CONSENT_FILES).map(([file, text]) => [
    file,
    text
      .replace(/^name: .*/m, (line) => `${line}\nsecrets: [WEATHER_KEY]`)
      .replace(/^skills:/, 'secrets: [WEATHER_KEY]\nskills:'),
  ]),
);

const WORDS = [
  ...['exec', 'invoke', 'call'].map((surface) => SURFACES[surface]?.words ?? []),
  [...['call', 'watcher/looks', 'see', '--yes']],
];

test('--yes hands over no declared variable: the call waits for a person, who is shown its name; their yes does, and so does a grant', async (t) => {
  const desk = openDesk(t, DECLARED);
  let resume = '';
  for (const words of WORDS) {
    const { code, data } = await desk.ask(words);
    assert.deepEqual([code, data.type], [4, 'ApprovalRequired'], words.join(' '));
    assert.match(
      String(data.note),
      /^--yes hands over no variables \(WEATHER_KEY\): .*grants add \S+ --variable WEATHER_KEY/,
    );
    assert.match(String(data.question), /WEATHER_KEY/);
    if (words[0] === 'exec') resume = String(data.id);
  }
  assert.equal(seenIn(await desk.sw(['resume', resume, '--decide', 'approve', '--json'])), KEY.length);
  await desk.grant('weather', '--variable', 'WEATHER_KEY');
  assert.equal(seenIn(await desk.sw([...(WORDS[0] ?? []), '--json'])), KEY.length);
});

const EXEC = ['exec', 'weather', 'scripts/see.py', '--non-interactive'];

test('consent-follow blocked: a grant that follows changes hands over no declared variable, one that names it does', async (t) => {
  const desk = openDesk(t, DECLARED);
  await desk.grant('weather', '--script', 'scripts/see.py', '--follow');
  const { code, data } = await desk.ask(EXEC);
  assert.deepEqual([code, data.type], [4, 'ApprovalRequired']);
  assert.match(
    String(data.note),
    /^A grant that follows changes hands over no variables \(WEATHER_KEY\): .*--variable/,
  );
  await desk.grant('weather', '--variable', 'WEATHER_KEY');
  assert.equal(seenIn(await desk.sw([...EXEC, '--json'])), KEY.length);
});

test('consent-follow control: where only the folder counts, whatever its files name by now is handed over', async (t) => {
  const desk = openDesk(t);
  await desk.grant('weather', '--script', 'scripts/see.py', '--follow');
  plant(desk.project, DECLARED);
  const change = { file: 'src/door/consent/unnamed.ts', from: "'follow' in bound ? variables : []", to: '[]' };
  const at = { cwd: desk.project, home: desk.home, env: { WEATHER_KEY: KEY }, change };
  assert.equal(seenIn(await runCli([...EXEC, '--json'], at)), KEY.length);
});

test('a grant for a script says which variables the skill declares, when it is given and in the list, at 60 columns, too', async (t) => {
  const desk = openDesk(t, DECLARED);
  const added = await desk.ask(['grants', 'add', 'weather', '--script', 'scripts/see.py', '--tier', 'S1']);
  assert.deepEqual(added.data.declared_variables, ['WEATHER_KEY']);
  const shown = await desk.sw(['grants', 'add', 'weather', '--script', 'scripts/see.py', '--tier', 'S1']);
  assert.match(shown.stdout, /code may +read the variable WEATHER_KEY, as the skill declares/);
  const narrow = await desk.sw(['grants', 'list', '--lang', 'zh'], { WEATHER_KEY: KEY, COLUMNS: '60' });
  assert.match(narrow.stdout.replaceAll(/\s+/g, ''), /可以脚本scripts\/see\.py…:读取变量WEATHER_KEY（技能声明）/);
  for (const line of narrow.stdout.split('\n')) assert.ok(displayWidth(line) <= 60, line);
  const { data } = await desk.ask(['grants', 'list']);
  assert.deepEqual((data.grants as Record<string, unknown>[])[0]?.declared_variables, ['WEATHER_KEY']);
});
