// The project as calls see it when it is large, or when a call writes very much; and which files are told by their content.
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { home, makeProject, skillFiles } from '../../support/door-support.ts';
import { readAnswer } from '../../support/rule-support.ts';
import { count, runCli } from '../../support/support.ts';

const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const PUBLIC = String(publicKey.export({ type: 'spki', format: 'pem' }));
const PRIVATE = String(privateKey.export({ type: 'pkcs8', format: 'pem' }));
/** Folders younger than this are read at every look. */
const SETTLE_MS = 2_200;

/** A project with one skill whose script does what its first argument says. */
function place(t: TestContext, files: Record<string, string> = {}, settings?: object) {
  const skill = skillFiles('does', 'name: does\ndescription: Does it.', { 'scripts/do.sh': 'eval "$1"\n' });
  const own = settings === undefined ? {} : { '.agent/config.json': JSON.stringify(settings) };
  const cwd = makeProject(t, { ...skill, ...files, ...own });
  const exec = (code: string, ...options: string[]) =>
    runCli(['exec', 'does', 'scripts/do.sh', '--yes', ...options, '--', code], { cwd, home });
  /** Which of these a call can read. */
  const readable = async (names: readonly string[]) => {
    const { stdout } = await exec(`for f in ${names.join(' ')}; do cat "$f" >/dev/null 2>&1 && echo "$f"; done; true`);
    return stdout.split('\n').filter(Boolean);
  };
  return { cwd, exec, readable };
}

/** Mounts of layers under the home of these tests, in whatever namespace. */
function mounted(): string[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.flatMap((pid) => {
    try {
      const mounts = readFileSync(`/proc/${pid}/mountinfo`, 'utf8').split('\n');
      return mounts.filter((line) => line.includes(`${home}/.agent/state/`));
    } catch {
      return [];
    }
  });
}

async function untilUnmounted(): Promise<string[]> {
  const deadline = Date.now() + 5_000;
  while (mounted().length > 0 && Date.now() < deadline) await sleep(50);
  return mounted();
}

test('what is named like a key is hidden by its content, and a sample of settings is shown', async (t) => {
  const open = {
    '.env.example': 'TOKEN=\n',
    'app/.env.local.sample': 'TOKEN=\n',
    '.env.template': 'TOKEN=\n',
    'certs/public.pem': PUBLIC,
    'certs/chain.pem': `# two of them\n${PUBLIC}${PUBLIC}`,
    'docs/minor.key': 'The key of this piece is a minor.\n',
    'release.asc': '-----BEGIN PGP SIGNATURE-----\n\niQEzBAABCAAdFiEE0123456789abcdef\n-----END PGP SIGNATURE-----\n',
    'talk.key': 'PK\x03\x04 a presentation\n',
  };
  const hidden = {
    '.env': 'TOKEN=1\n',
    '.env.production': 'TOKEN=1\n',
    'certs/private.pem': PRIVATE,
    'certs/both.pem': PUBLIC + PRIVATE,
    'config/master.key': '0123456789abcdef0123456789abcdef\n',
    'vpn.key': `# made today\n${Buffer.from('a key of thirty-two bytes: 01234').toString('base64')}\n`,
    'der.key': '0\x82\x01\0binary',
    'store.p12': 'text\nof several words\n',
  };
  const { exec, readable } = place(t, { ...open, ...hidden });
  assert.deepEqual(await readable([...Object.keys(open), ...Object.keys(hidden)]), Object.keys(open));
  const told = readAnswer(await exec('true', '--json'));
  assert.deepEqual((told.data.hidden as string[]).toSorted(), Object.keys(hidden).toSorted());
});

test('a project of very many files is shown whole, and a secret that appears in it later is hidden', async (t) => {
  const { cwd, exec, readable } = place(t, { 'deep/er/.env': 'TOKEN=1\n', 'deep/public.pem': PUBLIC });
  const entries = count(200_000, 50_000);
  for (let number = 0; number < entries; number++) {
    const folder = path.join(cwd, 'many', String(number % 500));
    if (number < 500) mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, String(number)), '');
  }
  const all = await exec('find many -type f | wc -l; cat deep/er/.env');
  if (all.stderr.includes('too large to be copied')) {
    assert.match(all.stderr, /workspace\.leave_out.*limits\.copy_files.*limits\.copy_mib/);
    return t.diagnostic('refused with the settings that help: here a project is copied');
  }
  assert.match(all.stdout, new RegExp(`^${entries}\n`), all.stderr);
  assert.match(all.stderr, /deep\/er\/\.env is hidden/);
  await sleep(SETTLE_MS);
  assert.deepEqual(await readable(['deep/er/.env', 'deep/public.pem', 'many/7/7']), ['deep/public.pem', 'many/7/7']);
  for (const name of ['many/499/.env', 'many/new/er/id_rsa', 'deep/secrets.yml']) {
    mkdirSync(path.dirname(path.join(cwd, name)), { recursive: true });
    writeFileSync(path.join(cwd, name), 'canary\n');
  }
  writeFileSync(path.join(cwd, 'deep/public.pem'), PRIVATE);
  renameSync(path.join(cwd, 'deep/er'), path.join(cwd, 'many/3/er'));
  const names = ['many/499/.env', 'many/new/er/id_rsa', 'deep/secrets.yml', 'many/3/er/.env', 'deep/public.pem'];
  assert.deepEqual(await readable([...names, 'many/499/499']), ['many/499/499']);
});

test('a project that is too large is refused with the settings that help, and nothing of it vanishes', async (t) => {
  const files = Object.fromEntries(Array.from({ length: 60 }, (_, number) => [`data/${number}.txt`, 'x\n']));
  const limits = { limits: { project_files: 40 } };
  const { exec } = place(t, files, limits);
  const refused = await exec('true');
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /LIMIT_PROJECT_FILES.*more than 40[\s\S]*workspace\.leave_out.*limits\.project_files/);
  const narrowed = place(t, { ...files, 'a.txt': 'a\n' }, { ...limits, workspace: { leave_out: ['data/'] } });
  assert.deepEqual(await narrowed.readable(['a.txt', 'data/1.txt']), ['a.txt']);
  const told = readAnswer(await narrowed.exec('true', '--json'));
  assert.deepEqual(told.data.hidden, ['data']);
});

test('a call that writes too much into its layer is ended, with the limit and its setting; nothing stays mounted', async (t) => {
  const cases = [
    {
      settings: { layer_mib: 20 },
      code: 'head -c 2000000 /dev/zero > f$n',
      says: /LIMIT_LAYER_SIZE: .*20 MiB[\s\S]*limits\.layer_mib/,
    },
    { settings: { layer_files: 300 }, code: ': > f$n', says: /LIMIT_LAYER_FILES: .*300[\s\S]*limits\.layer_files/ },
  ];
  for (const { settings, code, says } of cases) {
    const { cwd, exec } = place(t, {}, { limits: { ...settings, copy_files: 100, copy_mib: 1 } });
    const startedAt = Date.now();
    const done = await exec(
      `n=0; while [ $n -lt 100000 ]; do ${code}; n=$((n+1)); sleep 0.002; done`,
      '--timeout',
      '60',
    );
    assert.notEqual(done.code, 0);
    assert.match(done.stderr, says);
    assert.ok(Date.now() - startedAt < 30_000, 'it was ended, and did not run out of time');
    assert.equal(existsSync(path.join(cwd, 'f0')), false);
    const discarded = await runCli(['runs', 'discard', 'latest'], { cwd, home });
    assert.equal(discarded.code, 0, discarded.stderr);
  }
  assert.deepEqual(await untilUnmounted(), []);
});
