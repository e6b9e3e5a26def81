// What --yes does not hand over: variables that a skill only declares, on any surface, until a person names them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CONSENT_FILES, KEY, openDesk, SURFACES, seenIn } from '../../support/consent/desk.ts';

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
