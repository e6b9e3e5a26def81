// The toolset of a handle: five tools over one door, so that all their calls are one run with one layer and one record.
import { readFileSync } from 'node:fs';
import { assetPath } from '../../../base/assets.ts';
import { Fault } from '../../../base/errors.ts';
import { inLanguage } from '../../../base/language.ts';
import type { Outcome } from '../../../base/outcome.ts';
import { VERSION } from '../../../base/version.ts';
import { nameFault } from '../../../door/fail.ts';
import { openTurns, type Turns } from '../../../workspace/turns.ts';
import { type Caller, openDoor } from '../../open-door.ts';
import type { Runtime } from '../../runtime.ts';
import { hasChanges } from '../../workspace/stored-layer.ts';
import { callerOf } from '../caller.ts';
import type { Handle } from '../handle.ts';
import { toCallOutcome } from '../outcome.ts';
import type { Runs } from '../public/runs.ts';
import type {
  SkillTool,
  ToolAnnotations,
  ToolCallOptions,
  ToolDecision,
  ToolResult,
  Toolset,
  ToolsOptions,
} from '../public/toolset.ts';
import { runsOf } from '../runs.ts';
import { decideRun, nothingToDecide, READING } from './decide.ts';
import { readInput, type ToolInput, textIn } from './input.ts';
import { type LeftQuestions, lookAt, lookAtOwn, rememberQuestion } from './look-at.ts';
import { publishedSkills } from './published.ts';
import { type Ground, loadSkill, offeredSkills, readResource, searchSkills } from './reading.ts';
import { callOf, noIn, resultIn, runSkill, type Undecided } from './run-skill.ts';
import { GET_OUT, input, LOAD_OUT, READ_OUT, RUN_OUT, SEARCH_OUT, skillName } from './schema.ts';

const INSTRUCTIONS = 'app/library/toolset/instructions.md';
const TEXT = { type: 'string' } as const;

export function openToolset(handle: Handle, options: ToolsOptions = {}): Toolset {
  const runtime = handle.begin();
  const caller = callerOf(options, runtime, handle);
  const door = openDoor(runtime, { ...caller, kind: 'toolset', request: 'tools', version: VERSION });
  const ground: Ground = { runtime, door, names: options.skills && new Set(options.skills) };
  const runs = runsOf(handle);
  const forget = handle.whenClosed(() => close());
  const runId = () => door.recorded()?.id;
  const turns = openTurns();
  // What is looked at and applied is not being written meanwhile, and mounted by one only.
  async function alone<Result>(work: () => Promise<Result>): Promise<Result> {
    using _turn = await turns.take();
    return await work();
  }
  async function close(): Promise<void> {
    forget();
    await door.servers.close();
    await door.workspace.close();
    door.finish(ENDED);
  }
  return {
    tools: toolsOver({ ground, caller, runs, handle, turns }),
    instructions: readFileSync(assetPath(INSTRUCTIONS), 'utf8'),
    files: publishedSkills(ground),
    runId,
    async changes() {
      const run = runId();
      return run !== undefined && hasChanges(run, runtime) ? await alone(() => runs.changes(run)) : undefined;
    },
    apply: async (wish) => await alone(() => runs.apply(runId() ?? 'latest', wish)),
    close,
  };
}

const ENDED: Outcome = {
  state: 'success',
  agent: 'skills',
  summary: 'closed',
  data: {},
  meta: { agent: 'skills', time: 0, ts: '' },
};

interface Recipe extends Pick<SkillTool, 'name' | 'description' | 'inputSchema' | 'outputSchema'> {
  readonly title: string;
  /** Absent: it only reads, and policy decides while it does. */
  readonly judge?: (given: ToolInput) => Promise<ToolDecision>;
  readonly run: (given: ToolInput, options: ToolCallOptions) => Promise<Outcome | Readonly<Record<string, unknown>>>;
}

interface ToolParts {
  readonly ground: Ground;
  readonly caller: Caller;
  readonly runs: Runs;
  readonly handle: Handle;
  readonly turns: Turns;
}

