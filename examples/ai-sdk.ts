// Skills for an agent of the AI SDK (https://ai-sdk.dev), version 7, with its own way of asking a person.
//
//   npm install ai @ai-sdk/openai-compatible
//   OPENAI_API_KEY=… node examples/ai-sdk.ts "write a price tag for a cheesecake"
//
// OPENAI_BASE_URL and OPENAI_MODEL name another server and model; any other provider of the AI SDK does as well.
import path from 'node:path';
import { createInterface } from 'node:readline';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { type ModelMessage, type ToolApprovalResponse, ToolLoopAgent } from 'ai';
import { skillTools } from 'skillwright/ai-sdk';

const { OPENAI_BASE_URL: baseURL = 'https://api.openai.com/v1', OPENAI_API_KEY, OPENAI_MODEL = 'gpt-5' } = process.env;
const provider = createOpenAICompatible({ name: 'openai', baseURL, ...(OPENAI_API_KEY && { apiKey: OPENAI_API_KEY }) });

// Open for as long as the conversation lasts: a yes counts only where the question was asked.
await using skills = await skillTools({ project: path.join(import.meta.dirname, 'bakery') });
const { instructions, tools, toolApproval, prepareStep } = skills;
const agent = new ToolLoopAgent({ model: provider(OPENAI_MODEL), instructions, tools, toolApproval, prepareStep });

const terminal = createInterface({ input: process.stdin });
const typed = terminal[Symbol.asyncIterator]();
const messages: ModelMessage[] = [
  { role: 'user', content: process.argv[2] ?? 'write a price tag for a cheesecake, 4.20 a piece' },
];
for (;;) {
  const { text, content, responseMessages } = await agent.generate({ messages });
  messages.push(...responseMessages);
  const answers: ToolApprovalResponse[] = [];
  for (const part of content) {
    // What policy denies is a request, too, and answered already.
    if (part.type !== 'tool-approval-request' || part.isAutomatic) continue;
    answers.push({ type: 'tool-approval-response', approvalId: part.approvalId, ...(await decide(part.reason)) });
  }
  if (answers.length === 0) {
    console.log(text);
    break;
  }
  messages.push({ role: 'tool', content: answers });
}
terminal.close();

/** A person reads the whole question; the model reads why not. */
async function decide(question = ''): Promise<{ approved: boolean; reason?: string }> {
  process.stderr.write(`${question}\n[y = yes, Enter = no, or say why not] `);
  const { value: line = '' } = await typed.next();
  return line === 'y' ? { approved: true } : { approved: false, reason: line || 'not now' };
}
