// The file view of a call at every isolating tier: what is there, what is covered, what can be written.
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { findHiddenFiles } from '../../../src/base/hidden-files.ts';
import { type AbsolutePath, absolutePath } from '../../../src/base/value/absolute-path.ts';
import { resolveInterpreter } from '../../../src/process/interpreter.ts';
import type { Ended, Order } from '../../../src/process/order.ts';
import { runProcess } from '../../../src/process/run.ts';
import { findPlace } from '../../../src/process/sandbox/linux/cgroup-place.ts';
import { FIRST_OWN_USER } from '../../../src/process/sandbox/linux/identity.ts';
import {
  type Level,
  openLevel as open,
  orderOf,
  runOrder as run,
  testAsOrdinaryUser,
  trimmed,
  workIn,
} from '../../support/world/sandbox-support.ts';

const ISOLATING: readonly Level[] = ['S3', 'S2', 'S1'];
const isRoot = process.geteuid?.() === 0;
/** A cgroup holds the process limit, for root too. */
const counted = findPlace()?.tasks !== undefined;

for (const level of ISOLATING) {
  test(`${level}: the approved snapshot runs at the skill's own path`, async (t) => {
    const place = await open(t, level);
    if (!place) return;
    const at = folderWith(place.folder, 'skill', { 'run.sh': 'echo changed since' });
    const from = folderWith(place.folder, 'snapshot', {
      'run.sh': 'echo approved $(cat "$SKILL_DIR/data")',
      data: 'data',
    });
    const order = orderFor(place.folder, ['/bin/sh', path.join(at, 'run.sh')], {
      skill: { at, from },
    });
    const ended = await run(place.sandbox, { ...order, env: { ...order.env, SKILL_DIR: at } });
    assert.equal(text(ended), 'approved data');
  });

  test(`${level}: the project can be read, its secrets and what lies outside cannot`, async (t) => {
    const place = await open(t, level);
    if (!place) return;
    const secrets = { '.env': 'canary', '.env.local': 'canary', 'deep/server.key': 'canary', '.git/config': 'canary' };
    const project = folderWith(place.folder, 'project', { ...secrets, 'readme.md': 'readme', 'deep/code.txt': 'code' });
    const outside = folderWith(place.folder, 'outside', { secret: 'canary' });
    symlinkSync(outside, path.join(project, 'way-out'));
    const hide = findHiddenFiles(project);
    const script = `cat readme.md deep/code.txt; cat ${Object.keys(secrets).join(' ')} way-out/secret; echo x >new; echo x >readme.md`;
    const order = orderFor(place.folder, ['/bin/sh', '-c', script], {
      project: { folder: project, hide, writable: false },
    });
    const ended = await run(place.sandbox, { ...order, cwd: project });
    assert.equal(text(ended), 'readmecode');
    assert.equal(readFileSync(path.join(project, 'readme.md'), 'utf8'), 'readme');
  });

  test(`${level}: results go to the call's own folder, seen at the output folder or moved to where it lies`, async (t) => {
    const place = await open(t, level);
    if (!place) return;
    const project = folderWith(place.folder, 'project', { 'mybox/output/old.txt': 'old' });
    const output = {
      at: absolutePath(path.join(project, 'mybox/output')),
      from: folderWith(place.folder, 'staged', { 'kept.txt': '' }),
    };
    const words = ['/bin/sh', '-c', 'echo made >"$0"', path.join(output.at, 'new.txt')];
    const order = orderFor(place.folder, words, { project: { folder: project, hide: [], writable: false }, output });
    const ended = await run(place.sandbox, { ...order, cwd: project });
    assert.equal(ended.exit, 0, Buffer.from(ended.stderr).toString());
    assert.equal(readFileSync(path.join(output.from, 'new.txt'), 'utf8'), 'made\n');
    assert.deepEqual(readdirSync(path.join(project, 'mybox/output')), ['old.txt']);
  });

  test(`${level}: a hidden file that the call names is shown, its neighbours are not`, async (t) => {
    const place = await open(t, level);
    if (!place) return;
    const project = folderWith(place.folder, 'project', { 'keys/a.pem': 'named', 'keys/b.pem': 'canary' });
    const hide = findHiddenFiles(project);
    const view = {
      project: { folder: project, hide, writable: false },
      readOnly: [absolutePath(path.join(project, 'keys/a.pem'))],
    };
    const order = orderFor(place.folder, ['/bin/sh', '-c', 'cat keys/a.pem keys/b.pem'], view);
    assert.equal(text(await run(place.sandbox, { ...order, cwd: project })), 'named');
  });

  test(`${level}: a writable project is written in place, and root says what that costs`, async (t) => {
    const place = await open(t, level);
    if (!place) return;
    const project = folderWith(place.folder, 'project', { '.env': 'canary', 'src/file': 'old' });
    const view = { project: { folder: project, hide: ['.env'], writable: true } };
    const order = orderFor(place.folder, ['/bin/sh', '-c', 'echo new >src/file; cat .env'], view);
    const launch = place.sandbox.prepare({ ...order, cwd: project });
    assert.equal(launch.notEnforced.includes('no-process-limit'), isRoot && !counted);
    assert.equal(text(await runProcess(launch, { timeoutMs: 10_000 })), '');
    assert.equal(readFileSync(path.join(project, 'src/file'), 'utf8'), 'new\n');
  });

  test(`${level}: interpreters and projects below a private folder stay usable`, async (t) => {
    const place = await open(t, level);
    if (!place) return;
    const home = folderWith(place.folder, 'home', { 'project/in.txt': 'read', secret: 'canary' });
    chmodSync(home, 0o700);
    const project = absolutePath(path.join(home, 'project'));
    const script = `const fs = require('fs'); console.log(fs.readFileSync('in.txt', 'utf8'), fs.existsSync('../secret') && fs.readFileSync('../secret'))`;
    const view = { project: { folder: project, hide: [], writable: false } };
    const order = { ...orderFor(place.folder, [process.execPath, '-e', script], view), cwd: project };
    const ended = await run(place.sandbox, order);
    assert.match(text(ended), level === 'S1' ? /^$/ : /^read false$/);
    if (level === 'S1') assert.match(Buffer.from(ended.stderr).toString(), /EACCES.*secret/);
  });

  test(`${level}: a project only its owner may enter is read all the same`, async (t) => {
    const place = await open(t, level);
    if (!place) return;
    const project = folderWith(place.folder, 'project', { file: 'content' });
    chmodSync(project, 0o700);
    const view = { project: { folder: project, hide: [], writable: false } };
    const launch = place.sandbox.prepare({ ...orderFor(place.folder, ['/bin/cat', 'file'], view), cwd: project });
    assert.equal(text(await runProcess(launch, { timeoutMs: 10_000 })), 'content');
    assert.equal(launch.notEnforced.includes('no-process-limit'), isRoot && !counted);
  });

  test(`${level}: python, bash and Node start, and their children too`, async (t) => {
    const place = await open(t, level);
    if (!place) return;
    const search = { path: process.env.PATH ?? '', home: place.folder, project: '/nowhere', cacheFolder: place.folder };
    const python = await resolveInterpreter('python', search).catch(() => undefined);
    const programs = [
      ['/bin/sh', '-c', 'echo "$(echo child)"'],
      [process.execPath, '-e', 'console.log(String(require("child_process").execFileSync("echo", ["child"])).trim())'],
      ...(python
        ? [
            [
              python.file,
              '-c',
              'import ssl, subprocess; print(subprocess.check_output(["echo", "child"]).decode().strip())',
            ],
          ]
        : []),
    ];
    for (const argv of programs) {
      const ended = await run(
        place.sandbox,
        orderFor(place.folder, argv, { readOnly: (python?.readOnly ?? []).map(absolutePath) }),
      );
      assert.equal(text(ended), 'child', `${argv[0]}: ${Buffer.from(ended.stderr)}`);
    }
  });

  test(`${level}: with the network granted a listener is reached, a local socket is not`, async (t) => {
    const place = await open(t, level);
    if (!place) return;
    const tcp = await listen(t, 0);
    const unix = path.join(place.folder, 'socket');
    await listen(t, unix);
    const connect = (where: string) =>
      `require('net').connect(${where}).on('connect', function () { console.log('connected'); this.destroy() }).on('error', (e) => console.log(e.code))`;
    const at = async (where: string, network: 'all' | 'none') =>
      text(await run(place.sandbox, { ...orderFor(place.folder, [process.execPath, '-e', connect(where)]), network }));
    assert.equal(await at(`${tcp}, '127.0.0.1'`, 'all'), 'connected');
    // Without it there is another loopback, on which nobody listens; or no socket at all.
    assert.equal(await at(`${tcp}, '127.0.0.1'`, 'none'), level === 'S1' ? 'EPERM' : 'ECONNREFUSED');
    assert.match(await at(JSON.stringify(unix), 'all'), /^E(PERM|NOENT|ACCES)$/);
  });

  test(`${level}: variables the launcher itself would obey are left out, the others arrive`, async (t) => {
    const place = await open(t, level);
    if (!place) return;
    const order = orderFor(place.folder, ['/usr/bin/env']);
    const bad = { LD_PRELOAD: '/evil.so', PERL5OPT: '-Mevil', GLIBC_TUNABLES: 'x', LD_LIBRARY_PATH: '/evil' };
    const said = text(await run(place.sandbox, { ...order, env: { ...order.env, ...bad, TOKEN: 'a b\nc' } }));
    assert.match(said, /^TOKEN=a b\nc$/m);
    for (const name of Object.keys(bad)) assert.ok(!said.includes(`${name}=`), name);
  });
}

