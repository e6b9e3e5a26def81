// Seed 002, sections 7 to 9: what the core checks before it does what a model asks for, and what a script gets.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import {
  answer,
  makeWorld,
  observed,
  resource,
  runProcess,
  script,
  select,
  skillFile,
  tool,
} from '../../support/agent-support.ts';
import { ask } from '../../support/rule-support.ts';
import { atTerminal } from '../../support/terminal.ts';

test('002-75 002-76 002-79 002-81 002-105 path, list of tools and approval are checked; nobody there: nothing runs, and the printed command goes on', async (t) => {
  const world = makeWorld(t, {
    ...skillFile('reader', 'allowed-tools: [read_file, list_dir]\n'),
    ...skillFile('runner'),
    '.agent/skills/reader/scripts/run.sh': 'echo ran\n',
    '.agent/skills/runner/scripts/run.sh': 'echo "SUM-$((40 + 2))"\n',
    '.agent/skills/runner/scripts/notes.md': 'x',
    'a.txt': 'TEXT-OF-A',
  });
  const steps = [
    select('reader', 'runner'),
    resource('runner', '../../../a.txt'),
    script('runner', '../../../../a.sh'),
    script('runner', 'notes.md'),
    script('reader', 'run.sh'),
    tool('write_file', { path: 'notes.md', content: 'x' }, 'reader'),
    tool('read_file', { path: 'a.txt' }, 'reader'),
    script('runner', 'run.sh'),
    answer('done'),
  ];
  const waits = await runProcess(world, steps, { args: ['--non-interactive'] });
  assert.deepEqual([waits.code, waits.outcome.state, waits.outcome.data.type], [4, 'interrupted', 'ApprovalRequired']);
  const [, outside = '', noScript = '', prose = '', unlisted = '', write = '', read = '', ...rest] = observed(waits);
  assert.match(outside, /PATH_BLOCKED/);
  assert.match(noScript, /not a script/);
  for (const text of [prose, unlisted, write]) assert.match(text, /PERMISSION_DENIED/);
  assert.match(read, /TEXT-OF-A/);
  assert.doesNotMatch(rest.join('\n'), /SUM-42/);
  assert.ok(!existsSync(path.join(world.project, 'notes.md')));
  const command = String(waits.outcome.data.resume_command);
  assert.match(command, /^skillwright resume [0-9a-f]+ --decide approve\b/);
  const done = await ask(world.project, command.split(' ').slice(1), { at: world.home });
  assert.deepEqual([done.code, done.data.answer, done.data.run_id], [0, 'done', waits.outcome.data.run_id]);
});

test('002-80 a person at a terminal is asked: Enter is no, y is yes, and --yes answers before', async (t) => {
  const { project: cwd, home } = makeWorld(t, {
    ...skillFile('sum', 'command: sh scripts/sum.sh\n'),
    '.agent/skills/sum/scripts/sum.sh': 'echo "SUM-$((40 + 2))"\n',
  });
  const invoke = (type: string, ...words: string[]) => atTerminal(['invoke', 'sum', ...words], { cwd, home, type });
  const refused = await invoke('\r');
  assert.deepEqual([refused.code, refused.asked], [1, true], refused.shown);
  assert.match(refused.shown, /project:sum [^\n]*wants to use[\s\S]*the answer was no/);
  assert.doesNotMatch(refused.shown, /SUM-42/);
  const [allowed, early] = [await invoke('y\r'), await invoke('', '--yes')];
  assert.deepEqual([allowed.code, allowed.asked, early.code, early.asked], [0, true, 0, false], allowed.shown);
  for (const { shown } of [allowed, early]) assert.match(shown, /SUM-42/);
});

const SHOW = `for word in "$@"; do echo "[$word]"; done
echo "IN $(pwd)"; ls -A; env
head -c 1000000 /dev/zero | tr "\\0" x; echo END
`;

test('002-70 002-71 002-72 002-74 002-99 a script has literal words, the project as its folder, a clean environment and a time; of what it prints the model sees the ends', async (t) => {
  const world = makeWorld(t, {
    ...skillFile('kit'),
    ...skillFile('hasty', 'timeout: 1\n'),
    ...skillFile('closed', 'allowed-tools: [read_file]\n'),
    '.agent/skills/kit/scripts/show.sh': SHOW,
    '.agent/skills/hasty/scripts/slow.sh': 'sleep 30\n',
    '.agent/skills/kit/reference/kpi.md': '# KPI\nINTRO\n## 指标定义\nMEANING\n## Other\nREST\n',
    '.agent/skills/closed/scripts/run.sh': 'echo ran\n',
    'file-of-the-project.txt': 'x',
  });
  // As the seed writes them: a skill by name and source, a file inside it, a section, words.
  const kit = { name: 'kit', source: 'project' };
  const section = { skill: kit, relative_path: 'reference/kpi.md', section_hint: '## 指标定义' };
  const words = { skill: kit, relative_path: 'scripts/show.sh', args: ['$(id)', '; rm -rf /', '中文'] };
  const steps = [
    select(kit, 'hasty'),
    select('closed'),
    { action: { type: 'load_resource', ...section } },
    script('hasty', 'slow.sh'),
    script('closed', 'run.sh'),
    { action: { type: 'run_script', ...words } },
    answer(),
  ];
  const ran = await runProcess(world, steps, { args: ['--yes'], env: { AGENT_TEST_SECRET: 'SECRET-OF-HOST' } });
  assert.equal(ran.outcome.state, 'success', ran.stdout);
  const [, , read = '', slow = '', closed = '', printed = ''] = observed(ran);
  assert.match(read, /MEANING/);
  assert.doesNotMatch(read, /INTRO|REST/);
  assert.match(slow, /^timeout/);
  assert.match(closed, /PERMISSION_DENIED/);
  assert.match(printed, /\[\$\(id\)\]\n\[; rm -rf \/\]\n\[中文\]\nIN [^\n]*\n[\s\S]*^file-of-the-project\.txt$/m);
  assert.match(printed, /^HOME=[^\n]*\.agent\/state\/[^\n]*\/homes\//m);
  assert.doesNotMatch(printed, /SECRET-OF-HOST/);
  const last = ran.prompts.at(-1) ?? '';
  assert.ok(last.length < 64 * 1024, String(last.length));
  assert.match(last, /xEND/);
});
