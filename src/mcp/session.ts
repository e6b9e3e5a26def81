// What all requests of one connection share: the tools over one run, opened for the client that makes the first call.
import type { PublishedSkills } from '../app/library/public/published.ts';
import type { Skillwright } from '../app/library/public/skillwright.ts';
import type { SkillTool, Toolset, ToolsOptions } from '../app/library/public/toolset.ts';
import type { McpOrder } from '../app/serve/mcp-order.ts';
import { type OpenSteps, openSteps } from './question/open-steps.ts';
import type { RunGround } from './question/step.ts';
import { openWorkspaces } from './workspaces.ts';

export interface McpSession {
  readonly sw: Skillwright;
  readonly role: string | undefined;
  /** Only these; all unless given. */
  readonly skills: ReadonlySet<string> | undefined;
  readonly instructions: string;
  /** What there is to list, whoever asks. */
  readonly files: PublishedSkills;
  /** As a list shows them, in a fixed order, with the skills there are now. */
  offered(): Promise<readonly SkillTool[]>;
  /** The tool over the run of this connection; undefined for a name that is none of those offered. */
  groundFor(name: string, client: string, workspace: string | undefined): Promise<RunGround | undefined>;
  /** Requests belong to no connection: they name the workspace they go on in. */
  readonly byWorkspace: boolean;
  /** The files of the skills; that one is read is on the record of this connection. */
  filesFor(client: string): Promise<PublishedSkills>;
  readonly steps: OpenSteps;
  /** How many calls were answered. */
  calls(): number;
  close(): void;
}

type Wish = Pick<McpOrder, 'role' | 'skills' | 'readOnly'>;

/** Throws a Fault for a role or a skill that is not there. */
export async function openSession(sw: Skillwright, wish: Wish, byWorkspace: boolean): Promise<McpSession> {
  const { role, readOnly } = wish;
  const read = wish.skills && (await Promise.all(wish.skills.map((name) => sw.read(name))));
  const skills = read?.map(({ name }) => name);
  const options: ToolsOptions = { ...(role !== undefined && { role }), ...(skills && { skills }) };
  const { instructions, files } = await sw.tools(options);
  const isOffered = ({ name }: SkillTool) => !(readOnly && name === 'run_skill');
  const steps = openSteps();
  const workspaces = openWorkspaces();
  const declined = new Set<string>();
  let calls = 0;
  const opened = new Map<string, Promise<Toolset>>();
  // The record names the client, and nobody knows it before it calls.
  const open = (client: string) => sw.tools({ ...options, context: { agentId: client } });
  const setFor = (client: string): Promise<Toolset> => {
    const [first = client] = opened.keys();
    const hasOwn = opened.has(client) || (byWorkspace && opened.size < MOST_CLIENTS);
    const key = hasOwn ? client : first;
    const set = opened.get(key) ?? open(key);
    opened.set(key, set);
    return set;
  };
  return {
    ...{ sw, role, steps, files, byWorkspace },
    skills: skills && new Set(skills),
    instructions: [instructions.trimEnd(), readOnly && READ_ONLY, byWorkspace && !readOnly && BY_WORKSPACE]
      .filter(Boolean)
      .join('\n\n'),
    offered: async () => (await sw.tools(options)).tools.filter(isOffered),
    async groundFor(name, client, workspace) {
      calls += 1;
      const isNamed = byWorkspace && IN_WORKSPACE.has(name);
      const isWanted = isNamed && (name === 'run_skill' || workspace !== undefined);
      const found = isWanted ? await workspaces.find(workspace, () => open(client)) : undefined;
      const set = found?.set ?? (await setFor(client));
      const tool = set.tools.filter(isOffered).find((one) => one.name === name);
      if (!tool) return undefined;
      const ground = { set, tool, declined: found?.declined ?? declined, language: sw.language };
      if (!found) return ground;
      const { execute } = tool;
      const held: SkillTool = { ...tool, execute: (...given) => found.hold(() => execute(...given)) };
      return { ...ground, tool: held, workspace: found.id };
    },
    filesFor: async (client) => (await setFor(client)).files,
    calls: () => calls,
    close: () => steps.close(),
  };
}

/** Over HTTP each client that reads has a record of its own, as long as there are few. */
const MOST_CLIENTS = 16;

/** Whose calls belong together. */
export const IN_WORKSPACE: ReadonlySet<string> = new Set(['run_skill', 'get_run']);

const BY_WORKSPACE =
  'Results of `run_skill` name a `workspace`. Give it with every later `run_skill` and `get_run` of the same work: they see the same files.';
const READ_ONLY =
  'This server only reads: `run_skill` is not offered. Follow the instructions of a skill with tools of your own.';
