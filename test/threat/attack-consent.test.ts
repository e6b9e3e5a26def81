// What a yes is for: the facts that were shown, the bytes that were there, and a person who is really asked.
import assert from 'node:assert/strict';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { makeWorld, plant, skillFile, type World } from '../support/agent-support.ts';
import type { Change } from '../support/changed/change.ts';
import { count, runCli } from '../support/support.ts';
import { atTerminal } from '../support/terminal.ts';

const at = ({ project, home }: World) => ({ cwd: project, home });

async function outcomeOf(world: World, args: readonly string[], change: readonly Change[] = []) {
  const { code, stdout, stderr } = await runCli(['--json', ...args], { ...at(world), change });
  assert.notEqual(stdout, '', stderr);
  const { data, summary } = JSON.parse(stdout);
  return { code, data, summary };
}

const TALKS = {
  ...skillFile('talks', 'network: true\nentry: scripts/main.sh\n'),
  '.agent/skills/talks/scripts/main.sh': `echo '{"success": true, "data": 1}'\n`,
};
const CALL = ['call', 'talks', 'go', 'to=a b', 'why=x'];

/** The lines of the question at a terminal that a decision rests on. */
async function promptFacts(world: World): Promise<string[]> {
  const { shown, asked } = await atTerminal(CALL, { ...at(world), type: '\r' });
  assert.ok(asked, shown);
  // Where it took a second to come to the question, the clock stood in its line.
  const lines = shown.split('\r\n').map((line) =>
    line
      .slice(line.lastIndexOf('\x1b[K') + 1)
      .replace(/^\[K/, '')
      .trim(),
  );
  const from = lines.findIndex((line) => line.includes('wants to use'));
  const to = lines.findIndex((line) => line.includes('Allow it?'));
  return lines.slice(from, to);
}

test('attack 9 blocked: who answers later sees every fact that the prompt shows', async (t) => {
  const world = makeWorld(t, TALKS);
  const facts = await promptFacts(world);
  const prompt = facts.join('\n');
  for (const fact of [
    /project:talks \([0-9a-f]{12}\)/,
    /high risk/,
    /It may reach the network/,
    /sandbox S\d/,
    /3: to=a b/,
  ])
    assert.match(prompt, fact);
  const asked = await runCli([...CALL, '--non-interactive'], at(world));
  assert.equal(asked.code, 4);
  const [{ id }] = (await outcomeOf(world, ['interrupts'])).data.items;
  const listed = await runCli(['interrupts'], at(world));
  const open = await runCli(['resume', id], at(world));
  assert.equal(open.code, 2);
  for (const where of [asked, listed, open])
    assert.deepEqual(
      facts.filter((fact) => !where.stdout.includes(fact)),
      [],
      where.stdout,
    );
  // The yes is for these facts in either language, and for no others.
  const done = await outcomeOf(world, ['resume', id, '--decide', 'approve', '--lang', 'zh']);
  assert.equal(done.code, 0, JSON.stringify(done));
});

test('attack 9 control: a question saved as one line of words hides the network, the risk and the tier', async (t) => {
  const world = makeWorld(t, TALKS);
  const change = [
    { file: 'src/door/permit.ts', from: 'question: tellFacts(facts, door.language)', to: 'question: wordsOf(work)' },
  ];
  const asked = await outcomeOf(world, [...CALL, '--non-interactive'], change);
  assert.equal(asked.code, 4);
  const { stdout } = await runCli(['interrupts'], at(world));
  assert.doesNotMatch(stdout, /network|risk|sandbox/);
});

const OLD = 'print("OLD")\n';
const NEW = 'print("NEW")\n';
const TOOL = { ...skillFile('tool', 'command: python3 tools/x.py\n'), 'tools/x.py': OLD, 'tools/new.py': NEW };
const UNBOUND = { file: 'src/door/run-file.ts', from: 'return [...found.values()];', to: 'return [];' };

const NOTHING_GONE = { file: 'src/policy/grant/grant.ts', from: ' && known.every(isIn(runs))', to: '' };

const FILES_RUN = 'src/policy/run-file.ts';
const AS_SPELLED = [
  { file: FILES_RUN, from: "if (piece.startsWith('-')) return [piece];", to: 'return [piece];' },
  { file: FILES_RUN, from: 'if (name === undefined) return [];', to: 'return [];' },
  { file: FILES_RUN, from: 'return [...new Set(folders)];', to: "return ['.'];" },
];

/** Asked for the old bytes, approved with the new ones in their place. */
async function swapBeforeResume(t: TestContext, change: readonly Change[]) {
  const world = makeWorld(t, TOOL);
  const asked = await outcomeOf(world, ['invoke', 'tool', '--non-interactive'], change);
  assert.equal(asked.code, 4, asked.summary);
  writeFileSync(path.join(world.project, 'tools/x.py'), NEW);
  return await outcomeOf(world, ['resume', asked.data.id, '--decide', 'approve'], change);
}

test('attack 12 blocked: a yes given later is for the bytes of the question', async (t) => {
  const { code, data } = await swapBeforeResume(t, []);
  assert.deepEqual([code, data.stdout], [1, undefined], JSON.stringify(data));
});

test('attack 12 control: not bound to bytes, the yes runs what was put in their place', async (t) => {
  const { code, data } = await swapBeforeResume(t, [UNBOUND]);
  assert.deepEqual([code, data.stdout], [0, 'NEW\n']);
});

/** Exchanged while the question stands at the terminal. */
async function swapAtPrompt(t: TestContext, change: readonly Change[]) {
  const world = makeWorld(t, TOOL);
  const swap = [[path.join(world.project, 'tools/new.py'), path.join(world.project, 'tools/x.py')]] as const;
  const shown = await atTerminal(['invoke', 'tool'], { ...at(world), type: 'y\r', swap, change });
  assert.ok(shown.asked, shown.shown);
  return shown;
}

test('attack 12 blocked: bytes exchanged while a person thinks do not run', async (t) => {
  const { code, shown } = await swapAtPrompt(t, []);
  assert.match(shown, /It runs tools\/x\.py as it is now \(sha256 [0-9a-f]{12}\)/);
  assert.equal(code, 1);
  assert.match(shown, /tools\/x\.py is not the file that was allowed to run/);
  assert.doesNotMatch(shown, /NEW/);
});

test('attack 12 control: without the look before the start the new bytes run', async (t) => {
  const { code, shown } = await swapAtPrompt(t, [UNBOUND]);
  assert.equal(code, 0);
  assert.match(shown, /NEW/);
});

/** A grant for exactly these words, and other bytes behind them. */
async function swapUnderGrant(t: TestContext, change: readonly Change[]) {
  const world = makeWorld(t, TOOL);
  const words = ['--command', '--exact', '--tier', 'S1', '--', 'python3', 'tools/x.py'];
  const granted = await outcomeOf(world, ['grants', 'add', 'tool', ...words], change);
  assert.equal(granted.code, 0, granted.summary);
  const before = await outcomeOf(world, ['invoke', 'tool', '--non-interactive'], change);
  assert.deepEqual([before.code, before.data.stdout], [0, 'OLD\n'], before.summary);
  writeFileSync(path.join(world.project, 'tools/x.py'), NEW);
  return await outcomeOf(world, ['invoke', 'tool', '--non-interactive'], change);
}

test('attack 12 blocked: an exact grant ends with the bytes of the file it runs', async (t) => {
  const { code, data } = await swapUnderGrant(t, []);
  assert.equal(code, 4);
  assert.match(String(data.note), /no longer counts: the files changed since/);
});

test('attack 12 control: bound to words alone the grant runs the new bytes unasked', async (t) => {
  const { code, data } = await swapUnderGrant(t, [UNBOUND]);
  assert.deepEqual([code, data.stdout], [0, 'NEW\n']);
});

const NEW_JS = 'console.log("NEW")\n';
/** Each granted as a plain file, which then makes room for another file that the same words run. */
const GONE = [
  { words: 'python3 tools/g.py', file: 'tools/g.py', old: OLD, other: 'tools/g.py/__main__.py', text: NEW },
  {
    words: 'node tools/g.js',
    file: 'tools/g.js',
    old: 'console.log("OLD")\n',
    other: 'tools/g.js/index.js',
    text: NEW_JS,
  },
  { words: 'python3 -m gm', file: 'gm.py', old: OLD, other: 'gm/__main__.py', text: NEW },
] as const;

async function makeRoomUnderGrant(t: TestContext, change: readonly Change[], swap: (typeof GONE)[number]) {
  const world = makeWorld(t, { ...skillFile('gone', `command: ${swap.words}\n`), [swap.file]: swap.old });
  const words = ['--command', '--exact', '--tier', 'S1', '--', ...swap.words.split(' ')];
  const granted = await outcomeOf(world, ['grants', 'add', 'gone', ...words], change);
  assert.equal(granted.code, 0, granted.summary);
  const before = await outcomeOf(world, ['invoke', 'gone', '--non-interactive'], change);
  assert.deepEqual([before.code, before.data.stdout], [0, 'OLD\n'], before.summary);
  rmSync(path.join(world.project, swap.file));
  plant(world.project, { [swap.other]: swap.text });
  return await outcomeOf(world, ['invoke', 'gone', '--non-interactive'], change);
}

for (const swap of GONE) {
  test(`attack 12 blocked: a grant for ${swap.words} ends when the file makes room for a folder`, async (t) => {
    const { code, data } = await makeRoomUnderGrant(t, [], swap);
    assert.equal(code, 4, JSON.stringify(data));
    assert.match(String(data.note), /no longer counts: the files changed since/);
  });

  test(`attack 12 control: with a look at what is there alone, ${swap.words} runs the folder unasked`, async (t) => {
    const { code, data } = await makeRoomUnderGrant(t, [NOTHING_GONE, ...AS_SPELLED], swap);
    assert.deepEqual([code, data.stdout], [0, 'NEW\n'], JSON.stringify(data));
  });
}

/** Words that run a file they do not spell, and that file. */
const SPELLINGS = [
  ['python3 tools/app', 'tools/app/__main__.py', 'print("WHAT")'],
  ['python3 -m pk.mod', 'pk/__init__.py', 'print("WHAT")'],
  ['python3 -Bmpk.mod', 'pk/mod.py', 'print("WHAT")'],
  ['env python3 -m pk.mod', 'pk/mod.py', 'print("WHAT")'],
  ['node tools/y', 'tools/y.js', 'console.log("WHAT")'],
  ['node tools/nd', 'tools/nd/index.js', 'console.log("WHAT")'],
  ['node tools/pack', 'tools/pack/lib/start.js', 'console.log("WHAT")'],
  ['make -s -C tools', 'tools/Makefile', 'all:\n\t@echo WHAT'],
  ['env -C tools bash z.sh', 'tools/z.sh', 'echo WHAT'],
  ["bash -c 'cd pk; cd ../tools && bash z.sh'", 'tools/z.sh', 'echo WHAT'],
  ['env --chdir=tools make -s', 'tools/Makefile', 'all:\n\t@echo WHAT'],
] as const;
const hasMake = existsSync('/usr/bin/make');
type Spelling = (typeof SPELLINGS)[number];
const UNSPELLED: readonly Spelling[] = SPELLINGS.filter(([, file]) => hasMake || file !== 'tools/Makefile');
const AROUND = { 'pk/__init__.py': '', 'pk/mod.py': '', 'tools/pack/package.json': '{"main": "./lib/start"}' };

/** One skill for each, asked about with the old files; then all of them exchanged, and each approved. */
async function swapUnspelled(t: TestContext, change: readonly Change[], spelled: readonly Spelling[]) {
  const skills = spelled.map(([words], index) => skillFile(`s${index}`, `command: ${words}\n`));
  const files = (what: string) =>
    Object.fromEntries(spelled.map(([, file, text]) => [file, text.replace('WHAT', what)]));
  const world = makeWorld(t, Object.assign({}, AROUND, files('OLD'), ...skills));
  const asked = await Promise.all(
    spelled.map((_, index) => outcomeOf(world, ['invoke', `s${index}`, '--non-interactive'], change)),
  );
  plant(world.project, files('NEW'));
  return await Promise.all(
    asked.map(({ data }) => outcomeOf(world, ['resume', data.id, '--decide', 'approve'], change)),
  );
}

test('attack 12 blocked: a yes is for the file that really runs, however the words lead to it', async (t) => {
  for (const [index, { code, data }] of (await swapUnspelled(t, [], UNSPELLED)).entries())
    assert.deepEqual([code, data.stdout], [1, undefined], `${UNSPELLED[index]?.[0]} ${JSON.stringify(data)}`);
});

test('attack 12 control: bound to the files as spelled, the same words run the new ones', async (t) => {
  // One of each language is enough to show that the guard is what stops them.
  const some = UNSPELLED.filter((_, index) => index % count(1, 3) === 0);
  for (const [index, { code, data }] of (await swapUnspelled(t, AS_SPELLED, some)).entries()) {
    assert.equal(code, 0, `${some[index]?.[0]} ${JSON.stringify(data)}`);
    assert.match(data.stdout, /NEW/);
  }
});

/** A grant for the first words of a test runner, and an option behind them that makes it run a script. */
async function stretchGrant(t: TestContext, change: readonly Change[]) {
  const world = makeWorld(t, { ...skillFile('tests', 'command: ctest -S tools/e.cmake\n'), 'tools/e.cmake': '' });
  const granted = await outcomeOf(
    world,
    ['grants', 'add', 'tests', '--command', '--tier', 'S1', '--', 'ctest'],
    change,
  );
  assert.equal(granted.code, 0, granted.summary);
  return await outcomeOf(world, ['invoke', 'tests', '--non-interactive'], change);
}

test('attack 12 blocked: a grant for ctest does not stretch over a script it is handed', async (t) => {
  assert.equal((await stretchGrant(t, [])).code, 4);
});

test('attack 12 control: unknown to the guard, ctest is started with the script unasked', async (t) => {
  const change = [
    { file: 'src/policy/command/fact/builds-code.ts', from: '  ctest: {', to: '  unheardOf: {' },
    { file: FILES_RUN, from: "['ctest', [", to: "['unheardOf', [" },
  ];
  assert.notEqual((await stretchGrant(t, change)).code, 4);
});

test('a command whose words could name files without end is refused before it is asked about', async (t) => {
  const text = Array.from({ length: 300 }, (_, index) => `cd d${index};`).join(' ');
  const world = makeWorld(t, skillFile('wanders', `command: bash -c '${text}'\n`));
  const { code, data } = await outcomeOf(world, ['invoke', 'wanders', '--non-interactive']);
  assert.deepEqual([code, data.type], [1, 'Usage'], JSON.stringify(data));
  assert.match(data.hint, /into a script/);
});

test('grants add refuses --writes and --network where no call would use them; nothing is granted', async (t) => {
  const world = makeWorld(t, {
    ...skillFile('quiet', 'entry: scripts/main.sh\n'),
    '.agent/skills/quiet/scripts/main.sh': 'true\n',
    ...TALKS,
  });
  for (const args of [
    ['quiet', '--action', 'go', '--network'],
    ['quiet', '--tool', 'write_file', '--pattern', 'notes/**', '--writes'],
    ['quiet', '--tool', 'write_file', '--pattern', 'notes/**', '--network'],
  ]) {
    const { code, data } = await outcomeOf(world, ['grants', 'add', ...args]);
    assert.deepEqual([code, data.type], [2, 'Usage'], args.join(' '));
    assert.match(data.hint, /Leave --(writes|network) out/);
  }
  assert.deepEqual((await outcomeOf(world, ['grants', 'list'])).data.grants, []);
});

test('grants add --network does what it says for a skill that declares the network', async (t) => {
  const server = createServer((socket) => socket.end('HELLO'));
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  t.after(() => server.close());
  const { port } = server.address() as { port: number };
  const script = `import json, socket, sys
json.load(sys.stdin)
with socket.create_connection(("127.0.0.1", ${port})) as s:
    print(json.dumps({"success": True, "data": s.recv(9).decode()}))
`;
  const world = makeWorld(t, {
    ...skillFile('talks', 'network: true\nentry: scripts/main.py\n'),
    '.agent/skills/talks/scripts/main.py': script,
  });
  const call = () => outcomeOf(world, ['call', 'talks', 'go', '--non-interactive']);
  await outcomeOf(world, ['grants', 'add', 'talks', '--action', 'go', '--tier', 'S1']);
  assert.equal((await call()).code, 4, 'a grant without the network leaves the question');
  await outcomeOf(world, ['grants', 'add', 'talks', '--action', 'go', '--tier', 'S1', '--network']);
  const { code, data, summary } = await call();
  assert.deepEqual([code, data.response?.data], [0, 'HELLO'], summary);
});

test('002-81 CI at a terminal asks nobody: exit 4 and the command that answers', async (t) => {
  const world = makeWorld(t, TOOL);
  for (const CI of ['1', 'true', 'woodpecker']) {
    const { code, asked, shown } = await atTerminal(['invoke', 'tool'], { ...at(world), type: 'y\r', env: { CI } });
    assert.deepEqual([code, asked], [4, false], shown);
    assert.match(shown, /skillwright resume [0-9a-f]+ --decide approve/);
  }
  plant(world.project, skillFile('says', 'command: echo {text}\n'));
  const lacking = await atTerminal(['invoke', 'says'], { ...at(world), type: '', env: { CI: 'true' } });
  assert.match(lacking.shown, /ParamMissing/);
  for (const CI of ['', 'false', '0']) {
    const { code, asked } = await atTerminal(['invoke', 'tool'], { ...at(world), type: '\r', env: { CI } });
    assert.deepEqual([code, asked], [1, true], CI);
  }
});
