// A model that writes what other tools obey: `--yes`, grants and an earlier yes do not answer for it, only a person does.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import {
  answer,
  makeWorld,
  plant,
  runAgent,
  select,
  skillFile,
  tool,
  type World,
} from '../../support/agent-support.ts';
import type { Change } from '../../support/changed/change.ts';
import { runCli } from '../../support/support.ts';

const at = ({ project, home }: World) => ({ cwd: project, home });

function guardedWorld(t: TestContext): World {
  const world = makeWorld(t, {
    ...skillFile('keeper'),
    'AGENTS.md': 'own',
    'docs/guide.md': 'own',
    'note.txt': 'planted',
    'r/HEAD': 'x',
    'r/objects/k': 'x',
    'mybox/output/q/HEAD': 'x',
    'mybox/output/q/objects/k': 'x',
  });
  symlinkSync('docs/guide.md', path.join(world.project, 'CLAUDE.md'));
  return world;
}

const write = (file: string) => ['write_file', { path: file, content: 'planted' }, file] as const;

/** What a model would do, the file that shows whether it did it, and who obeys that. */
const ATTEMPTS: readonly (readonly [readonly [string, Record<string, unknown>, string], RegExp])[] = [
  [write('.vscode/tasks.json'), /\.vscode\/tasks\.json is obeyed by editors/],
  [write('.claude/settings.json'), /obeyed by coding agents/],
  [write('.husky/pre-commit'), /obeyed by hooks of git/],
  [write('sub/GEMINI.md'), /obeyed by coding agents/],
  [write('.agent/skills/keeper/scripts/x.py'), /obeyed by Skillwright/],
  [write('bin/tool.md'), /obeyed by Skillwright/],
  [write('r/refs/k'), /obeyed by git, as a repository of its own/],
  [write('mybox/output/q/refs/k'), /obeyed by git, as a repository of its own/],
  [write('mybox/output/CLAUDE.md'), /obeyed by coding agents/],
  [write('docs/guide.md'), /docs\/guide\.md is obeyed by coding agents, through CLAUDE\.md/],
  [['move_file', { from: 'note.txt', to: '.github/workflows/x.yml' }, '.github/workflows/x.yml'], /CI services/],
  [['delete_file', { path: 'AGENTS.md' }, 'AGENTS.md'], /AGENTS\.md is obeyed by coding agents/],
];

function contentOf({ project }: World, file: string): string | undefined {
  const place = path.join(project, file);
  return existsSync(place) ? readFileSync(place, 'utf8') : undefined;
}

test('threat 66 blocked: under --yes a model changes nothing that other tools obey before a person says so', async (t) => {
  for (const [[name, args, file], obeyed] of ATTEMPTS) {
    const world = guardedWorld(t);
    const before = contentOf(world, file);
    const { outcome } = await runAgent(world, [tool(name, args), answer()], { yes: true });
    assert.equal(contentOf(world, file), before, file);
    assert.equal(outcome.state, 'interrupted', `${file} ${JSON.stringify(outcome)}`);
    assert.match(String(outcome.data.question), obeyed);
    assert.match(String(outcome.data.resume_command), /^skillwright resume \S+ --decide approve$/);
  }
});

const UNASKED: Change = {
  file: 'src/policy/decide.ts',
  from: 'const guarded = guardLayer(call, asked.obeyed ?? []);',
  to: 'const guarded = [];',
};

/** As a person would have it, with nobody at the terminal. */
async function runWith(world: World, step: object, change: readonly Change[] = []) {
  const caseFile = path.join(world.home, 'case.json');
  writeFileSync(caseFile, JSON.stringify([select('keeper'), step, answer()]));
  const words = ['run', 'do it', '--model', `mock:${caseFile}`, '--yes', '--json'];
  const { code, stdout, stderr } = await runCli(words, { ...at(world), change });
  assert.notEqual(stdout, '', stderr);
  return { code, data: JSON.parse(stdout).data };
}

test('threat 66 control: where policy does not know what is obeyed, --yes plants a task, a hook and a repository', async (t) => {
  for (const [[name, args, file]] of ATTEMPTS.filter(([[, , shown]]) =>
    /tasks|pre-commit|r\/refs|AGENTS/.test(shown),
  )) {
    const world = guardedWorld(t);
    assert.equal((await runWith(world, tool(name, args), [UNASKED])).code, 0);
    assert.equal(contentOf(world, file), name === 'delete_file' ? undefined : 'planted', file);
  }
});

