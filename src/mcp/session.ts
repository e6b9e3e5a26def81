// What all requests of one connection share: the tools over one run, opened for the client that makes the first call.
import type { Skillwright } from '../app/library/public/skillwright.ts';
import type { SkillTool, Toolset, ToolsOptions } from '../app/library/public/toolset.ts';
import type { McpOrder } from '../app/serve/mcp-order.ts';
import { type OpenSteps, openSteps } from './question/open-steps.ts';
import type { RunGround } from './question/step.ts';

export interface McpSession {
  readonly sw: Skillwright;
  readonly instructions: string;
  /** As a list shows them, in a fixed order. */
  readonly offered: readonly SkillTool[];
  /** The tool over the run of this connection; undefined for a name that is none of those offered. */
  groundFor(name: string, client: string): Promise<RunGround | undefined>;
  readonly steps: OpenSteps;
  /** How many calls were answered. */
  calls(): number;
}

type Wish = Pick<McpOrder, 'role' | 'skills' | 'readOnly'>;

/** Throws a Fault for a role or a skill that is not there. */
export async function openSession(sw: Skillwright, wish: Wish): Promise<McpSession> {
  const options = await optionsOf(wish, sw);
  const { tools, instructions } = await sw.tools(options);
  const declined = new Set<string>();
  let calls = 0;
  let opened: Promise<Toolset> | undefined;
  const isOffered = ({ name }: SkillTool) => !(wish.readOnly && name === 'run_skill');
  return {
    sw,
    instructions: wish.readOnly ? `${instructions.trimEnd()}\n\n${READ_ONLY}\n` : instructions,
    offered: tools.filter(isOffered),
    steps: openSteps(),
    async groundFor(name, client) {
      // The record names the client, and nobody knows it before it calls.
      opened ??= sw.tools({ ...options, context: { agentId: client } });
      const set = await opened;
      calls += 1;
      const tool = set.tools.filter(isOffered).find((one) => one.name === name);
      return tool && { set, tool, declined, language: sw.language };
    },
    calls: () => calls,
  };
}

const READ_ONLY =
  'This server only reads: `run_skill` is not offered. Follow the instructions of a skill with tools of your own.';

async function optionsOf({ role, skills }: Wish, sw: Skillwright): Promise<ToolsOptions> {
  const read = skills && (await Promise.all(skills.map((name) => sw.read(name))));
  return { ...(role !== undefined && { role }), ...(read && { skills: read.map(({ name }) => name) }) };
}
