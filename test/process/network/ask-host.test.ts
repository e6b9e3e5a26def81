// A host that nobody consented to, tried while a person sits at the terminal: the script waits for their answer.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { answer, script, select } from '../../support/agent-support.ts';
import { skillFiles, writeFiles } from '../../support/door-support.ts';
import { serveHttp } from '../../support/network/loopback.ts';
import { runCli, temporaryFolder } from '../../support/support.ts';
import { atTerminal } from '../../support/terminal.ts';
import { openLevel } from '../../support/world/sandbox-support.ts';

const REACH = `import sys, urllib.request
for url in sys.argv[1].split(','):
    try: print(url, urllib.request.urlopen(url, timeout=60).read().decode().strip())
    except Exception as error: print(url, error)
`;
const ASKED = 'tries to reach';
const APPROVED = ['Enter = no', 'y\n'] as const;

async function setUp(t: TestContext, count: number) {
  if (!(await openLevel(t, 'S3'))) return undefined;
  const servers = await Promise.all(Array.from({ length: count }, (_, index) => serveHttp(t, `127.0.0.${index + 2}`)));
  const place = temporaryFolder(t);
  const [project, home] = [path.join(place, 'project'), path.join(place, 'home')];
  for (const folder of [path.join(project, '.agent'), home]) mkdirSync(folder, { recursive: true });
  writeFiles(
    project,
    skillFiles('reach', 'name: reach\ndescription: Reaches.\ncommand: python3 reach.py $1', {
      'reach.py': REACH,
      'scripts/reach.py': REACH,
    }),
  );
  const urls = servers.map(({ port }, index) => `http://127.0.0.${index + 2}:${port}/`);
  return { servers, urls, cwd: project, home };
}

test('the answer lets the waiting script on, for this call; a no is final, and Enter is a no', async (t) => {
  const place = await setUp(t, 2);
  if (!place) return;
  const { servers, urls, cwd, home } = place;
  const [yes = '', no = ''] = urls;
  const { shown, code } = await atTerminal(['invoke', '@reach', [yes, no, yes, no].join()], {
    ...{ cwd, home, type: APPROVED[1], until: APPROVED[0], columns: 100 },
    more: [
      ['Enter = no', 'y\n'],
      ['Enter = no', '\n'],
    ],
  });
  assert.equal(code, 0, shown);
  assert.match(shown, /reach tries to reach 127\.0\.0\.2:\d+\.[\s\S]*Whatever it can read may be sent there/);
  assert.equal(shown.split('tries to reach').length, 3, shown);
  assert.equal(shown.match(/hello 127\.0\.0\.2/g)?.length, 2, shown);
  assert.deepEqual(
    servers.map(({ requests }) => requests.length),
    [2, 0],
  );
});

test('after three hosts nobody is asked any more', async (t) => {
  const place = await setUp(t, 4);
  if (!place) return;
  const { servers, urls, cwd, home } = place;
  const { shown } = await atTerminal(['invoke', '@reach', urls.join()], {
    ...{ cwd, home, type: APPROVED[1], until: APPROVED[0], columns: 100 },
    more: Array.from({ length: 4 }, () => ['Enter = no', 'y\n'] as const),
  });
  assert.equal(shown.split('tries to reach').length, 4, shown);
  assert.deepEqual(
    servers.map(({ requests }) => requests.length),
    [1, 1, 1, 0],
  );
});

test('always is a grant that the question spells out: the next call is not asked about the host, until it is revoked', async (t) => {
  const place = await setUp(t, 1);
  if (!place) return;
  const { servers, urls, cwd, home } = place;
  const [url = ''] = urls;
  const invoke = (...more: (readonly [string, string])[]) =>
    atTerminal(['invoke', '@reach', url], { cwd, home, type: APPROVED[1], until: APPROVED[0], columns: 200, more });
  const host = `127.0.0.2:${servers[0]?.port}`;
  const first = await invoke(['Enter = no', 'a\n']);
  assert.match(first.shown, new RegExp(`Always means this grant, .*: skillwright grants add reach --host ${host}`));
  assert.match(first.shown, /hello 127\.0\.0\.2/);
  const { stdout } = await runCli(['grants', 'list', '--json'], { cwd, home });
  const { grants } = JSON.parse(stdout).data;
  assert.equal(grants.length, 1, stdout);
  assert.ok(JSON.stringify(grants[0]).includes(host), stdout);
  const second = await invoke();
  assert.ok(!second.shown.includes(ASKED) && second.shown.includes('hello 127.0.0.2'), second.shown);
  assert.equal((await runCli(['grants', 'revoke', grants[0].id], { cwd, home })).code, 0);
  const third = await invoke(['Enter = no', '\n']);
  assert.ok(third.shown.includes(ASKED) && !third.shown.includes('hello 127.0.0.2'), third.shown);
  assert.equal(servers[0]?.requests.length, 2);
});

test('for this run: a later call of the run is not asked, and another run is', async (t) => {
  const place = await setUp(t, 1);
  if (!place) return;
  const { servers, urls, cwd, home } = place;
  const reach = script('reach', 'reach.py', ...urls);
  const model = path.join(home, 'case.json');
  writeFileSync(model, JSON.stringify([select('reach'), reach, reach, answer('done')]));
  const run = (type: string) =>
    atTerminal(['run', 'reach it', '--model', `mock:${model}`, '--ask', 'effects'], {
      ...{ cwd, home, type, until: 'Enter = no', columns: 200 },
      more: [['Enter = no', '\n']],
    });
  const ran = await run('r\n');
  assert.equal(ran.shown.split(ASKED).length, 2, ran.shown);
  assert.equal(servers[0]?.requests.length, 2, ran.shown);
  const { stdout } = await runCli(['grants', 'list', '--json'], { cwd, home });
  assert.deepEqual(JSON.parse(stdout).data.grants, []);
  const again = await run('\n');
  assert.equal(again.shown.split(ASKED).length, 3, again.shown);
  assert.equal(servers[0]?.requests.length, 2);
});
