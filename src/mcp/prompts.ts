// Skills of instructions as prompts, which clients offer to people as slash commands: their text, with what was written behind the name.
import { type GetPromptResult, type Prompt, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { SkillInfo } from '../app/library/public/skills.ts';
import { promptText } from '../app/serve/prompt-text.ts';
import { visible } from '../base/text.ts';
import type { McpSession } from './session.ts';

const INPUT = 'input';

export async function listPrompts(session: McpSession): Promise<Prompt[]> {
  return (await promptSkills(session)).map(({ name, description }) => ({
    ...{ name, description },
    arguments: [{ name: INPUT, description: 'what it is to be used for', required: false }],
  }));
}

interface Asked {
  readonly name: string;
  readonly arguments?: Readonly<Record<string, string>> | undefined;
}

export async function getPrompt(
  { name, arguments: given = {} }: Asked,
  client: string,
  session: McpSession,
): Promise<GetPromptResult> {
  const skill = (await promptSkills(session)).find((one) => one.name === name);
  if (!skill) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no prompt ${visible(name)}`);
  const { sw, role } = session;
  const context = { agentId: client };
  const outcome = await sw.invoke(name, given[INPUT] ?? '', { context, ...(role !== undefined && { role }) });
  const text = outcome.state === 'success' ? outcome.result.content : undefined;
  if (text === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, outcome.summary);
  return {
    description: skill.description,
    messages: [{ role: 'user', content: { type: 'text', text: promptText(text) } }],
  };
}

/** Those that people may use, though a model may not choose some of them. */
async function promptSkills({ sw, skills }: McpSession): Promise<SkillInfo[]> {
  const all = await sw.skills();
  return all.filter(({ kind, name }) => kind === 'prompt' && (skills?.has(name) ?? true));
}
