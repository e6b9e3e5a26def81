// What the model of a run really receives: where it is, variables filled, texts whole or by their ends, exits with everything.
import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import {
  answer,
  invoke,
  makeWorld,
  observed,
  plant,
  resource,
  runProcess,
  script,
  select,
  skillFile,
  tool,
} from '../../support/agent-support.ts';
import { runCli } from '../../support/support.ts';

const wherePart = (prompt = '') => /<whereabouts>\n([\s\S]*?)\n<\/whereabouts>/.exec(prompt)?.[1] ?? '';
const lines = (count: number, word = 'line') =>
  Array.from({ length: count }, (_, at) => `${word}-${at + 1}`).join('\n');

test('the model is told where it is, what it may, what is hidden and where results go, in every turn the same', async (t) => {
  const world = makeWorld(t, {
    ...skillFile('kit'),
    '.env': 'TOKEN=t-1',
    'keys/id_rsa': 'x',
    'notes.txt': 'x',
    ...Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`many/${at}.env`, 'x'])),
  });
  plant(world.home, {
    '.agent/config.json': JSON.stringify({
      limits: { timeout_seconds: 120 },
      execution: { denied: ['network_request'] },
    }),
  });
  const ran = await runProcess(world, [select('kit'), tool('list_dir'), answer()]);
  assert.equal(ran.outcome.state, 'success', ran.stdout);
  const told = ran.prompts.map(wherePart);
  assert.equal(new Set(told).size, 1, told.join('\n---\n'));
  const [where = ''] = told;
  const system = (ran.prompts[0] ?? '').split('\n\n[user]\n')[0] ?? '';
  assert.ok(system.includes(where), 'it stands beside the rules, in front of all that changes');
  assert.ok(where.includes(`project folder: ${world.project}\n`), where);
  assert.match(where, /working folder: the project folder/);
  assert.match(where, /output folder: mybox\/output \(\$SKILL_OUTPUT_DIR\)/);
  assert.match(where, /layer over it[^\n]*a person applies/);
  assert.match(where, /hidden: [^\n]*permission denied[^\n]*\.env, keys\/id_rsa, many\/0\.env[^\n]*and \d+ more$/m);
  assert.doesNotMatch(where, /TOKEN|notes\.txt/);
  assert.ok((/^hidden: .*$/m.exec(where)?.[0] ?? '').length < 1_000);
  const doctor = JSON.parse((await runCli(['doctor', '--json'], { cwd: world.project, home: world.home })).stdout);
  assert.match(where, new RegExp(`^sandbox: ${doctor.data.sandbox.tier}, `, 'm'));
  assert.match(where, /^network: off for scripts and commands/m);
  assert.match(where, /^time limits: a script 120 s, a command 60 s; [^\n]*120 s/m);
  assert.match(where, /^a person is asked about: [^\n]*run_script/m);
  assert.match(where, /^refused by the settings: network_request$/m);
  assert.ok(ran.prompts[1]?.includes(`path="${world.project}/.agent/skills/kit"`));
});

test('variables are filled wherever the text of a skill reaches a model: body, references, and inside a run of its own', async (t) => {
  const text = (word: string) =>
    `${word}: $\{CLAUDE_SKILL_DIR}/a $\{SKILL_DIR}/b {baseDir}/c $SKILL_DIR/d $CLAUDE_SKILL_DIR/e for <$ARGUMENTS> and $1.\n`;
  const world = makeWorld(t, {
    ...skillFile('kit', '', text('BODY')),
    '.agent/skills/kit/references/guide.md': text('GUIDE'),
    '.agent/skills/kit/references/plain.txt': text('PLAIN'),
    '.agent/skills/kit/scripts/run.sh': 'echo "$1 $SKILL_DIR"\n',
    ...skillFile('inner', 'run-mode: subagent\n', text('INNER')),
  });
  const ran = await runProcess(
    world,
    [
      select('kit'),
      resource('kit', 'references/guide.md'),
      resource('kit', 'references/plain.txt'),
      resource('kit', 'scripts/run.sh'),
      invoke('inner', { task: 'sum b.csv' }),
      answer('inside'),
      answer(),
    ],
    { request: '@kit a.csv quickly' },
  );
  assert.equal(ran.outcome.state, 'success', ran.stdout);
  const expected = (word: string, skill: string, args: string, first: string) => {
    const at = path.join(world.project, '.agent/skills', skill);
    return `${word}: ${['a', 'b', 'c', 'd', 'e'].map((name) => `${at}/${name}`).join(' ')} for <${args}> and ${first}.`;
  };
  assert.ok(ran.prompts[1]?.includes(expected('BODY', 'kit', 'a.csv quickly', 'a.csv')), ran.prompts[1]);
  const [, guide = '', plain = '', source = ''] = observed(ran);
  assert.ok(guide.includes(expected('GUIDE', 'kit', 'a.csv quickly', 'a.csv')), guide);
  assert.ok(plain.includes(expected('PLAIN', 'kit', 'a.csv quickly', 'a.csv')), plain);
  assert.ok(source.includes('echo "$1 $SKILL_DIR"'), 'what a script says is its own');
  assert.ok(ran.prompts[5]?.includes(expected('INNER', 'inner', 'sum b.csv', 'sum')), ran.prompts[5]);
});

