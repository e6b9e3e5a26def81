// Attempts on the record of runs: lines rewritten, texts deleted, another project's run, secrets in pieces.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { startRun } from '../../audit/run-folder.ts';
import { systemClock } from '../../base/clock.ts';
import { copyTree, removeTree } from '../../base/files.ts';
import { sha256 } from '../../base/ids.ts';
import { isRecord, jsonIfValid } from '../../base/json.ts';
import { VERSION } from '../../base/version.ts';
import { spellTier } from '../../policy/tier.ts';
import type { GuardAttempts } from './attempt.ts';
import { type Project, SECRET, type Stage, skillFiles, wasDone } from './stage.ts';

export const ON_RECORD: GuardAttempts = {
  'rewrite-killed-run': { threat: 99, getsThrough: rewriteKilledRun },
  'delete-texts': { threat: 99, getsThrough: deleteTexts },
  'run-of-other-project': { threat: 99, getsThrough: runOfOtherProject },
  'secret-in-halves': { threat: 79, getsThrough: secretInHalves },
  'secret-in-name': { threat: 79, getsThrough: secretInName },
};

/** A run that never came to its end; whoever has no key can still number its lines anew and link them. */
async function rewriteKilledRun(stage: Stage): Promise<boolean> {
  const project = stage.project('rewrite-killed-run');
  const run = startRun({
    project: project.folder,
    home: stage.home,
    clock: systemClock,
    kind: 'run',
    request: 'work',
    version: VERSION,
    context: { request_id: 'killed', agent_id: null, user_id: null },
  });
  run.record({ type: 'state', from: 'Init', to: 'Decide' });
  run.record({ type: 'state', from: 'Decide', to: 'Final' });
  run.close('running');
  await project.must('runs', 'verify');
  const log = path.relative(project.folder, path.join(run.folder, 'events.jsonl'));
  project.plant({ [log]: relinkWithout(readFileSync(path.join(run.folder, 'events.jsonl'), 'utf8'), 1) });
  return wasDone(await project.ask('runs', 'verify'), 'CheckFailed');
}

function relinkWithout(text: string, dropped: number): string {
  const lines = text.trimEnd().split('\n');
  let { prev } = eventIn(lines[0] ?? '');
  const linked = lines.toSpliced(dropped, 1).map((line, seq) => {
    const relinked = JSON.stringify({ ...eventIn(line), seq, prev });
    prev = sha256(relinked);
    return `${relinked}\n`;
  });
  return linked.join('');
}

function eventIn(line: string): Record<string, unknown> {
  const value = jsonIfValid(line);
  if (!isRecord(value)) throw new Error('the log has a line that is no event');
  return value;
}

async function deleteTexts(stage: Stage): Promise<boolean> {
  const project = await openRecorded(stage, 'delete-texts');
  removeTree(path.join(project.folder, runOf(project), 'observations'));
  return wasDone(await project.ask('runs', 'verify'), 'CheckFailed');
}

async function runOfOtherProject(stage: Stage): Promise<boolean> {
  const [from, to] = [await openRecorded(stage, 'recorded-elsewhere'), stage.project('run-of-other-project')];
  const run = runOf(from);
  // The folder of runs comes with it.
  copyTree(path.dirname(path.join(from.folder, run)), path.dirname(path.join(to.folder, run)));
  return wasDone(await to.ask('runs', 'verify'), 'CheckFailed');
}

/** A project in which something ran, and whose record verifies. */
async function openRecorded(stage: Stage, name: string): Promise<Project> {
  const project = stage.project(name, skillFiles('speaks', 'command: sh scripts/main.sh\n', 'echo done\n'));
  await project.must('invoke', 'speaks', '--yes');
  await project.must('runs', 'verify');
  return project;
}

/** The folder of its only run, below the project. */
function runOf({ folder }: Project): string {
  const runs = path.join('.agent', 'runs');
  const [id] = readdirSync(path.join(folder, runs)).filter((name) => !name.startsWith('.'));
  if (id === undefined) throw new Error('nothing was recorded');
  return path.join(runs, id);
}

/** Neither stream holds the whole secret; what is kept of both might. */
async function secretInHalves(stage: Stage): Promise<boolean> {
  const project = await leak(stage, 'secret-in-halves', 'printf %.9s "$t"; printf %s "$t" | tail -c +10 >&2\n');
  const run = path.join(project.folder, runOf(project));
  const files = readdirSync(run, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const kept = files.map(({ parentPath, name }) => readFileSync(path.join(parentPath, name), 'utf8')).join('\n');
  if (!kept.includes(SECRET.value) && !kept.includes('[redacted]'))
    throw new Error('nothing of the secret was printed');
  return kept.includes(SECRET.value);
}

async function secretInName(stage: Stage): Promise<boolean> {
  const project = await leak(
    stage,
    'secret-in-name',
    'echo x > "$SKILL_OUTPUT_DIR/$t.txt"; echo x > "$SKILL_OUTPUT_DIR/x"\n',
  );
  const results = readdirSync(path.join(project.folder, 'mybox', 'output'));
  if (!results.includes('x')) throw new Error('no result was delivered');
  return results.some((name) => name.includes(SECRET.value));
}

/** Runs a skill that was given the secret, as `t`. */
async function leak(stage: Stage, name: string, script: string): Promise<Project> {
  const fields = `secrets: [${SECRET.name}]\ncommand: sh scripts/main.sh\n`;
  const project = stage.project(name, skillFiles('leaks', fields, `t=$${SECRET.name}\n${script}`));
  await project.must('grants', 'add', 'leaks', '--variable', SECRET.name, '--tier', spellTier(1));
  await project.must('invoke', 'leaks', '--yes');
  return project;
}
