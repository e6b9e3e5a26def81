// What all requests of one connection share: the tools over one run, opened for the client that makes the first call.
import type { PublishedSkills } from '../app/library/public/published.ts';
import type { Skillwright } from '../app/library/public/skillwright.ts';
import type { SkillTool, Toolset, ToolsOptions } from '../app/library/public/toolset.ts';
import type { McpOrder } from '../app/serve/mcp-order.ts';
import { type OpenSteps, openSteps } from './question/open-steps.ts';
import type { RunGround } from './question/step.ts';

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
  groundFor(name: string, client: string): Promise<RunGround | undefined>;
  /** The files of the skills; that one is read is on the record of this connection. */
  filesFor(client: string): Promise<PublishedSkills>;
  readonly steps: OpenSteps;
  /** How many calls were answered. */
  calls(): number;
  close(): void;
}

type Wish = Pick<McpOrder, 'role' | 'skills' | 'readOnly'>;

/** Throws a Fault for a role or a skill that is not there. */
export async function openSession(sw: Skillwright, wish: Wish): Promise<McpSession> {
  const { role, readOnly } = wish;
  const read = wish.skills && (await Promise.all(wish.skills.map((name) => sw.read(name))));
  const skills = read?.map(({ name }) => name);
  const options: ToolsOptions = { ...(role !== undefined && { role }), ...(skills && { skills }) };
  const { instructions, files } = await sw.tools(options);
  const isOffered = ({ name }: SkillTool) => !(readOnly && name === 'run_skill');
  const steps = openSteps();
  const declined = new Set<string>();
  let calls = 0;
  let opened: Promise<Toolset> | undefined;
  // The record names the client, and nobody knows it before it calls.
  const setFor = (client: string) => (opened ??= sw.tools({ ...options, context: { agentId: client } }));
  return {
    ...{ sw, role, steps, files },
    skills: skills && new Set(skills),
    instructions: readOnly ? `${instructions.trimEnd()}\n\n${READ_ONLY}\n` : instructions,
    offered: async () => (await sw.tools(options)).tools.filter(isOffered),
    async groundFor(name, client) {
      const set = await setFor(client);
      calls += 1;
      const tool = set.tools.filter(isOffered).find((one) => one.name === name);
      return tool && { set, tool, declined, language: sw.language };
    },
    filesFor: async (client) => (await setFor(client)).files,
    calls: () => calls,
    close: () => steps.close(),
  };
}

const READ_ONLY =
  'This server only reads: `run_skill` is not offered. Follow the instructions of a skill with tools of your own.';
