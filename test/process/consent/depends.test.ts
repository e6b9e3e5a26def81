// What rests on a grant is said before it ends: by `grants list`, `jobs list` and `explain`.
import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { CONSENT_FILES, type Desk, openDesk } from '../../support/consent/desk.ts';

const FILES = {
  ...CONSENT_FILES,
  'agents/watcher/agent.yaml': `skills: [{name: looks, entry: looks.py, actions: {see: {}}}]
schedule:
  - {id: hourly, interval: 1h, skill: looks, action: see}
`,
};

interface ListedGrant {
  readonly id: string;
  readonly needed_by?: { readonly schedules: readonly string[]; readonly questions: readonly string[] };
}

async function neededBy(desk: Desk): Promise<Record<string, ListedGrant['needed_by']>> {
  const { data } = await desk.ask(['grants', 'list']);
  return Object.fromEntries((data.grants as ListedGrant[]).map(({ id, needed_by }) => [id, needed_by]));
}

async function troubles(desk: Desk): Promise<[string, string, string][]> {
  const { data } = await desk.ask(['jobs', 'list']);
  const [schedule] = data.schedules as { troubles: { kind: string; reason: string; command: string }[] }[];
  const told = schedule?.troubles.filter(({ kind }) => kind !== 'no-worker') ?? [];
  return told.map(({ kind, reason, command }) => [kind, reason, command]);
}

test('consent: a schedule rests on the grant by which its code reads a variable, and says so before and after it ends', async (t) => {
  const desk = openDesk(t, FILES);
  const runs = await desk.grant('watcher/looks', '--action', 'see');
  const reads = await desk.grant('watcher/looks', '--variable', 'WEATHER_KEY', '--expires', '1d');
  const idle = await desk.grant('other', '--variable', 'WEATHER_KEY');
  const rests = { schedules: ['watcher/hourly'], questions: [] };
  assert.deepEqual(await neededBy(desk), { [runs]: rests, [reads]: rests, [idle]: undefined });
  const [[kind, reason, command] = ['', '', ''], ...more] = await troubles(desk);
  assert.deepEqual([kind, more], ['grant-ending', []]);
  assert.match(
    reason,
    new RegExp(`the grant ${reads} ends at .*, by which its code may read the variable WEATHER_KEY`),
  );
  assert.equal(command, 'skillwright grants add watcher/looks --variable WEATHER_KEY --tier S1');

  const { data } = await desk.ask(['explain', 'watcher/looks', 'run_script', 'looks.py', 'see']);
  assert.deepEqual(data.reach, { grants: [{ id: reads, variables: ['WEATHER_KEY'] }] });

  appendFileSync(path.join(desk.project, 'agents/watcher/looks.py'), '\n');
  await desk.grant('watcher/looks', '--action', 'see');
  const [[lost, why] = ['', ''], ...others] = await troubles(desk);
  assert.deepEqual([lost, others], ['reach-lost', []]);
  assert.match(why, new RegExp(`no longer read the variable WEATHER_KEY, because the files changed since .*${reads}`));
  const shown = await desk.sw(['jobs', 'list', '--lang', 'zh']);
  assert.doesNotMatch(shown.stdout, /受阻/, 'it still runs');
  assert.match(shown.stdout.replace(/\s+/g, ''), /其代码不再可以读取变量WEATHER_KEY/);
  const linted = await desk.ask(['roles', 'lint']);
  const [{ diagnostics } = { diagnostics: [] }] = linted.data.results as { diagnostics: Record<string, string>[] }[];
  assert.deepEqual(
    diagnostics.map(({ code, fix }) => [code, fix]),
    [['reach-lost', command]],
  );
  assert.equal((await desk.sw(['grants', 'revoke', reads])).code, 0);
  assert.deepEqual(await troubles(desk), []);
});

test('consent: explain names each grant and what it lets code reach; a text in its name has that by a yes to it alone', async (t) => {
  const desk = openDesk(t, FILES);
  const id = await desk.grant('weather', '--variable', 'WEATHER_KEY', '--home');
  assert.equal((await desk.sw(['exec', 'weather', 'scripts/see.py', '--non-interactive'])).code, 4);
  const question = (await desk.ask(['interrupts'])).data.items as { id: string }[];
  assert.deepEqual((await neededBy(desk))[id], { schedules: [], questions: question.map((one) => one.id) });
  assert.match(
    (await desk.sw(['grants', 'list'])).stdout,
    new RegExp(`${id}: the question ${question[0]?.id} depends on`),
  );

  const code = (await desk.sw(['explain', 'weather', 'run_script', 'scripts/see.py'])).stdout;
  assert.match(code, new RegExp(`By the grant ${id} it may: read the variable WEATHER_KEY; keep files in a home`));
  const words = ['explain', 'weather', 'run_command', '--', 'git', 'log'];
  assert.match((await desk.sw(words)).stdout, new RegExp(`Only by a yes to this very text .*${id}`));
  const none = await desk.ask(['explain', 'other', 'run_script', 'scripts/see.py']);
  assert.equal(none.data.reach, undefined);
});