function toolsOver({ ground, caller, runs, handle, turns }: ToolParts): SkillTool[] {
  const names = offeredSkills(ground).map(({ name }) => name);
  const undecided: Undecided = new Map();
  const left: LeftQuestions = new Set();
  const { runtime } = ground;
  const recipes: Recipe[] = [
    {
      ...{ name: 'search_skills', title: 'Search skills', outputSchema: SEARCH_OUT },
      description: 'Find the skills that fit a task. Returns names, descriptions and scores, best first.',
      inputSchema: input({ query: { ...TEXT, description: 'the task, in a few words' }, limit: LIMIT }, 'query'),
      run: (given) => searchSkills(given, ground),
    },
    {
      ...{ name: 'load_skill', title: 'Load a skill', outputSchema: LOAD_OUT },
      description: 'Read the instructions of a skill, its actions or parameters, and the names of its files.',
      inputSchema: input({ name: skillName(names) }, 'name'),
      run: (given) => loadSkill(given, ground),
    },
    {
      ...{ name: 'read_skill_resource', title: 'Read a file of a skill', outputSchema: READ_OUT },
      description: 'Read one text file of a skill, or one section of it by its title.',
      inputSchema: input({ skill: skillName(names), path: PATH, section: SECTION }, 'skill', 'path'),
      run: (given) => readResource(given, ground),
    },
    {
      ...{ name: 'run_skill', title: 'Run a skill', outputSchema: RUN_OUT },
      description:
        'Run a skill in its sandbox: with `action` and `params`, with `script` and `args`, or its command with `params`. An approval of this call covers the new and changed ordinary files that it writes into the project; deletions, programs and guarded files wait.',
      inputSchema: input({ skill: skillName(names), ...RUN_FIELDS }, 'skill'),
      judge: (given) => decideRun(given, ground),
      run: async (given, options) => {
        const call = callOf(given, ground);
        using _turn = await turns.take(options.signal);
        const outcome = await handle.track(runSkill(call, ground, undecided, caller, options));
        rememberQuestion(outcome, left);
        return outcome;
      },
    },
    {
      ...{ name: 'get_run', title: 'Look at the run', outputSchema: GET_OUT },
      description:
        'What the calls of this conversation printed, which of their changes are not in the project yet, and what became of the questions they left.',
      inputSchema: input({
        runId: { ...TEXT, description: 'another run, by the `runId` of its result; this one unless given' },
      }),
      run: async (given) => {
        const other = textIn(given, 'runId');
        if (other !== undefined) return await lookAt(other, runtime, runs);
        return await lookAtOwn(ground.door.recorded()?.id, left, runtime, runs);
      },
    },
  ];
  return recipes.map((recipe) => toolOf(recipe, runtime));
}

const LIMIT = { type: 'integer', minimum: 1, maximum: 50 };
const PATH = { ...TEXT, description: 'below the folder of the skill, as load_skill lists it' };
const SECTION = { ...TEXT, description: 'the title of a section, as the outline names it' };
const RUN_FIELDS = {
  action: { ...TEXT, description: 'one of the actions that load_skill lists' },
  // Written out as a schema: some frameworks close every object that says nothing, and it could hold no parameters then.
  params: { type: 'object', description: 'parameters of the action or the command', additionalProperties: {} },
  script: { ...TEXT, description: 'a script of the skill, below its folder' },
  args: { type: 'array', items: TEXT, description: 'words for the script' },
  input: { ...TEXT, description: 'what a command works on, where it takes one thing' },
};

function toolOf({ title, judge: decideOn, run, ...facts }: Recipe, runtime: Runtime): SkillTool {
  const { inputSchema } = facts;
  return {
    ...facts,
    annotations: decideOn ? { title, ...WRITES } : { title, ...READS },
    async decide(given) {
      try {
        const read = readInput(given, inputSchema);
        return (await decideOn?.(read)) ?? READING;
      } catch (error) {
        return nothingToDecide(nameFault(error), runtime);
      }
    },
    async execute(given, options = {}) {
      try {
        if (!decideOn && noIn(options.approval)) throw new Fault('ApprovalDenied', facts.name);
        const done = await run(readInput(given, inputSchema), options);
        return isOutcome(done) ? tellOutcome(done) : { ok: true, ...done };
      } catch (error) {
        return tellFault(nameFault(error), runtime);
      }
    },
  };
}

const READS: Omit<ToolAnnotations, 'title'> = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};
const WRITES: Omit<ToolAnnotations, 'title'> = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
};

function isOutcome(done: Outcome | Readonly<Record<string, unknown>>): done is Outcome {
  return 'state' in done && 'meta' in done;
}

function tellOutcome(outcome: Outcome): ToolResult {
  const result = resultIn(outcome);
  const { document: _, meta: _meta, next, ...told } = toCallOutcome(outcome, undefined, () => null);
  return {
    ok: isDone(outcome),
    ...told,
    ...(result !== undefined ? { result } : { result: null }),
    ...(next !== undefined && { hint: next }),
  };
}

/** It did its work, whatever waits for a person afterwards. */
function isDone(outcome: Outcome): boolean {
  if (outcome.state === 'interrupted') return outcome.waitsFor === 'changes';
  return outcome.state === 'success' || outcome.state === 'partial';
}

function tellFault(fault: Fault, { language }: Runtime): ToolResult {
  const { type, code, message, hint } = fault;
  return { ok: false, error: { type, code, message, recoverable: null }, hint: inLanguage(hint, language) };
}
