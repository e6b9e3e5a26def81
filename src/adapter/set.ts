// What every adapter opens: one toolset of the library, over a handle of its own or of the program, and how it ends.
import {
  Fault,
  type OpenOptions,
  openSkillwright,
  type SkillTool,
  type SkillToolName,
  type Skillwright,
  type Toolset,
  type ToolsOptions,
} from '../index.ts';
import { type Answers, openAnswers } from './answers.ts';

/** Where the tools work and for whom: as `openSkillwright` and `tools` of the library take it. */
export interface SkillToolsOptions extends OpenOptions, ToolsOptions {
  /** A handle that is open already; it stays open. In place of `project`, `home`, `env`, `language` and `policy`. */
  readonly skillwright?: Skillwright;
}

/** What the tools of every framework bring beside themselves. */
export interface SkillToolsSet extends Pick<Toolset, 'instructions' | 'runId' | 'changes' | 'apply'>, AsyncDisposable {
  /** Ends the run of the tools: a question without an answer counts as no, what waits stays for `sw.runs.apply`. */
  close(): Promise<void>;
}

export interface OpenedSet {
  readonly toolset: Toolset;
  readonly answers: Answers;
  /** As the program gets it, beside the tools. */
  readonly shared: SkillToolsSet;
}

/** Throws a Fault for options that are none. */
export async function openSet(options: SkillToolsOptions): Promise<OpenedSet> {
  const { skillwright } = options;
  if (skillwright) requireAlone(options);
  const sw = skillwright ?? (await openSkillwright(options));
  try {
    const toolset = await sw.tools(options);
    const answers = openAnswers();
    const { instructions, runId, changes, apply } = toolset;
    const close = async () => {
      await answers.close();
      await toolset.close();
      if (!skillwright) await sw.close();
    };
    return { toolset, answers, shared: { instructions, runId, changes, apply, close, [Symbol.asyncDispose]: close } };
  } catch (error) {
    if (!skillwright) await sw.close();
    throw error;
  }
}

/** Each tool under its name. */
export function byName<Made>(
  tools: readonly SkillTool[],
  make: (tool: SkillTool) => Made,
): Record<SkillToolName, Made> {
  const named = (name: SkillToolName): Made => {
    const tool = tools.find((one) => one.name === name);
    if (!tool) throw new Error(`the toolset lacks ${name}`);
    return make(tool);
  };
  return {
    search_skills: named('search_skills'),
    load_skill: named('load_skill'),
    read_skill_resource: named('read_skill_resource'),
    run_skill: named('run_skill'),
    get_run: named('get_run'),
  };
}

/** An option that has no effect would be noticed by nobody, least of all a policy. */
function requireAlone(options: SkillToolsOptions): void {
  for (const name of ['project', 'home', 'env', 'language', 'model', 'policy', 'concurrency'] as const) {
    if (options[name] === undefined) continue;
    const why = { en: `${name} belongs to openSkillwright`, zh: `${name} 属于 openSkillwright` };
    throw new Fault('Usage', why, {
      hint: { en: 'Give it there, or leave skillwright out.', zh: '请在那里指定，或去掉 skillwright。' },
    });
  }
}
