import assert from 'node:assert/strict';
import { chmodSync, cpSync, mkdirSync, readdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { changed } from '../../../test/support/changed/changed-source.ts';
import { temporaryFolder } from '../../../test/support/support.ts';
import { placesAt } from '../../../test/support/world/places.ts';
import { makeDigest } from '../../base/value/digest.ts';
import { builtinGrant, findGrant, type Grant, type GrantedCall, whyNotGranted, whyTooWide } from './grant.ts';
import { describeTarget, openGrants } from './store.ts';

const [D1, D2] = [makeDigest('one'), makeDigest('two')];
const places = placesAt('/p', '/home/u');
const grant: Grant = {
  id: 'g',
  project: '/p',
  skill: 'report',
  bound: { digest: D1 },
  target: { kind: 'script', script: 'scripts/x.py', words: ['daily'], exact: false },
  network: false,
  writes: false,
  tier: 'S2',
  created: 0,
  expires: 1000,
};
const call: GrantedCall = {
  project: '/p',
  digest: D1,
  tool: 'run_script',
  script: 'scripts/x.py',
  argv: ['daily', '--verbose'],
  network: false,
  tier: 'S3',
};

function refuses(change: Partial<GrantedCall>, of: Partial<Grant> = {}): string | undefined {
  return whyNotGranted({ ...grant, ...of }, { ...call, ...change }, 1, places);
}

test('one grant lets exactly that call run, any byte change stops it', () => {
  assert.equal(refuses({}), undefined);
  const others: [Partial<GrantedCall>, RegExp][] = [
    [{ digest: D2 }, /files changed/],
    [{ project: '/q' }, /another project/],
    [{ script: 'scripts/y.py' }, /another script/],
    [{ argv: [] }, /other words/],
    [{ argv: ['dailyx'] }, /other words/],
    [{ argv: ['x', 'daily'] }, /other words/],
    [{ network: true }, /no network/],
    [{ tier: 'S1' }, /weaker/],
    [{ tool: 'run_command', argv: ['daily'] }, /another/],
    [{ action: 'full' }, /another script/],
  ];
  for (const [change, why] of others) assert.match(refuses(change) ?? '', why, JSON.stringify(change));
  assert.equal(whyNotGranted(grant, call, 1000, places), 'expired');
  const { digest: _, ...unbound } = call;
  assert.equal(whyNotGranted(grant, unbound, 1, places), 'the files changed');
});

test('follow binds to a folder instead of bytes', () => {
  const follow = { bound: { follow: '/p/.agent/skills/report' } };
  assert.equal(refuses({ digest: D2, folder: '/p/.agent/skills/report' }, follow), undefined);
  assert.match(refuses({ folder: '/p/.agent/skills/other' }, follow) ?? '', /another folder/);
  assert.match(refuses({}, follow) ?? '', /another folder/);
});

test('an argument schema holds every value', () => {
  const params = [
    { name: 'day', type: 'string', required: true, enum: ['mon', 'tue'] },
    { name: 'limit', type: 'integer', required: false },
    { name: 'to', type: 'string', required: false },
  ] as const;
  const of: Partial<Grant> = { target: { kind: 'action', action: 'fetch', params } };
  const asks = (values: Record<string, unknown>, action = 'fetch') => refuses({ action, params: values }, of);
  assert.equal(asks({ day: 'mon', limit: 3 }), undefined);
  for (const values of [
    {},
    { day: 'wed' },
    { day: 'mon', limit: 1.5 },
    { day: 'mon', x: 1 },
    { day: 'mon', to: '-c' },
  ]) {
    assert.ok(asks(values), JSON.stringify(values));
  }
  assert.match(asks({ day: 'mon' }, 'push') ?? '', /another action/);
});

const swaps: [string[], string[]][] = [
  [['git'], ['git', '-c', 'core.pager=sh', 'log']],
  [
    ['git', 'log'],
    ['git', 'log', '--output=/tmp/x'],
  ],
  [
    ['git', 'log'],
    ['git', 'log', ';', 'id'],
  ],
  [['git'], ['git', 'config', 'alias.x', '!sh']],
  [
    ['tar', 'xf'],
    ['tar', 'xf', 'a', '--to-command=id'],
  ],
  [
    ['find', '.'],
    ['find', '.', '-exec', 'id', ';'],
  ],
  [
    ['python3', 'tools/x.py'],
    ['python3', 'tools/x.py\n', '-c'],
  ],
  [
    ['npm', 'run'],
    ['npm', 'run', 'x', '--script-shell=/tmp/x'],
  ],
];

test('threat 64 blocked: a prefix granted for one thing does not stretch to another', () => {
  for (const [words, argv] of swaps) {
    const of: Partial<Grant> = { target: { kind: 'command', words, exact: false } };
    assert.ok(refuses({ tool: 'run_command', argv }, of), argv.join(' '));
  }
  const interpreters = [
    ['bash'],
    ['bash', '-c'],
    ['python3'],
    ['python3', '-c'],
    ['env'],
    ['xargs'],
    ['npx'],
    ['node', '-e'],
    [],
  ];
  for (const words of interpreters) {
    const of: Partial<Grant> = { target: { kind: 'command', words, exact: false } };
    assert.ok(whyTooWide({ kind: 'command', words, exact: false }), words.join(' '));
    assert.ok(refuses({ tool: 'run_command', argv: [...words, 'id'] }, of), words.join(' '));
  }
});

test('threat 64 control: without the guard the same prefix stretches', async () => {
  const unguarded = await changed<typeof import('./grant.ts')>('src/policy/grant/grant.ts', {
    from: 'refuseStretch(argv, target.words.length, true)',
    to: 'undefined',
  });
  for (const [words, argv] of swaps.slice(0, 6)) {
    const open: Grant = { ...grant, target: { kind: 'command', words, exact: false } };
    assert.equal(unguarded.whyNotGranted(open, { ...call, tool: 'run_command', argv }, 1, places), undefined);
  }
});

test('an exact command matches only itself, even with -c', () => {
  const of: Partial<Grant> = { target: { kind: 'command', words: ['bash', '-c', 'make'], exact: true } };
  assert.equal(refuses({ tool: 'run_command', argv: ['bash', '-c', 'make'] }, of), undefined);
  assert.ok(refuses({ tool: 'run_command', argv: ['bash', '-c', 'make', 'x'] }, of));
});

test('a grant for a tool holds its paths and hosts', () => {
  const of: Partial<Grant> = { target: { kind: 'tool', tool: 'write_file', pattern: 'docs/**' } };
  assert.equal(refuses({ tool: 'write_file', paths: { path: 'docs/a.md' } }, of), undefined);
  assert.ok(refuses({ tool: 'write_file', paths: { path: 'docs/../src/a.ts' } }, of));
  const moves: Partial<Grant> = { target: { kind: 'tool', tool: 'move_file', pattern: 'docs/**' } };
  assert.equal(refuses({ tool: 'move_file', paths: { from: 'docs/a.md', to: 'docs/b.md' } }, moves), undefined);
  assert.ok(refuses({ tool: 'move_file', paths: { from: 'src/a.ts', to: 'docs/b.md' } }, moves));
  assert.ok(refuses({ tool: 'move_file', paths: { from: 'docs/a.md', to: 'src/b.ts' } }, moves));
  assert.ok(refuses({ tool: 'move_file' }, moves));
  assert.ok(whyTooWide({ kind: 'tool', tool: 'write_file', pattern: '**' }));
  assert.ok(whyTooWide({ kind: 'tool', tool: 'run_command', pattern: 'git:*' }));
});

test('built-in skills hold a grant while their bytes are the shipped ones', () => {
  const shipped = { demo: D1 };
  const held = builtinGrant(shipped, { name: 'demo', digest: D1, project: '/p' });
  assert.ok(held && findGrant([held], { ...call, tier: 'S0' }, Number.MAX_SAFE_INTEGER, places));
  assert.equal(findGrant([held], { ...call, network: true }, 1, places), undefined);
  assert.equal(findGrant([held], { ...call, tool: 'run_command' }, 1, places), undefined);
  for (const [name, digest] of [
    ['demo', D2],
    ['other', D1],
    ['constructor', D1],
  ] as const) {
    assert.equal(builtinGrant(shipped, { name, digest, project: '/p' }), undefined);
  }
});

function folders(t: TestContext): { home: string; project: string } {
  const root = realpathSync(temporaryFolder(t));
  const [home, project] = [path.join(root, 'home'), path.join(root, 'project')];
  mkdirSync(home);
  mkdirSync(project);
  return { home, project };
}

test('grants are added, listed and revoked under home', (t) => {
  const { home, project } = folders(t);
  const store = openGrants(home, project);
  const targets: Grant['target'][] = [
    grant.target,
    { kind: 'action', action: 'fetch', params: [{ name: 'n', type: 'integer', required: true, allowDash: false }] },
    { kind: 'command', words: ['git', 'status'], exact: false },
    { kind: 'tool', tool: 'network_request', pattern: 'domain:example.com' },
  ];
  const added = targets.map((target) => store.add({ ...grant, target }));
  assert.deepEqual(
    store.list().toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    added.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  );
  assert.deepEqual(
    added.map(({ target }) => describeTarget(target)),
    ['script scripts/x.py daily …', 'action fetch', 'git status …', 'network_request(domain:example.com)'],
  );
  assert.ok(store.revoke(added[0]?.id ?? ''));
  assert.ok(!store.revoke(added[0]?.id ?? ''));
  assert.ok(!store.revoke('../../x'));
  assert.equal(store.list().length, 3);
  assert.deepEqual(readdirSync(project), []);
  assert.throws(() => store.add({ ...grant, target: { kind: 'command', words: ['bash'], exact: false } }), /could run/);
});

test('threat 62 blocked: grants planted in a project, copied from another or writable by others change nothing', (t) => {
  const { home, project } = folders(t);
  const elsewhere = folders(t);
  openGrants(project, project).add(grant);
  openGrants(elsewhere.home, elsewhere.project).add(grant);
  assert.deepEqual(openGrants(home, project).list(), []);
  cpSync(path.join(elsewhere.home, '.agent'), path.join(home, '.agent'), { recursive: true });
  assert.deepEqual(openGrants(home, project).list(), []);
  const own = openGrants(home, project).add(grant);
  const folder = path.join(home, '.agent', 'grants');
  const [file = ''] = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.includes(own.id),
  );
  chmodSync(path.join(folder, file), 0o666);
  assert.deepEqual(openGrants(home, project).list(), []);
  chmodSync(path.join(folder, file), 0o600);
  assert.equal(openGrants(home, project).list().length, 1);
  const linked = path.join(folder, path.dirname(file), 'aaaaaaaaaaaa.json');
  symlinkSync(path.join(folder, file), linked);
  assert.equal(openGrants(home, project).list().length, 1);
});

