// What is not installed, and named: code at installation, what vanished, other bytes, other places, too much; and nothing of it runs.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { plant } from '../../support/agent-support.ts';
import { attemptsIn, lockOf, openEnvironmentDesk, storedIn } from '../../support/environment/desk.ts';
import type { IndexContent } from '../../support/environment/package-index.ts';
import { npmPackage, sourceArchive, wheel } from '../../support/environment/packages.ts';

interface Refused {
  readonly title: string;
  readonly files: Readonly<Record<string, string>>;
  readonly content: IndexContent;
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly type: string;
  readonly why?: string;
  readonly names: RegExp;
}

const python = (text: string) => ({ 'requirements.txt': `${text}\n` });
const node = (dependencies: object) => ({ 'package.json': JSON.stringify({ dependencies }) });
const PLAIN = wheel({ name: 'plain' });
const LARGE = wheel({ name: 'large', files: { 'large.py': Buffer.alloc(6 * 1024 * 1024, '# filler\n') } });

const REFUSED: readonly Refused[] = [
  {
    title: 'a Python package that has only its source',
    ...{ files: python('built'), content: { wheels: [sourceArchive('built', 'raise SystemExit(3)')] } },
    ...{ type: 'PackageRefused', why: 'code', names: /built/ },
  },
  {
    title: 'a wheel for another platform',
    ...{ files: python('native'), content: { wheels: [wheel({ name: 'native', tag: 'cp311-cp311-win_amd64' })] } },
    ...{ type: 'PackageRefused', why: 'platform', names: /native/ },
  },
  {
    title: 'a package that is not there',
    ...{ files: python('nowhere>=2'), content: {}, type: 'PackageRefused', why: 'missing', names: /nowhere/ },
  },
  {
    title: 'a wheel whose bytes are not those that the index announces',
    ...{ files: python('plain'), content: { wheels: [{ ...PLAIN, lie: 'f'.repeat(64) }] } },
    ...{ type: 'IntegrityMismatch', names: /plain/ },
  },
  {
    title: 'a withdrawn version that is asked for exactly',
    ...{ files: python('plain==1.0'), content: { wheels: [{ ...PLAIN, yanked: true }] } },
    ...{ type: 'PackageRefused', why: 'yanked', names: /plain==1\.0/ },
  },
  {
    title: 'a Python package by its address',
    ...{ files: python('plain @ https://example.com/plain-1.0-py3-none-any.whl'), content: {} },
    ...{ type: 'PackageRefused', why: 'address', names: /plain/ },
  },
  {
    title: 'more than an environment may take up',
    ...{ files: python('large'), content: { wheels: [LARGE] }, settings: { max_mib: 2 } },
    ...{ type: 'PackageRefused', names: /2 MiB/ },
  },
  {
    title: 'an npm package from a repository',
    ...{ files: node({ forked: 'git+https://example.com/forked.git' }), content: {} },
    ...{ type: 'PackageRefused', why: 'address', names: /forked/ },
  },
  {
    title: 'an npm package that is not there',
    ...{ files: node({ nowhere: '1' }), content: {}, type: 'PackageRefused', why: 'missing', names: /nowhere/ },
  },
  {
    title: 'an npm package with an install script',
    files: node({ scripted: '1' }),
    content: {
      packages: [npmPackage({ name: 'scripted', manifest: { scripts: { postinstall: 'touch /tmp/never' } } })],
    },
    ...{ type: 'PackageRefused', why: 'code', names: /scripted@1\.0\.0/ },
  },
  {
    title: 'an npm package that carries others in its archive',
    files: node({ carrier: '1' }),
    content: {
      packages: [
        npmPackage({
          name: 'carrier',
          manifest: { dependencies: { carried: '2' }, bundleDependencies: ['carried'] },
          files: {
            'node_modules/carried/package.json': JSON.stringify({ name: 'carried', version: '2.0.0' }),
            'node_modules/carried/index.js': '',
          },
        }),
      ],
    },
    ...{ type: 'PackageRefused', why: 'bundled', names: /carrier@1\.0\.0 \(carried@2\.0\.0\): .* inside of it/ },
  },
  {
    title: 'an npm package whose bytes have another integrity',
    files: node({ swapped: '1' }),
    content: { packages: [npmPackage({ name: 'swapped', manifest: { integrity: `sha512-${'A'.repeat(86)}==` } })] },
    ...{ type: 'IntegrityMismatch', names: /swapped/ },
  },
];

for (const { title, files, content, settings, type, why, names } of REFUSED)
  test(`threat 83 blocked: environments refuse ${title}, and name it`, async (t) => {
    const desk = await openEnvironmentDesk(t, files, content, settings);
    const told = await desk.ask(['prepare', 'uses', '--yes']);
    assert.deepEqual([told.code, told.state, told.data.type], [1, 'error', type], JSON.stringify(told));
    assert.match(told.summary, names);
    if (why !== undefined) assert.equal((told.data.details as { why: string }).why, why, JSON.stringify(told));
    assert.deepEqual(storedIn(desk.home), []);
    const there = attemptsIn(desk).every((attempt) => attempt === `127.0.0.1:${desk.index.port} allowed`);
    assert.ok(there, attemptsIn(desk).join());
  });

