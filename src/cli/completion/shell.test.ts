import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { commandLine, repository, temporaryFolder } from '../../../test/support/support.ts';
import { COMMANDS } from '../commands.ts';
import { fishScript } from './fish.ts';
import { buildVocabulary, type Vocabulary } from './words.ts';
import { zshScript } from './zsh.ts';

type Complete = (line: string) => string[];

/** A project with one skill, a `skillwright` on the path, and the script of the shell; nothing where the shell is not there. */
async function openShell(
  t: TestContext,
  shell: 'zsh' | 'fish',
  script: (vocabulary: Vocabulary) => string,
): Promise<Complete | undefined> {
  if (spawnSync(shell, ['--version']).error) {
    t.diagnostic(`not run: there is no ${shell} here`);
    return undefined;
  }
  const root = temporaryFolder(t);
  const [bin, home, project] = ['bin', 'home', 'project'].map((name) => path.join(root, name)) as [
    string,
    string,
    string,
  ];
  const skill = path.join(project, '.agent', 'skills', 'word-count');
  for (const folder of [bin, home, skill]) mkdirSync(folder, { recursive: true });
  writeFileSync(
    path.join(skill, 'SKILL.md'),
    '---\nname: word-count\ndescription: Counts words.\ntype: python\nactions:\n  - name: measure\n  - name: compare\n---\n# x\n',
  );
  const cli = commandLine();
  writeFileSync(path.join(bin, 'skillwright'), `#!/bin/sh\nexec '${process.execPath}' '${cli}' "$@"\n`);
  chmodSync(path.join(bin, 'skillwright'), 0o755);
  const file = path.join(root, 'completion');
  writeFileSync(file, script(await buildVocabulary(COMMANDS)));
  const env = { PATH: `${bin}:${process.env.PATH}`, HOME: home, TERM: 'dumb', LANG: 'C.UTF-8' };
  return (line) => {
    const { stdout, stderr } = spawnSync(shell, argsFor(shell, file, line), { encoding: 'utf8', cwd: project, env });
    assert.equal(stderr, '', `${shell}: ${line}`);
    return [...new Set(stdout.split('\n').map((one) => one.split('\t')[0] ?? ''))].filter((one) => one !== '');
  };
}

function argsFor(shell: 'zsh' | 'fish', file: string, line: string): string[] {
  if (shell === 'fish') return ['--no-config', '-c', 'source $argv[1]; complete -C $argv[2]', file, line];
  return ['-f', path.join(repository, 'test', 'fixtures', 'completion', 'ask.zsh'), file, line];
}

function checkShell(complete: Complete): void {
  const offers = (line: string, words: readonly string[]) => {
    const offered = complete(line);
    for (const word of words) assert.ok(offered.includes(word), `"${line}" offers ${offered.join(' ')}`);
    return offered;
  };
  assert.ok(!offers('skillwright in', ['inspect', 'invoke', 'install', 'init', 'interrupts']).includes('list'));
  offers('skillwright gr', ['grants']);
  offers('skillwright runs ', ['list', 'show', 'verify', 'replay', 'changes', 'apply', 'discard', 'undo', 'prune']);
  offers('skillwright grants re', ['revoke']);
  offers('skillwright inspect wor', ['word-count']);
  const actions = offers('skillwright call word-count ', ['measure', 'compare']);
  assert.ok(!actions.includes('word-count'), 'a skill is offered where its action stands');
  offers('skillwright list --so', ['--source']);
  offers('skillwright list --source ', ['user', 'project']);
  offers('skillwright completion z', ['zsh']);
  offers('skillwright schema e', ['eval']);
  offers('skillwright eval wor', ['word-count']);
  offers('skillwright eval n', ['new']);
  offers('skillwright eval new --fr', ['--from']);
  assert.ok(
    !complete('skillwright eval new --base').includes('--baseline'),
    'an option of eval is offered for eval new',
  );
  offers('skillwright --lang zh runs sh', ['show']);
  offers('skillwright --format json call word-count mea', ['measure']);
}

test('a real zsh completes commands, subcommands, skills, actions, options and choices', async (t) => {
  const complete = await openShell(t, 'zsh', zshScript);
  if (complete) checkShell(complete);
});

test('a real fish completes commands, subcommands, skills, actions, options and choices', async (t) => {
  const complete = await openShell(t, 'fish', fishScript);
  if (complete) checkShell(complete);
});
