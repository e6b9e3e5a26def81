import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test, { type TestContext } from 'node:test';
import { changed } from '../../test/support/changed/changed-source.ts';
import { temporaryFolder } from '../../test/support/support.ts';
import { buildEnvironment, type EnvironmentOptions, isDenied } from './environment.ts';
import { runProcess } from './run.ts';

const HOST = {
  LANG: 'zh_CN.UTF-8',
  TZ: 'Asia/Shanghai',
  CANARY_KEY: 'canary',
  PATH: '/evil',
  HOME: '/root',
  EDITOR: 'vi',
};

async function run(
  argv: string[],
  work: string,
  options: Partial<EnvironmentOptions>,
  build = buildEnvironment,
): Promise<string> {
  const [file = '', ...args] = argv;
  const { env } = build({ host: HOST, work, ...options });
  const launch = {
    file,
    args,
    env,
    cwd: work,
    descriptors: [],
    tier: 'S0',
    notEnforced: [],
    endsTree: false,
    release() {},
  } as const;
  const ended = await runProcess(launch, { timeoutMs: 60_000 });
  return Buffer.concat([ended.stdout, ended.stderr]).toString('utf8');
}

test('002-71 the environment is the allow-list and nothing else', () => {
  const { env, refused } = buildEnvironment({
    host: { ...HOST, SKILL_DEBUG: '1' },
    work: '/private',
    programs: ['/opt/x/bin', 'rel'],
  });
  assert.deepEqual(env, {
    PATH: '/opt/x/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    HOME: '/private',
    TMPDIR: '/private',
    LANG: 'zh_CN.UTF-8',
    TZ: 'Asia/Shanghai',
    SKILL_DEBUG: '1',
    PYTHONNOUSERSITE: '1',
    PYTHONPYCACHEPREFIX: '/private/.pycache',
  });
  assert.deepEqual(refused, []);
});

test('a locale that is a path is left out', () => {
  const { env } = buildEnvironment({ host: { LANG: '../../x', LC_ALL: '/tmp/x', TZ: ':/etc/shadow' }, work: '/w' });
  assert.deepEqual([env.LANG, env.LC_ALL, env.TZ], ['C.UTF-8', undefined, undefined]);
});

test('threat 36 blocked: a secret of the host is not in the environment of a script', async (t) => {
  assert.doesNotMatch(await run(['/usr/bin/env'], temporaryFolder(t), {}), /canary/);
});

test('threat 36 control: with a wider allow-list it is', async (t) => {
  const wider = await changed<typeof import('./environment.ts')>('src/process/environment.ts', {
    from: 'const ALLOWED = /^(?:LANG|',
    to: 'const ALLOWED = /^(?:CANARY_KEY|LANG|',
  });
  assert.match(await run(['/usr/bin/env'], temporaryFolder(t), {}, wider.buildEnvironment), /CANARY_KEY=canary/);
});

test('a declared secret reaches the script, and no command line', async (t) => {
  // With words of the shell only: a program that looks for the value would have it on its own command line.
  const look = `echo "$API_KEY"
    for file in /proc/[0-9]*/cmdline; do
      while IFS= read -r -d '' word; do [[ $word == *"$API_KEY"* ]] && echo "in $file"; done <"$file"
    done 2>/dev/null`;
  const value = `sk-${process.pid}-canary`;
  const shown = await run(['/bin/bash', '-c', look], temporaryFolder(t), { secrets: { API_KEY: value } });
  assert.equal(shown, `${value}\n`);
});

const HARMFUL = [
  'LD_PRELOAD',
  'LD_AUDIT',
  'DYLD_INSERT_LIBRARIES',
  'PYTHONPATH',
  'PYTHONSTARTUP',
  'PYTHONHOME',
  'NODE_OPTIONS',
  'NODE_PATH',
  'NODE_EXTRA_CA_CERTS',
  'BASH_ENV',
  'ENV',
  'BASH_FUNC_ls%%',
  'SHELLOPTS',
  'BASHOPTS',
  'PS4',
  'IFS',
  'GIT_SSH_COMMAND',
  'GIT_EXEC_PATH',
  'PERL5LIB',
  'PERL5OPT',
  'RUBYOPT',
  'RUBYLIB',
  'GCONV_PATH',
  'LOCPATH',
  'GLIBC_TUNABLES',
  'JAVA_TOOL_OPTIONS',
  'OPENSSL_CONF',
  'PATH',
  'HOME',
  'TMPDIR',
  'LANG',
  'TZ',
  'SKILLWRIGHT_CALL',
  'ld_preload',
  'A=B',
  'A B',
  '',
  '1A',
  'npm_config_registry',
  'GIT_PAGER',
  'PROMPT_COMMAND',
  'LESSOPEN',
];

test('names that make loaders and interpreters run something are refused even when declared', () => {
  const secrets = Object.fromEntries(HARMFUL.map((name) => [name, 'x']));
  const { env, refused } = buildEnvironment({ host: {}, work: '/w', secrets });
  assert.deepEqual(refused.sort(), [...HARMFUL].sort());
  assert.ok(!Object.values(env).includes('x'));
});

test('names of ordinary secrets pass', () => {
  for (const name of [
    'GITHUB_TOKEN',
    'GEMINI_API_KEY',
    'LDAP_PASSWORD',
    'NODE_ENV',
    'DATABASE_URL',
    'NPM_TOKEN',
    'BUNNY_KEY',
  ]) {
    assert.equal(isDenied(name), false, name);
  }
});

test('a value with a zero byte is refused', () => {
  assert.deepEqual(buildEnvironment({ host: {}, work: '/w', secrets: { KEY: 'a\0b' } }).refused, ['KEY']);
});

// A start-up file that every bash reads when BASH_ENV names it.
function plant(t: TestContext): { work: string; secrets: Record<string, string> } {
  const work = temporaryFolder(t);
  mkdirSync(path.join(work, 'sub'));
  writeFileSync(path.join(work, 'evil.sh'), 'echo injected');
  return { work, secrets: { BASH_ENV: path.join(work, 'evil.sh') } };
}

test('threat 37 blocked: a declared BASH_ENV is never set', async (t) => {
  const { work, secrets } = plant(t);
  assert.equal(await run(['/bin/bash', '-c', 'echo ran'], work, { secrets }), 'ran\n');
});

test('threat 37 control: without the deny-list it loads', async (t) => {
  const { work, secrets } = plant(t);
  const open = await changed<typeof import('./environment.ts')>('src/process/environment.ts', {
    from: ' || DENIED.test(name)',
    to: '',
  });
  assert.equal(await run(['/bin/bash', '-c', 'echo ran'], work, { secrets }, open.buildEnvironment), 'injected\nran\n');
});