test('threat 62 control: were the project taken for home, its planted grant would count', (t) => {
  const { project } = folders(t);
  openGrants(project, project).add({ ...grant, expires: 2000 });
  const [planted] = openGrants(project, project).list();
  assert.ok(planted && findGrant([planted], { ...call, project }, 1, places));
});

test('a grant whose end no calendar knows is no grant, instead of one for ever', (t) => {
  const { home, project } = folders(t);
  const { id } = openGrants(home, project).add(grant);
  const folder = path.join(home, '.agent', 'grants');
  const [file = ''] = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes(id));
  const write = (expires: number) =>
    writeFileSync(path.join(folder, file), JSON.stringify({ ...grant, id, project, expires }), { mode: 0o600 });
  write(8.64e15);
  assert.equal(openGrants(home, project).list().length, 1, 'the last moment there is');
  write(8.64e15 + 1);
  assert.deepEqual(openGrants(home, project).list(), []);
});

test('a damaged grant is no grant', (t) => {
  const { home, project } = folders(t);
  const store = openGrants(home, project);
  const { id } = store.add(grant);
  const folder = path.join(home, '.agent', 'grants');
  const [file = ''] = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes(id));
  const whole = { ...grant, id, project };
  const part = fc.constantFrom(...(Object.keys(whole) as (keyof Grant)[]));
  fc.assert(
    fc.property(part, fc.constantFrom<unknown>(undefined, null, '', [], {}, 'S9', { kind: 'any' }), (name, value) => {
      fc.pre(!(name === 'skill' && value === '') && !(name === 'skill' && value === 'S9'));
      writeFileSync(path.join(folder, file), JSON.stringify({ ...whole, [name]: value }));
      assert.deepEqual(store.list(), []);
    }),
  );
  writeFileSync(path.join(folder, file), '{"half');
  assert.deepEqual(store.list(), []);
});