test('threat 83 control: a package without them is installed, and its scripts stay unrun when a person leaves them out', async (t) => {
  const marker = path.join('/dev/shm', `never-${process.pid}`);
  const scripted = npmPackage({ name: 'scripted', manifest: { scripts: { postinstall: `touch ${marker}` } } });
  const files = { ...node({ scripted: '1' }), 'scripts/use.mjs': 'import s from "scripted"; console.log(s.name);\n' };
  const desk = await openEnvironmentDesk(t, files, { packages: [scripted] });
  const told = await desk.ask(['prepare', 'uses', '--yes', '--without-scripts']);
  assert.equal(told.state, 'success', JSON.stringify(told));
  assert.match(await desk.exec('scripts/use.mjs'), /^scripted\n/);
  assert.equal(existsSync(marker), false);
});

async function prepared(t: TestContext) {
  const files = { ...python('plain'), 'scripts/use.py': 'import plain\nprint("plain", plain.VERSION)\n' };
  const desk = await openEnvironmentDesk(t, files, { wheels: [PLAIN] });
  const told = await desk.ask(['prepare', 'uses', '--yes']);
  assert.equal(told.state, 'success', JSON.stringify(told));
  return desk;
}

test('threat 82 blocked: a lock that was edited by hand is refused, and named', async (t) => {
  const desk = await prepared(t);
  const file = path.join(desk.project, '.agent/environments.lock.json');
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace(PLAIN.sha256, '0'.repeat(64)));
  const told = await desk.ask(['prepare', 'uses', '--yes']);
  assert.deepEqual([told.code, told.data.type], [1, 'IntegrityMismatch'], JSON.stringify(told));
  assert.match(told.summary, /environments\.lock\.json: environments\.0 \(plain\)/);
  writeFileSync(file, text);
  assert.equal((await desk.ask(['prepare', 'uses', '--yes'])).state, 'success');
});

test('threat 82 blocked: other bytes under a locked version, and another index than the locked one, build nothing', async (t) => {
  const desk = await prepared(t);
  const [name = ''] = storedIn(desk.home);
  assert.equal((await desk.run(['environments', 'prune', name.slice(0, 12)])).code, 0);
  const other = wheel({ name: 'plain', files: { 'plain.py': 'VERSION = "stolen"\n' } });
  desk.index.wheels.splice(0, 1, other);
  const swapped = await desk.ask(['prepare', 'uses', '--yes']);
  assert.deepEqual([swapped.code, swapped.data.type], [1, 'IntegrityMismatch'], JSON.stringify(swapped));
  assert.match(swapped.summary, /plain==1\.0/);
  const elsewhere = { environment: { python_index: desk.index.python.replace('127.0.0.1', 'localhost') } };
  writeFileSync(path.join(desk.home, '.agent/config.json'), JSON.stringify(elsewhere));
  const moved = await desk.ask(['prepare', 'uses', '--yes', '--frozen']);
  assert.deepEqual([moved.code, moved.data.type], [1, 'PackageRefused'], JSON.stringify(moved));
  assert.match(moved.summary, /locked from http:\/\/127\.0\.0\.1:\d+\/simple, and your index is http:\/\/localhost/);
  assert.deepEqual(storedIn(desk.home), []);
});

test('threat 82 control: without the guard, packages of another index pass for the locked ones', async (t) => {
  const desk = await prepared(t);
  const elsewhere = { environment: { python_index: desk.index.python.replace('127.0.0.1', 'localhost') } };
  const home = `${desk.home}-2`;
  plant(home, { '.agent/config.json': JSON.stringify(elsewhere) });
  const anywhere = {
    file: 'src/environment/build/build.ts',
    from: 'if (entry.index === index.url) return;',
    to: 'if (entry.index !== undefined) return;',
  };
  const { code, stdout } = await desk.run(['prepare', 'uses', '--yes', '--frozen'], { home, change: [anywhere] });
  assert.equal(code, 0, stdout);
  assert.equal(storedIn(home).length, 1);
});

test('what the lock does not name is not resolved with --frozen', async (t) => {
  const desk = await openEnvironmentDesk(t, python('plain'), { wheels: [PLAIN] });
  const told = await desk.ask(['prepare', 'uses', '--yes', '--frozen']);
  assert.deepEqual([told.code, told.data.type], [1, 'PackageRefused'], JSON.stringify(told));
  assert.deepEqual(desk.index.asked, []);
  assert.equal((await desk.ask(['prepare', 'uses', '--yes'])).state, 'success');
  assert.equal(lockOf(desk).environments.length, 1);
});
