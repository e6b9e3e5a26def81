// What people see when something fails, waits or is stopped: the reason, what was printed, and that something is at work.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { answer, makeWorld, plant, script, select, skillFile, tool, type World } from '../../support/agent-support.ts';
import { runCli } from '../../support/support.ts';
import { atTerminal } from '../../support/terminal.ts';

const FALLS = 'import sys\nprint("was here")\nraise ValueError("no such colour")\n';
const FILES = { ...skillFile('paint'), '.agent/skills/paint/scripts/fall.py': FALLS };

const at = (world: World) => ({ cwd: world.project, home: world.home });
const cli = (world: World, ...args: string[]) => runCli(args, at(world));
const makeCase = (t: TestContext, steps: readonly unknown[]) =>
  makeWorld(t, { ...FILES, 'case.json': JSON.stringify(steps) });

test('a failed step is told by the last line of its traceback, and runs show --output has all of it', async (t) => {
  const steps = [
    select('paint'),
    script('paint', 'fall.py'),
    tool('delete_file', { path: '.git/config' }),
    answer('no'),
  ];
  const world = makeCase(t, steps);
  const ran = await cli(world, 'run', 'paint it', '--model', 'mock:case.json', '--yes');
  assert.match(ran.stderr, /→ error: .*ValueError: no such colour \(/);
  assert.doesNotMatch(ran.stderr, /→ .*Traceback/);
  const [shown, plain] = await Promise.all([
    cli(world, 'runs', 'show', 'latest', '--output'),
    cli(world, 'runs', 'show', 'latest', '--json'),
  ]);
  assert.match(shown.stdout, /run_script project:paint.* error exit 1\n(?:.*\n)*was here\n/);
  assert.match(shown.stdout, /Traceback \(most recent call last\)/);
  assert.equal(JSON.parse(plain.stdout).data.output, undefined);
});

test('a refused call stands in runs show with the rule that refused it', async (t) => {
  const limited = skillFile('reader', 'allowed-tools: read_file\n');
  const steps = [select('reader'), tool('write_file', { path: 'x.txt', content: 'x' }, 'reader'), answer('no')];
  const world = makeWorld(t, { ...limited, 'case.json': JSON.stringify(steps) });
  const ran = await cli(world, 'run', 'read it', '--model', 'mock:case.json', '--yes');
  const flat = ran.stderr.replace(/\s+/g, ' ');
  assert.match(flat, /allowed-tools does not cover write_file/);
  const { stdout } = await cli(world, 'runs', 'show', 'latest');
  assert.match(stdout.replace(/\s+/g, ' '), /refused write_file \(skill: .*allowed-tools does not cover write_file\)/);
});

test('a terminal shows a clock while a script is silent; Ctrl-C says that it was stopped and exits with 130', async (t) => {
  const slow = { '.agent/skills/slow/wait.sh': 'sleep 60\n' };
  const world = makeWorld(t, { ...skillFile('slow', 'command: sh wait.sh\n'), ...slow });
  const { shown, code } = await atTerminal(['invoke', 'slow', '--yes'], {
    ...at(world),
    until: ' 1 s',
    type: '\u0003',
  });
  assert.match(shown, /⠋ 1 s \S/);
  assert.match(shown, /it was stopped\r\n.*hint: Ended from outside/);
  assert.equal(code, 130, shown);
});

test('conform is no use of a skill; explain finds the grant of an action without its parameters', async (t) => {
  const world = makeWorld(t, {});
  const created = await cli(world, 'new', 'count', '--kind', 'protocol', '--lang', 'python');
  assert.equal(created.code, 0, created.stderr);
  assert.equal((await cli(world, 'conform', 'count', '--yes')).code, 0);
  const inspected = await cli(world, 'inspect', 'count', '--json');
  assert.deepEqual(JSON.parse(inspected.stdout).data.usage.count, 0, inspected.stdout);
  assert.equal((await cli(world, 'grants', 'add', 'count', '--action', 'analyze', '--tier', 'S1')).code, 0);
  const explained = await cli(world, 'explain', 'count', 'run_script', 'scripts/main.py', 'analyze');
  assert.match(explained.stdout, /A grant answers: [0-9a-f]+ \(action analyze/);
  const failed = await cli(world, 'call', 'count', 'analyze', 'min_length=x', 'text=a', '--yes');
  assert.match(failed.stderr + failed.stdout, /^❌ ParamInvalid: /m);
});

test('vet sees a home that is wiped and a shell that runs what the environment says, and is short about clean skills', async (t) => {
  const world = makeWorld(t, {
    ...skillFile('clean'),
    ...skillFile('wipe'),
    '.agent/skills/wipe/scripts/a.sh': 'rm -rf ~/\n',
    '.agent/skills/wipe/scripts/b.py': 'import os, subprocess\nsubprocess.run(os.environ.get("X"), shell=True)\n',
  });
  const [bad, good] = await Promise.all([cli(world, 'vet', 'wipe'), cli(world, 'vet', 'clean')]);
  assert.match(bad.stdout, /HIGH destruction scripts\/a\.sh:1/);
  assert.match(bad.stdout, /HIGH command-from-outside scripts\/b\.py:2/);
  assert.match(bad.stdout, /hint: Read the lines that are named/);
  assert.match(good.stdout, /^ {2}clean: inspected \d+ files?$/m);
});

test('curate asks again for a word it does not know', async (t) => {
  const world = makeWorld(t, skillFile('twin'));
  plant(world.home, skillFile('twin'));
  const { shown } = await atTerminal(['curate'], {
    ...at(world),
    until: '[keep] ',
    type: '?\r',
    more: [['[keep] ', '\r']],
  });
  assert.match(shown, /Type one of the two words, or Enter to keep it/);
});
