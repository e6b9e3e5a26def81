// Installing a skill shows what its code would need, where that stands and how sure it is, with the command that asks.
import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { makeDesk } from '../../support/install-desk.ts';
import { writeSkill } from '../../support/install-support.ts';
import { runCli } from '../../support/support.ts';

const CODE = `import os, requests
key = os.environ["FORECAST_KEY"]
requests.get("https://api.forecasts.net/v1", headers={"key": key})
`;

test('consent, install: what a skill would need stands below its report, and nothing where it needs nothing', async (t) => {
  const desk = makeDesk(t);
  const source = path.join(desk.folder, 'source');
  writeSkill(source, { name: 'forecast', files: { 'scripts/get.py': CODE } });
  writeSkill(source, { name: 'plain' });
  const env = { FORECAST_KEY: 'set-but-not-given' };
  const at = { cwd: desk.cwd, home: desk.home, env };

  const shown = await runCli(['install', source, '--dry-run'], at);
  const [needy = '', plain = ''] = shown.stdout.split(/^ {2}\+ plain/m);
  assert.match(needy, /inspected 2 files\n {4}would need.*`skillwright consent forecast`\):\n/, shown.stdout);
  assert.match(needy, /host api\.forecasts\.net \(scripts\/get\.py:3, in its code\)/);
  assert.match(needy, /variable FORECAST_KEY \(scripts\/get\.py:2, in its code\)/);
  assert.doesNotMatch(plain, /consent|would need/);
  const inChinese = await runCli(['install', source, '--dry-run', '--lang', 'zh'], at);
  assert.match(inChinese.stdout, /变量 FORECAST_KEY \(scripts\/get\.py:2, 见于代码\)/);

  const installed = JSON.parse((await runCli(['install', source, '--yes', '--json'], at)).stdout);
  const all = installed.data.needs as Record<string, unknown>[];
  const needs = all.filter(({ kind }) => kind !== 'program');
  assert.deepEqual(
    needs.map(({ skill, kind, name, found_in, sure, state, command }) => [
      ...[skill, kind, name, found_in, sure, state, command],
    ]),
    [
      ['host', 'api.forecasts.net', 'scripts/get.py:3'],
      ['variable', 'FORECAST_KEY', 'scripts/get.py:2'],
      // No program is started while something is installed, and Python alone could tell.
      ['package', 'requests', 'scripts/get.py:1', 'unknown', 'skillwright prepare forecast'],
    ].map(([kind, name, place, state = 'not-granted', command = 'skillwright consent forecast']) => [
      ...['forecast', kind, name, [place], 'literal', state, command],
    ]),
  );
  const again = JSON.parse((await runCli(['install', source, '--yes', '--json'], at)).stdout);
  assert.deepEqual([again.data.unchanged, again.data.needs], [['forecast', 'plain'], undefined]);
});
