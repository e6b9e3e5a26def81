// Why a script failed, as a person, a program and a model are told: the cause by its name, and what helps.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answer, makeWorld, observed, runProcess, script, select, tool } from '../../support/agent-support.ts';
import { home, makeProject, skillFiles } from '../../support/door-support.ts';
import { runCli } from '../../support/support.ts';

const FAILS = {
  'missing.py': 'open("in/none.txt")\n',
  'missing.js': 'require("node:fs").readFileSync("in/none.txt")\n',
  'missing.sh': 'set -e\ncat in/none.txt\n',
  'elsewhere.py': 'open("/elsewhere/none.txt")\n',
  'hidden.py': 'open(".env").read()\n',
  'hidden.sh': 'cat .env\n',
  'system.py': 'open("/etc/of-nobody", "w")\n',
  'program.sh': 'of-nobody --version\n',
  'module.py': 'import of_nobody\n',
  'network.py': 'import urllib.request\nurllib.request.urlopen("http://example.com", timeout=3)\n',
  'memory.py': 'x = bytearray(1 << 40)\n',
  'file.py': 'f = open("big", "wb")\nf.truncate(1 << 33)\n',
  'own.py': 'raise ValueError("no such sheet")\n',
};

const FILES = {
  ...skillFiles('fails', 'name: fails\ndescription: Fails in many ways.', FAILS),
  '.env': 'TOKEN=t-1\n',
  'in/a.txt': 'x',
};

/** What each of them is told as. */
const TOLD: Record<keyof typeof FAILS, { code: string; cause?: string; path?: string; summary: RegExp; hint: RegExp }> =
  {
    'missing.py': missing(),
    'missing.js': missing(),
    'missing.sh': missing(),
    'elsewhere.py': { ...missing('/elsewhere/none.txt'), hint: /outside of what a call sees/ },
    'hidden.py': hidden(),
    'hidden.sh': hidden(),
    'system.py': {
      code: 'RUNTIME_FAILED',
      cause: 'closed-path',
      path: '/etc/of-nobody',
      summary: /\/etc\/of-nobody is closed to the call/,
      hint: /writes below the output folder/,
    },
    'program.sh': {
      code: 'RUNTIME_FAILED',
      cause: 'missing-program',
      summary: /the program of-nobody is not installed/,
      hint: /Install it/,
    },
    'module.py': {
      code: 'RUNTIME_FAILED',
      cause: 'missing-module',
      summary: /the module of_nobody is not installed/,
      hint: /`skillwright prepare fails` brings the packages/,
    },
    'network.py': {
      code: 'RUNTIME_FAILED',
      summary: /urlopen error/,
      hint: /The sandbox refused the network[\s\S]*network: true/,
    },
    'memory.py': { code: 'LIMIT_MEMORY', summary: /memory limit/, hint: /limits\.memory_mib/ },
    'file.py': { code: 'LIMIT_FILE_SIZE', summary: /file size limit/, hint: /limits\.file_mib/ },
    'own.py': { code: 'RUNTIME_FAILED', summary: /ValueError: no such sheet/, hint: /stderr/ },
  };

function missing(path = 'in/none.txt') {
  const summary = new RegExp(`the file ${path} does not exist`);
  return { code: 'RUNTIME_FAILED', cause: 'missing-file', path, summary, hint: /Nothing is there/ };
}

function hidden() {
  const summary = /\.env is hidden from skills/;
  return { code: 'RUNTIME_FAILED', cause: 'hidden-file', path: '.env', summary, hint: /no setting shows/ };
}

/** What depends on where a script works, and one of each other kind. */
const BY_EXEC = ['missing.py', 'hidden.py', 'hidden.sh', 'system.py', 'memory.py', 'own.py'] as const;

test('exec names the cause of a failure and what helps, and carries all that was said', async (t) => {
  const cwd = makeProject(t, FILES);
  for (const name of BY_EXEC) {
    const told = TOLD[name];
    const ran = await runCli(['exec', 'fails', name, '--yes', '--json'], { cwd, home });
    const { data, summary } = JSON.parse(ran.stdout);
    const { cause, path } = data.details ?? {};
    const expected = { code: told.code, cause: told.cause, path: told.path };
    assert.deepEqual({ code: data.code, cause, path }, expected, ran.stdout);
    assert.match(summary, told.summary, name);
    assert.match(data.hint, told.hint, name);
    assert.notEqual(data.exit, 0);
    assert.ok(data.stderr.length > 0, name);
  }
});

test('the model of a run is told the same', async (t) => {
  const names = Object.keys(FAILS).filter((name) => !BY_EXEC.some((one) => one === name)) as (keyof typeof FAILS)[];
  const world = makeWorld(t, skillFiles('fails', 'name: fails\ndescription: Fails in many ways.', FAILS));
  const runs = names.map((name) => ({
    action: { type: 'run_script', skill: 'fails', relative_path: name, args: [] },
  }));
  const ran = await runProcess(world, [select('fails'), ...runs, answer()], {
    args: ['--yes', '--budget', 'turns=30'],
  });
  const seen = observed(ran).slice(1);
  assert.equal(seen.length, names.length, ran.stdout);
  for (const [at, name] of names.entries()) {
    const { code, cause, summary, hint } = TOLD[name];
    const text = seen[at] ?? '';
    assert.match(text.split('\n')[0] ?? '', summary, text);
    assert.match(text, /^exit: \d+$/m);
    assert.match(/^hint: (.*)$/m.exec(text)?.[1] ?? '', hint, text);
    assert.match(text, new RegExp(`^code: ${code}$`, 'm'));
    if (cause !== undefined) assert.ok(text.includes(`"cause":"${cause}"`), text);
  }
});

test('a protocol skill whose script misses a file is not called broken, and a command is told like a script', async (t) => {
  const entry = 'import sys, json\njson.load(sys.stdin)\nopen("data/none.json")\n';
  const world = makeWorld(t, {
    ...skillFiles('reader', 'name: reader\ndescription: Reads.\nentry: main.py', { 'main.py': entry }),
    ...skillFiles('fails', 'name: fails\ndescription: Fails.', { 'scripts/missing.py': FAILS['missing.py'] }),
  });
  const { project: cwd, home: own } = world;
  const called = await runCli(['call', 'reader', 'read', '--yes', '--json'], { cwd, home: own });
  const { data } = JSON.parse(called.stdout);
  assert.deepEqual(
    [data.type, data.details.cause, data.details.path],
    ['RUNTIME_FAILED', 'missing-file', 'data/none.json'],
  );
  assert.match(data.stderr, /Traceback[\s\S]*FileNotFoundError/);
  const shown = await runCli(['call', 'reader', 'read', '--yes', '--lang', 'zh'], { cwd, home: own });
  assert.match(shown.stdout + shown.stderr, /文件 data\/none\.json 不存在/);
  const steps = [
    select('fails'),
    script('fails', 'missing.py'),
    tool('run_command', { argv: ['cat', 'none.txt'] }),
    answer(),
  ];
  const ran = await runProcess(world, steps, { args: ['--yes'] });
  const [, byScript = '', byCommand = ''] = observed(ran);
  assert.match(byScript, /the file in\/none\.txt does not exist\nexit: 1\n[\s\S]*hint: Nothing is there/);
  assert.match(byCommand, /the file none\.txt does not exist\nexit: 1\n/);
});