test('threat 66 blocked: the question is answered by resume, for this call and these facts', async (t) => {
  const world = guardedWorld(t);
  const { code, data } = await runWith(world, tool('write_file', { path: 'sub/.profile', content: 'x' }));
  assert.equal(code, 4);
  assert.match(data.question, /obeyed by the shell, on entering the folder/);
  const [, , id = ''] = data.resume_command.split(' ');
  const open = await runCli(['interrupts', '--lang', 'zh'], at(world));
  assert.match(open.stdout, /sub\/\.profile 会被进入目录时的 shell ?执行或遵循/);
  const done = await runCli(['resume', id, '--decide', 'approve', '--json'], at(world));
  assert.equal(done.code, 0, done.stdout + done.stderr);
  assert.equal(contentOf(world, 'sub/.profile'), 'x');
});

test('threat 64 threat 66 blocked: a grant for a folder does not cover what other tools obey in it', async (t) => {
  const world = guardedWorld(t);
  const grant = ['grants', 'add', 'keeper', '--tool', 'write_file', '--pattern', 'notes/**'];
  assert.equal((await runCli(grant, at(world))).code, 0);
  const step = (file: string) => tool('write_file', { path: file, content: 'x' }, 'keeper');
  assert.equal((await runAgent(world, [select('keeper'), step('notes/a.md'), answer()])).outcome.state, 'success');
  assert.equal(
    (await runAgent(world, [select('keeper'), step('notes/CLAUDE.md'), answer()])).outcome.state,
    'interrupted',
  );
  const why = await runCli(['explain', 'keeper', 'write_file', 'notes/CLAUDE.md'], at(world));
  assert.match(
    why.stdout,
    /: ask .*\n(?:.*\n)*.*notes\/CLAUDE\.md is obeyed by coding agents\n(?:.*\n)*.*neither --yes nor a grant/,
  );
});

test('threat 64 threat 66 control: where a grant answers every question it plants instructions', async (t) => {
  const world = guardedWorld(t);
  await runCli(['grants', 'add', 'keeper', '--tool', 'write_file', '--pattern', 'notes/**'], at(world));
  const file = 'src/door/permit.ts';
  const change = [{ file, from: 'decision.onlyPerson ? {} : findStanding', to: 'findStanding' }];
  const step = tool('write_file', { path: 'notes/CLAUDE.md', content: 'x' }, 'keeper');
  assert.equal((await runWith(world, step, change)).code, 0);
  assert.equal(contentOf(world, 'notes/CLAUDE.md'), 'x');
});

test('threat 66 blocked: "until this run ends" is not offered for what is obeyed, nor does an earlier one count', async (t) => {
  const world = guardedWorld(t);
  const asked: string[] = [];
  const ask = async ({ subject }: { readonly subject: { readonly obeyed?: readonly { path: string }[] } }) => {
    asked.push(subject.obeyed?.[0]?.path ?? 'plain');
    return subject.obeyed ? ('no' as const) : ('run' as const);
  };
  const steps = ['a.txt', 'b.txt', '.vscode/tasks.json', '.bashrc'].map((file) =>
    tool('write_file', { path: file, content: 'x' }, 'keeper'),
  );
  await runAgent(world, [select('keeper'), ...steps, answer()], { ask });
  assert.deepEqual(asked, ['plain', '.vscode/tasks.json', '.bashrc']);
  assert.deepEqual(
    ['a.txt', 'b.txt', '.vscode/tasks.json', '.bashrc'].map((file) => contentOf(world, file)),
    ['x', 'x', undefined, undefined],
  );
});

test('a person’s own edit is not asked about, and .git stays closed to it and to models', async (t) => {
  const world = guardedWorld(t);
  assert.equal((await runCli(['edit', 'append', 'AGENTS.md', ' more'], at(world))).code, 0);
  assert.match(contentOf(world, 'AGENTS.md') ?? '', /^own\n? more/);
  mkdirSync(path.join(world.project, '.git'));
  plant(world.project, { '.git/config': 'own' });
  assert.equal((await runCli(['edit', 'append', '.git/hooks/x', 'x'], at(world))).code, 1);
  const { outcome } = await runAgent(world, [tool('write_file', { path: '.git/hooks/x', content: 'x' }), answer()], {
    yes: true,
  });
  assert.equal(outcome.state, 'success');
  assert.equal(existsSync(path.join(world.project, '.git/hooks')), false);
});
