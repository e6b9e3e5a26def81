// The owner's log through the command line: each command that decides about later runs leaves exactly its event.
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Change } from '../../support/changed/changed-source.ts';
import { type SkillText, writeSkill } from '../../support/install-support.ts';
import { type CliResult, runCli, temporaryFolder } from '../../support/support.ts';

interface Logged {
  readonly log: string;
  readonly command: string;
  readonly state: string;
  readonly time: string;
  readonly ended: string | null;
  readonly uid: number;
  readonly operation?: string;
  readonly files?: readonly string[];
  readonly skills?: readonly { skill: string; source?: string; before: string | null; after: string | null }[];
  readonly [field: string]: unknown;
}

function openDesk(t: TestContext) {
  const folder = temporaryFolder(t);
  const [cwd, home] = [path.join(folder, 'project'), path.join(folder, 'home')];
  for (const made of [cwd, home]) mkdirSync(made);
  const run = (args: readonly string[], ...change: Change[]): Promise<CliResult> => runCli(args, { cwd, home, change });
  const sw = async (...args: string[]) => {
    const { code, stdout, stderr } = await run([...args, '--json']);
    assert.equal(code, 0, `${args.join(' ')}\n${stdout}${stderr}`);
    return JSON.parse(stdout).data;
  };
  /** The oldest first. */
  const log = async (): Promise<Logged[]> => (await sw('log')).events.toReversed();
  return { folder, cwd, home, run, sw, log };
}

/** The one of a role that `roles new` makes. */
const SCHEDULE = 'analyst/daily_briefing';

const SCRIPT = { 'scripts/main.sh': 'echo hello\n' };

function skillIn(folder: string, version: string): string {
  const skill: SkillText = { name: 'alpha', version, files: SCRIPT };
  return writeSkill(folder, skill);
}

