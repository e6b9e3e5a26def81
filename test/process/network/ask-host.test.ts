// A host that nobody consented to, tried while a person sits at the terminal: the script waits for their answer.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { skillFiles, writeFiles } from '../../support/door-support.ts';
import { serveHttp } from '../../support/network/loopback.ts';
import { temporaryFolder } from '../../support/support.ts';
import { atTerminal } from '../../support/terminal.ts';
import { openLevel } from '../../support/world/sandbox-support.ts';

const REACH = `import sys, urllib.request
for url in sys.argv[1].split(','):
    try: print(url, urllib.request.urlopen(url, timeout=60).read().decode().strip())
    except Exception as error: print(url, error)
`;
const APPROVED = ['Enter = no', 'y\n'] as const;

async function setUp(t: TestContext, count: number) {
  if (!(await openLevel(t, 'S3'))) return undefined;
  const servers = await Promise.all(Array.from({ length: count }, (_, index) => serveHttp(t, `127.0.0.${index + 2}`)));
  const place = temporaryFolder(t);
  const [project, home] = [path.join(place, 'project'), path.join(place, 'home')];
  for (const folder of [path.join(project, '.agent'), home]) mkdirSync(folder, { recursive: true });
  writeFiles(
    project,
    skillFiles('reach', 'name: reach\ndescription: Reaches.\ncommand: python3 reach.py $1', { 'reach.py': REACH }),
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