test('S3: a project reached through a link is the same project', async (t) => {
  const place = await open(t, 'S3');
  if (!place) return;
  folderWith(place.folder, 'real/project', { file: 'content' });
  symlinkSync(path.join(place.folder, 'real'), path.join(place.folder, 'link'));
  const project = absolutePath(path.join(place.folder, 'link', 'project'));
  const view = { project: { folder: project, hide: [], writable: false } };
  const order = orderFor(place.folder, ['/bin/cat', path.join(project, 'file')], view);
  assert.equal(text(await run(place.sandbox, { ...order, cwd: project })), 'content');
});

test('S3: nothing of the file system can be written but the work folder and the bounded temporary ones', async (t) => {
  const place = await open(t, 'S3');
  if (!place) return;
  const script =
    'for d in / /etc /usr /dev /run /proc/sys/kernel /tmp /dev/shm .; do touch $d/w 2>/dev/null && echo $d; done; true';
  assert.equal(text(await run(place.sandbox, orderFor(place.folder, ['/bin/sh', '-c', script]))), '/tmp\n/dev/shm\n.');
});

test('S3 as root gives every call a user of its own', async (t) => {
  if (!isRoot) return t.diagnostic('not run: not root');
  const place = await open(t, 'S3');
  if (!place) return;
  const users = new Set<number>();
  for (let call = 0; call < 3; call++) {
    users.add(Number(text(await run(place.sandbox, orderFor(place.folder, ['/usr/bin/id', '-u'])))));
  }
  assert.equal(users.size, 3);
  for (const user of users) assert.ok(user >= FIRST_OWN_USER, String(user));
});

testAsOrdinaryUser(import.meta.filename);

function orderFor(folder: string, argv: readonly string[], view: Partial<Order['view']> = {}): Order {
  const order = orderOf({ argv, work: workIn(folder) });
  return { ...order, view: { ...order.view, ...view } };
}

function text(ended: Ended): string {
  return trimmed(ended.stdout);
}

function folderWith(parent: string, name: string, files: Record<string, string>): AbsolutePath {
  const folder = absolutePath(path.join(parent, name));
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), content);
  }
  return folder;
}

function listen(t: TestContext, where: number | string): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const server = createServer((socket) => socket.resume());
  server.listen(where, () => {
    const address = server.address();
    resolve(typeof address === 'object' && address ? address.port : 0);
  });
  t.after(() => server.close());
  return promise;
}