test('each command leaves exactly its event, with what it changed from what to what', async (t) => {
  const { folder, cwd, sw, log } = openDesk(t);
  const source = path.join(folder, 'source');
  await sw('init');
  const key = await sw('keys', 'generate', 'work');
  await sw('install', skillIn(source, '1.0.0'), '--yes');
  skillIn(source, '2.0.0');
  await sw('update', '--yes');
  await sw('rollback', 'alpha');
  const grant = await sw('grants', 'add', 'alpha', '--script', 'scripts/main.sh', '--exact');
  await sw('grants', 'revoke', grant.id);
  await sw('edit', 'append', 'notes.md', 'what is in the file');
  await sw('trust', '--revoke');
  await sw('trust');
  await sw('uninstall', 'alpha');
  await sw('restore', 'alpha');
  await sw('lock', '--rewrite');
  await sw('roles', 'new', 'analyst', '--template', 'dev_efficiency_analyst');
  await sw('jobs', 'disable', SCHEDULE, '--reason', 'holidays');
  await sw('jobs', 'enable', SCHEDULE);
  await sw('keys', 'revoke', 'work');
  await sw('keys', 'trust', key.public_file, '--force');
  await sw('install', skillIn(source, '2.0.0'), '--scope', 'user', '--yes');
  await sw('curate', '--decide', 'user:alpha=uninstall');
  await sw('restore', '--purge');
  // These change nothing and leave nothing.
  await sw('update', '--dry-run');
  await sw('trust', '--show');
  await sw('edit', 'append', 'notes.md', 'x', '--dry-run');
  await sw('grants', 'list');
  const all = await log();
  // One moment may hold both.
  const purges = all.filter(({ command }) => command === 'restore --purge');
  assert.deepEqual(purges.map(({ log: whose, state }) => `${whose} ${state}`).sort(), ['project done', 'user done']);
  for (const { skills = [] } of purges)
    for (const { skill, after } of skills) assert.deepEqual([skill, after], ['alpha', null]);
  const events = all.filter((event) => !purges.includes(event));
  assert.deepEqual(
    events.map(({ log: whose, command, state }) => `${whose} ${command} ${state}`),
    [
      'project init done',
      'user keys generate done',
      'project install done',
      'project update done',
      'project rollback done',
      'project grants add done',
      'project grants revoke done',
      'project edit done',
      'project trust done',
      'project trust done',
      'project uninstall done',
      'project restore done',
      'project lock done',
      'project roles new done',
      'project jobs disable done',
      'project jobs enable done',
      'user keys revoke done',
      'user keys trust done',
      'user install done',
      'user curate done',
    ],
  );
  const [init, made, installed, updated, back, granted, revoked, edited, untrusted, trusted, gone, restored] = events;
  for (const { time, ended, uid } of events)
    assert.deepEqual([time <= String(ended), uid], [true, process.getuid?.() ?? null]);
  const [first, second] = [installed?.skills?.[0], updated?.skills?.[0]];
  assert.deepEqual([first?.skill, first?.before, second?.before], ['alpha', null, first?.after]);
  assert.match(String(first?.source), /source/);
  assert.deepEqual(back?.skills?.[0]?.after, first?.after);
  assert.deepEqual([gone?.skills?.[0]?.before, gone?.skills?.[0]?.after], [first?.after, null]);
  assert.deepEqual(restored?.skills?.[0]?.after, first?.after);
  assert.deepEqual([made?.key, made?.name], [key.key_id, 'work']);
  assert.deepEqual(
    [granted?.grant, granted?.skill, granted?.tier, granted?.bound],
    [grant.id, 'alpha', 'S2', first?.after],
  );
  assert.deepEqual([revoked?.grant, revoked?.what], [grant.id, granted?.what]);
  assert.deepEqual([edited?.operation, edited?.files, edited?.before], ['append', ['notes.md'], null]);
  assert.match(String(edited?.after), /^[0-9a-f]{64}$/);
  assert.deepEqual([untrusted?.operation, untrusted?.before, untrusted?.after], ['revoke', init?.after, null]);
  assert.deepEqual([trusted?.before, trusted?.after], [null, init?.after]);
  assert.ok(init?.files?.includes('.agent/config.json'));
  const [disabled, enabled] = events.filter(({ command }) => command.startsWith('jobs '));
  assert.deepEqual([disabled?.schedule, disabled?.reason, disabled?.after], [SCHEDULE, 'holidays', undefined]);
  assert.equal(enabled?.schedule, SCHEDULE);
  assert.match(String(enabled?.after), /[0-9a-f]{64}/);
  assert.equal(readFileSync(path.join(cwd, 'notes.md'), 'utf8').trim(), 'what is in the file');
});

test('what fails is recorded as failed, what is refused before is not recorded, and neither as done', async (t) => {
  const { folder, run, sw, log } = openDesk(t);
  await sw('edit', 'append', 'notes.md', 'one');
  assert.equal((await run(['edit', 'replace', 'notes.md', 'two', 'three', '--json'])).code, 1);
  assert.equal((await run(['grants', 'revoke', '000000000000'])).code, 1);
  assert.equal((await run(['uninstall', 'nobody', '--json'])).code, 1);
  assert.equal(
    (await run(['install', skillIn(path.join(folder, 'source'), '1.0.0')])).code,
    4,
    'nobody could be asked',
  );
  const [, ...failed] = await log();
  assert.deepEqual(
    failed.map(({ command, state, error }) => `${command} ${state} ${error}`),
    ['edit failed DATA_NOT_FOUND', 'grants revoke failed DATA_NOT_FOUND'],
  );
});