test('resources, files and outputs are whole up to 500 lines and 32 KiB, from wherever a skill comes', async (t) => {
  const wide = Array.from({ length: 400 }, (_, at) => `row ${at + 1} ${'x'.repeat(70)}`).join('\n');
  const world = makeWorld(t, { 'file.txt': lines(500, 'file') });
  plant(world.home, {
    ...skillFile('kit'),
    '.agent/skills/kit/references/long.md': `# Long\n${lines(499, 'reference')}`,
    '.agent/skills/kit/references/wide.txt': wide,
    '.agent/skills/kit/scripts/print.sh': 'for i in $(seq 1 500); do echo "printed-$i"; done\n',
  });
  const steps = [
    select('kit'),
    resource('kit', 'references/long.md'),
    resource('kit', 'references/wide.txt'),
    tool('read_file', { path: 'file.txt' }),
    script('kit', 'print.sh'),
    answer(),
  ];
  const ran = await runProcess(world, steps, { args: ['--yes'] });
  const [, , long = '', wideShown = '', file = '', printed = ''] = ran.prompts;
  assert.ok(long.includes(`# Long\n${lines(499, 'reference')}`));
  assert.ok(Buffer.byteLength(wide) > 30_000 && wideShown.includes(wide));
  assert.ok(file.includes(lines(500, 'file')));
  assert.ok(printed.includes(lines(500, 'printed')), ran.stdout);
  assert.doesNotMatch(printed, /left out: lines/);
});

test('a longer one is its ends with an outline, and read_file opens the rest in pieces', async (t) => {
  const chapters = Array.from({ length: 30 }, (_, at) => `## Chapter ${at + 1}\n${lines(60, `c${at + 1}`)}`).join('\n');
  const world = makeWorld(t);
  plant(world.home, {
    ...skillFile('kit'),
    '.agent/skills/kit/references/book.md': `# Book\n${chapters}\n`,
    '.agent/skills/kit/scripts/blob.sh':
      'printf START; head -c 900000 /dev/zero | tr "\\0" x; printf "MIDDLE"; head -c 90000 /dev/zero | tr "\\0" y; echo END\n',
  });
  const steps = (first: number, ref: string, blob: string) => [
    select('kit'),
    resource('kit', 'references/book.md'),
    script('kit', 'blob.sh'),
    tool('read_file', { path: ref, start_line: first, end_line: first + 99 }),
    tool('read_file', { path: blob, offset: 899_950, length: 200 }),
    tool('read_file', { path: ref, start_line: 'first' }),
    tool('read_file', { path: 'observations/00001.txt#999' }),
    answer(),
  ];
  const args = ['--yes'];
  const probe = await runProcess(world, steps(1, 'x', 'x'), { args });
  const shown = probe.prompts[2] ?? '';
  assert.match(shown, /# Book\n## Chapter 1\nc1-1\n[\s\S]*c30-59\nc30-60/);
  assert.doesNotMatch(shown, /^c15-1$/m);
  assert.match(shown, /headings there, by line: .*\d+: ## Chapter 15; /);
  const [, first = '', ref = ''] = /left out: lines (\d+)-[\s\S]*?"path":"([^"]+)"/.exec(shown) ?? [];
  const blob = /run_script kit[^>]*whole="(\S+) sha256/.exec(probe.prompts[3] ?? '')?.[1] ?? '';
  // References are numbered in the order of the record, so a second run has the same ones.
  const ran = await runProcess(world, steps(Number(first), ref, blob), { args });
  const [, whole = '', , piece = '', bytes = '', wrong = '', unknown = ''] = observed(ran);
  assert.match(piece, /^success: did read_file/);
  const wanted = whole
    .split('\n')
    .slice(Number(first) - 1, Number(first) + 99)
    .join('\n');
  assert.ok(piece.includes(wanted), piece);
  assert.match(piece, /lines: \{"from":\d+,"to":\d+,"total":\d{4}\}/);
  assert.match(bytes, /xMIDDLEy/);
  assert.match(ran.prompts[3] ?? '', /STARTx[\s\S]*left out: lines[^\n]*\n[^\n]*"offset":\d+[\s\S]*yEND/);
  assert.match(wrong, /INVALID_PARAM/);
  assert.match(unknown, /DATA_NOT_FOUND/);
  assert.ok((ran.prompts[3] ?? '').length < 100_000);
  const replayed = await runCli(['runs', 'replay', 'latest', '--json'], { cwd: world.project, home: world.home });
  assert.equal(replayed.code, 0, replayed.stdout);
});

test('a non-zero exit comes with its code first, then all that was printed, in the context and in the outcome', async (t) => {
  const lint =
    'for i in $(seq 1 200); do echo "finding-$i"; done; for i in $(seq 1 60); do echo "warning-$i" >&2; done; exit 3\n';
  const world = makeWorld(t, { ...skillFile('lint'), '.agent/skills/lint/scripts/lint.sh': lint });
  const ran = await runProcess(world, [select('lint'), script('lint', 'lint.sh'), answer()], { args: ['--yes'] });
  const seen = observed(ran)[1] ?? '';
  assert.match(seen, /^error: [^\n]+\nexit: 3\n/);
  assert.ok(
    seen.includes(`stdout:\n${lines(200, 'finding')}`) && seen.includes(`stderr:\n${lines(60, 'warning')}`),
    seen,
  );
  assert.ok(ran.prompts[2]?.includes(lines(200, 'finding')));
  assert.equal(seen.split('warning-30\n').length, 2, 'nothing is said twice');
  const exec = await runCli(['exec', 'lint', 'scripts/lint.sh', '--yes', '--json'], {
    cwd: world.project,
    home: world.home,
  });
  const { data } = JSON.parse(exec.stdout);
  assert.deepEqual([exec.code, data.exit, data.type], [3, 3, 'RuntimeFailed'], exec.stdout);
  assert.equal(data.stdout, `${lines(200, 'finding')}\n`);
  assert.equal(data.stderr, `${lines(60, 'warning')}\n`);
});
