// `openSkillwright`: the product as a library, one handle a project; what is loaded late is loaded by the call that needs it.
import { availableParallelism } from 'node:os';
import { findTool } from '../../tools/list.ts';
import { openTurns } from '../../workspace/turns.ts';
import { createRuntime } from '../runtime.ts';
import { driveFromCode } from './agent-run.ts';
import { evalsOf } from './evals.ts';
import { explainTo } from './explain.ts';
import { grantsOf } from './grants.ts';
import { type Handle, openHandle } from './handle.ts';
import { jobsOf } from './jobs.ts';
import { checkModel } from './model.ts';
import { callAction, execByPath, invokeByName } from './perform.ts';
import type { CallerPolicy, OpenOptions } from './public/options.ts';
import type { Skillwright } from './public/skillwright.ts';
import { answerSaved, openQuestions } from './questions.ts';
import { runsOf } from './runs.ts';
import { catalogFor, listAll, readInstructions, readOneResource, searchFor } from './skills.ts';
import { requireFolder, requireLanguage, requireText, wrongUse } from './wrong-use.ts';

const WAITING = 10_000;

/**
 * Opens a project: its skills, under the settings of the user, with what the program adds. Two handles share nothing.
 * Throws a Fault for options that are none.
 * @example
 * await using sw = await openSkillwright({ project: '.' });
 * for (const { name, description } of await sw.skills()) console.log(name, description);
 */
export async function openSkillwright(options: OpenOptions = {}): Promise<Skillwright> {
  const { ask, model, policy = {}, concurrency = 2 * availableParallelism(), ...where } = options;
  if (ask !== undefined && typeof ask !== 'function') throw wrongUse('ask', 'a function');
  if (!(concurrency >= 1)) throw wrongUse('concurrency', 'a number above 0');
  checkModel(model);
  const tightening = readPolicy(policy);
  const { project, home, env, language } = where;
  requireFolder('project', project);
  requireLanguage(language);
  const opened = await createRuntime({
    ...(project !== undefined && { project }),
    ...(home !== undefined && { home }),
    ...(env && { env }),
    ...(language && { language }),
  });
  const turns = openTurns({ atOnce: Math.floor(concurrency), waiting: WAITING });
  const handle = openHandle(opened.derive({ turns, ...(Object.keys(tightening).length > 0 && { tightening }) }), {
    ask,
    model,
  });
  return {
    ...{ project: opened.project, home: opened.home, language: opened.language },
    skills: (wish) => listAll(handle, wish),
    search: (text, wish) => searchFor(handle, text, wish),
    catalog: (request, wish) => catalogFor(handle, request, wish),
    read: (name, wish) => readInstructions(handle, name, wish),
    readResource: (name, path, section) => readOneResource(handle, name, path, section),
    explain: (call) => explainTo(handle, call),
    call: (...asked) => callAction(handle, ...asked),
    invoke: (...asked) => invokeByName(handle, ...asked),
    exec: (...asked) => execByPath(handle, ...asked),
    run: (request, runOptions = {}) => runFromCode(handle, request, runOptions),
    questions: () => openQuestions(handle),
    answer: (...asked) => answerSaved(handle, ...asked),
    changes: (run) => runsOf(handle).changes(run),
    tools: async (wish) => (await import('./toolset/open.ts')).openToolset(handle, wish),
    grants: grantsOf(handle),
    runs: runsOf(handle),
    jobs: jobsOf(handle),
    evals: evalsOf(handle),
    close: () => handle.close(),
    [Symbol.asyncDispose]: () => handle.close(),
  };
}

function runFromCode(
  handle: Handle,
  request: string,
  options: NonNullable<Parameters<Skillwright['run']>[1]>,
): ReturnType<Skillwright['run']> {
  requireText('request', request);
  const { skills = [], source } = options;
  return driveFromCode(handle, options, async (runtime, order) => {
    const { runRequest } = await import('../run/start.ts');
    return await runRequest(runtime, { text: request, skills, source }, order);
  });
}

/** A name that nobody knows would restrict nothing, and its author would never learn of it. */
function readPolicy(policy: CallerPolicy): CallerPolicy {
  for (const list of ['requireApprovalFor', 'denied'] as const)
    for (const name of policy[list] ?? [])
      if (!findTool(name)) throw wrongUse(`policy.${list}`, `names of tools, and ${name} is none`);
  if (policy.default !== undefined && policy.default !== 'deny') throw wrongUse('policy.default', "'deny'");
  if (policy.ask !== undefined && policy.ask !== 'each') throw wrongUse('policy.ask', "'each'");
  return policy;
}