test('neither contents nor what looks like a key is in the log, and only its owner may read it', async (t) => {
  const { home, sw } = openDesk(t);
  const token = `ghp_${'a1B2'.repeat(9)}`;
  await sw('edit', 'append', `${token}.txt`, 'canary-content');
  const { events } = await sw('log');
  assert.deepEqual(events[0].files, ['[redacted].txt']);
  const logs = path.join(home, '.agent', 'log');
  const files = readdirSync(logs, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  assert.equal(files.length, 1);
  for (const { parentPath, name } of files)
    assert.doesNotMatch(readFileSync(path.join(parentPath, name), 'utf8'), new RegExp(`canary-content|${token}`));
});

test('processes at once lose no event of each other', async (t) => {
  const { sw, log } = openDesk(t);
  const files = ['a.txt', 'b.txt', 'c.txt', 'd.txt'];
  await Promise.all(files.map((file) => sw('edit', 'append', file, 'x')));
  const events = await log();
  assert.deepEqual(events.map(({ files: named = [], state }) => `${named} ${state}`).sort(), [
    'a.txt done',
    'b.txt done',
    'c.txt done',
    'd.txt done',
  ]);
  // One start, then a beginning and an end for each.
  assert.deepEqual(await sw('log', 'verify').then(({ ok, events: lines }) => [ok, lines]), [true, 9]);
});

const KILL = "process.kill(process.pid, 'SIGKILL');";

/** Where a command is killed, and what the log then says of it. */
const KILLS: readonly (Change & { readonly says: readonly string[] })[] = [
  {
    file: 'src/app/own/record.ts',
    from: 'const result = await effect()',
    to: `const result = await effect(); ${KILL} await effect()`,
    says: ['edit open'],
  },
  {
    file: 'src/audit/chain.ts',
    from: 'flushed = events;\n      }',
    to: `flushed = events; }; if (events === 2) ${KILL}`,
    says: ['edit open'],
  },
  {
    file: 'src/audit/chain.ts',
    from: 'output.append(Buffer.from(',
    to: `output.append(Buffer.from(line.slice(0, 30))); ${KILL} output.append(Buffer.from(`,
    says: [],
  },
  {
    file: 'src/audit/chain.ts',
    from: 'const output = openForAppend(',
    to: `${KILL} const output = openForAppend(`,
    says: [],
  },
];

test('killed in between, a command leaves a log that verifies and goes on', async (t) => {
  for (const { says, ...change } of KILLS) {
    const { run, sw } = openDesk(t);
    const shown = async () => {
      const { ok, events } = await sw('log');
      return [ok, ...events.toReversed().map(({ command, state }: Logged) => `${command} ${state}`)];
    };
    assert.equal((await run(['edit', 'append', 'notes.md', 'x'], change)).code, null, 'it was killed');
    assert.deepEqual(await shown(), [true, ...says], change.to);
    await sw('edit', 'append', 'notes.md', 'y');
    assert.deepEqual(await shown(), [true, ...says, 'edit done'], change.to);
  }
});

test('where the log cannot be written, nothing is changed', async (t) => {
  const { cwd, home, run } = openDesk(t);
  mkdirSync(path.join(home, '.agent'));
  writeFileSync(path.join(home, '.agent', 'log-register'), '');
  const { code, stdout } = await run(['edit', 'append', 'notes.md', 'x', '--json']);
  assert.notEqual(code, 0, stdout);
  assert.deepEqual(readdirSync(cwd), []);
});

test('the log is shown in both languages, and nothing is made by looking at it', async (t) => {
  const { home, run, sw } = openDesk(t);
  assert.match((await run(['log'])).stdout, /nothing recorded yet/);
  assert.match((await run(['log', 'verify', '--lang', 'zh'])).stdout, /尚无记录/);
  assert.equal(readdirSync(home).includes('.agent') && readdirSync(path.join(home, '.agent')).includes('keys'), false);
  await sw('edit', 'append', 'notes.md', 'x');
  const shown = (await run(['log'])).stdout;
  assert.match(
    shown,
    /1 command\nTIME +LOG +COMMAND +STATE +WHAT\n.*project +edit +done +append notes\.md: – → [0-9a-f]{12}\n/,
  );
  const chinese = (await run(['log', '--lang', 'zh', '--limit', '1'])).stdout;
  assert.match(chinese, /共 1 条命令\n时间 +日志 +命令 +状态 +内容\n.*edit +完成/);
});
