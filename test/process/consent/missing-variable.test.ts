// A variable that code reads and nobody consented to is named where the call failed, with the command that allows it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openDesk, SURFACES } from '../../support/consent/desk.ts';
import { readAnswer } from '../../support/rule-support.ts';

const NEEDS = `import os, sys
key = os.environ.get("WEATHER_KEY")
if "quiet" in sys.argv: print("no key, no matter")
elif key is None: sys.exit("no key")
else: print("sees", len(key))
`;

const ANSWERS = `import json, os, sys
request = json.loads(sys.stdin.read())
if "WEATHER_KEY" not in os.environ:
    print(json.dumps({"success": False, "action": request["action"], "error": {"code": "NO_KEY", "message": "no key"}}))
`;

const TEXT = 'description: Needs a key.';
const FILES = {
  '.agent/skills/weather/SKILL.md': `---\nname: weather\n${TEXT}\ncommand: python3 scripts/see.py\n---\n# Weather\n`,
  '.agent/skills/weather/scripts/see.py': NEEDS,
  '.agent/skills/weather/scripts/other.py': 'import os\nprint(os.environ.get("OTHER_KEY"))\n',
  '.agent/skills/talks/SKILL.md': `---\nname: talks\n${TEXT}\nentry: main.py\nactions: {see: {}}\n---\n# Talks\n`,
  '.agent/skills/talks/main.py': ANSWERS,
};

test('consent: a failed call names the variable its code reads, where, and the command; a call that went well does not', async (t) => {
  const desk = openDesk(t, FILES);
  for (const surface of ['exec', 'call'] as const) {
    const { grantee = '', words = [] } = SURFACES[surface] ?? {};
    const { code, data } = await desk.ask([...words]);
    assert.notEqual(code, 0);
    const found_in = surface === 'exec' ? 'scripts/see.py:2' : 'main.py:3';
    // A grant that does not name the weakest tier does not count there.
    const here = /"tier":"S1"/.test(JSON.stringify(data.sandbox)) ? ' --tier S1' : '';
    const allow = `skillwright grants add ${grantee} --variable WEATHER_KEY${here}`;
    assert.deepEqual(data.consent, { not_given: [{ name: 'WEATHER_KEY', found_in }], allow });
    assert.match(String(data.hint), new RegExp(`Its code reads WEATHER_KEY \\(.*\`${allow}\` allows it\\.`));
  }
  const shown = await desk.sw(['exec', 'weather', 'scripts/see.py', '--yes', '--lang', 'zh'], {});
  assert.match(shown.stderr, /no key\n其代码读取 WEATHER_KEY .*，并须先在环境中设置 WEATHER_KEY。/);
  const quiet = readAnswer(await desk.sw(['exec', 'weather', 'scripts/see.py', '--yes', '--json', '--', 'quiet']));
  assert.deepEqual([quiet.code, quiet.data.consent], [0, undefined]);
  await desk.grant('weather', '--variable', 'WEATHER_KEY');
  const unset = await desk.ask(['exec', 'weather', 'scripts/see.py', '--yes'], {});
  assert.deepEqual(unset.data.consent, { variables: ['WEATHER_KEY'], unset: ['WEATHER_KEY'] });
});
