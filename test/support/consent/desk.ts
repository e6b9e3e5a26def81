// What tests of consent share: skills whose code says what it sees of a variable, and every surface that runs such code.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { trustProject } from '../../../src/config/trust.ts';
import { answer, makeWorld, type Script, type World } from '../agent-support.ts';
import { type Answer, readAnswer } from '../rule-support.ts';
import { type CliResult, runCli } from '../support.ts';

export const KEY = 'tok-3f9c-not-to-be-seen';

/** The length of the variable, never its value: that would be redacted. */
const SEES = `import os
print("sees", len(os.environ.get("WEATHER_KEY", "")))
`;

const ANSWERS = `import json, os, sys
request = json.loads(sys.stdin.read())
print(json.dumps({"success": True, "action": request["action"], "data": {"sees": len(os.environ.get("WEATHER_KEY", ""))}}))
`;

const TEXT = 'description: Says what it sees of a variable.';

export const CONSENT_FILES = {
  '.agent/skills/weather/SKILL.md': `---\nname: weather\n${TEXT}\ncommand: python3 scripts/see.py\n---\n# Weather\n`,
  '.agent/skills/weather/scripts/see.py': SEES,
  '.agent/skills/other/SKILL.md': `---\nname: other\n${TEXT}\n---\n# Other\n`,
  '.agent/skills/other/scripts/see.py': SEES,
  '.agent/skills/talks/SKILL.md': `---\nname: talks\n${TEXT}\nentry: main.py\nactions: {see: {}}\n---\n# Talks\n`,
  '.agent/skills/talks/main.py': ANSWERS,
  'agents/watcher/agent.yaml': 'skills: [{name: looks, entry: looks.py, actions: {see: {}}}]\n',
  'agents/watcher/looks.py': ANSWERS,
  'bin/see.py': SEES,
};

export interface Desk extends World {
  /** With the variable set, unless another environment is given. */
  sw(words: readonly string[], env?: Record<string, string>): Promise<CliResult>;
  ask(words: readonly string[], env?: Record<string, string>): Promise<Answer>;
  /** The id of the new grant, which holds at the weakest tier, too. */
  grant(...words: string[]): Promise<string>;
}

export function openDesk(t: TestContext, files: Readonly<Record<string, string>> = CONSENT_FILES): Desk {
  const world = makeWorld(t, files);
  trustProject(world.project, world.home, Date.now());
  const sw = (words: readonly string[], env: Record<string, string> = { WEATHER_KEY: KEY }) =>
    runCli(words, { cwd: world.project, home: world.home, env });
  const ask = async (words: readonly string[], env?: Record<string, string>) =>
    readAnswer(await sw([...words, '--json'], env));
  const grant = async (...words: string[]) => {
    const { state, summary, data } = await ask(['grants', 'add', ...words, '--tier', 'S1']);
    if (state !== 'success') throw new Error(`${summary} ${JSON.stringify(data)}`);
    return String(data.id);
  };
  return { ...world, sw, ask, grant };
}

/** Each surface that runs code of a skill: whose grant it needs, and the words. */
export const SURFACES: Readonly<Record<string, { readonly grantee: string; readonly words: readonly string[] }>> = {
  exec: { grantee: 'weather', words: ['exec', 'weather', 'scripts/see.py', '--yes'] },
  invoke: { grantee: 'weather', words: ['invoke', '@weather', '--yes'] },
  call: { grantee: 'talks', words: ['call', 'talks', 'see', '--yes'] },
  task: { grantee: 'bin', words: ['task', 'look', 'run python bin/see.py', '--yes'] },
  job: { grantee: 'watcher/looks', words: ['jobs', 'run', 'watcher/looks', 'see'] },
};

/** A run whose model asks for these actions and then answers. */
export function modelWords({ home }: World, ...answers: Script): string[] {
  const file = path.join(home, 'case.json');
  writeFileSync(file, JSON.stringify([...answers, answer()]));
  return ['run', 'look', '--model', `mock:${file}`, '--yes'];
}

/** How much of the variable the code saw, wherever the surface says it. */
export function seenIn({ stdout, stderr }: CliResult): number {
  const found = /sees\D{1,6}(\d+)/.exec(stdout);
  if (!found) throw new Error(stdout + stderr);
  return Number(found[1]);
}
