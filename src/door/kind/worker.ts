// `run_worker`: a script of the project's bin/. All of bin/ counts as its files: any change there is another digest.

import { lstatSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../../base/errors.ts';
import { type Answering, type EndedScript, makeOutcome, type Outcome } from '../../base/outcome.ts';
import { isInside, realPath } from '../../base/paths.ts';
import { visible } from '../../base/text.ts';
import { absolutePath } from '../../base/value/absolute-path.ts';
import { excerptOf } from '../../process/excerpt.ts';
import type { SkillEntry } from '../../registry/discover.ts';
import { digestSkill } from '../../skill/digest.ts';
import { skillIdOf } from '../../skill/skill-id.ts';
import { runScript } from '../../tools/run-script.ts';
import type { RunWorker } from '../call.ts';
import type { Door } from '../door.ts';
import type { Executed } from '../executed.ts';
import { concludeFailure, sandboxOf, textOf } from '../output/conclude.ts';
import { namedOutputs } from '../output/name.ts';
import { networkHint } from '../output/refused-network.ts';
import { faultOf, isExplained } from '../output/verdict.ts';
import { secondsFor, type Work } from '../work.ts';

/** Where a script puts its question, and the host looks for it. */
export const INTERRUPT_FILE = 'langgraph_interrupt.json';

export function understandWorker(call: RunWorker, door: Door): Work {
  const { project } = door.places;
  const script = findScript(call.script, project);
  const bin = workerFolder(project);
  const words = [call.interpreter, call.script, ...call.args];
  return {
    tool: runScript.name,
    skill: bin,
    digest: digestSkill(bin.folder).digest,
    args: { interpreter: call.interpreter, script: call.script, args: [...call.args], stdin: call.stdin ?? null },
    words,
    asked: { tool: runScript.name, script: call.script, argv: words.slice(1), network: false },
    granted: { script: call.script, argv: call.args },
    allowances: [],
    origin: 'skill',
    program: { script, args: call.args, interpreter: call.interpreter },
    cwd: project,
    ...(call.stdin !== undefined && { stdin: call.stdin }),
    seconds: secondsFor(call, undefined, 'script', door),
    secrets: [],
    network: false,
    files: [],
    output: { folder: door.folders.output, names: namedOutputs(call.args, door.folders.output, door) },
    question: INTERRUPT_FILE,
    ...(call.tag !== undefined && { tag: call.tag }),
    counts: false,
    conclude: (executed, by) => conclude(call.script, executed, by),
  };
}

/** bin/ as the door sees folders of code: no skill, but snapshot, grant and record work alike. */
export function workerFolder(project: string): SkillEntry {
  const folder = absolutePath(path.join(project, 'bin'));
  return {
    skillId: skillIdOf('project', 'bin'),
    name: 'bin',
    folderName: 'bin',
    source: 'project',
    root: project,
    folder,
    file: folder,
    kind: 'command',
    manifest: {
      name: 'bin',
      description: '',
      disableModelInvocation: true,
      userInvocable: false,
      runMode: 'inline',
      network: false,
      deterministic: true,
    },
    state: 'visible',
    diagnostics: [],
  };
}

/** The path below bin/ of a plain file that really lies there; throws a Fault otherwise. */
export function findScript(written: string, project: string): string {
  const folder = path.join(realPath(project) ?? project, 'bin');
  const file = path.join(folder, path.relative('bin', written));
  const stats = lstatSync(file, { throwIfNoEntry: false });
  const isThere = stats?.isFile() === true && isInside(folder, file) && realPath(file) === file;
  if (!isThere) throw new Fault('ScriptNotFound', visible(written), { details: { check: 'script', script: written } });
  // Root can read everything; a file that nobody may read is still not meant to be run.
  if ((stats.mode & 0o444) === 0)
    throw new Fault('PermissionDenied', visible(written), { details: { check: 'readable', script: written } });
  return path.relative(folder, file);
}

/** What the script itself said is judged by whoever asked for it; here are only the facts. */
function conclude(script: string, executed: Executed, by: Answering): Outcome {
  const { ended, outputs, asked } = executed;
  const facts = {
    exit: ended.exit,
    stdout: textOf(ended.stdout),
    ...(outputs.copied.length > 0 && { outputs: outputs.copied }),
    ...(outputs.refused.length > 0 && { refused: outputs.refused }),
    ...(asked !== undefined && { interrupt: asked }),
  };
  const product = { script: endedScript(executed), refused: outputs.refused };
  const failure = concludeFailure(script, executed, by, facts);
  if (failure) return { ...failure, product };
  const data = { ...facts, stderr: excerptOf(ended.stderr), sandbox: sandboxOf(executed) };
  const shown = visible(script);
  return makeOutcome(by, 'success', { en: `ran ${shown}`, zh: `执行成功: ${shown}` }, data, { product });
}

function endedScript(executed: Executed): EndedScript {
  const { ended, outputs, asked, seconds } = executed;
  const fault = faultOf(ended, seconds);
  const hint = fault?.type === 'RuntimeFailed' ? networkHint(executed) : undefined;
  return {
    exit: ended.exit,
    stdout: (fault && excerptOf(ended.stdout)) || textOf(ended.stdout),
    stderr: ended.unstarted === undefined ? excerptOf(ended.stderr) : '',
    ...(asked !== undefined && { interrupt: asked }),
    isExplained: fault !== undefined && isExplained(fault),
    ...(hint && { hint }),
    facts: {
      sandbox: sandboxOf(executed, hint !== undefined),
      ...(outputs.copied.length > 0 && { outputs: outputs.copied }),
      ...(outputs.refused.length > 0 && { refused: outputs.refused }),
    },
  };
}
