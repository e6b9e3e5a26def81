// Skills beside a tool of your own, in a loop of your own, with any server that speaks the chat completions of OpenAI.
//
//   OPENAI_API_KEY=… node examples/own-tool.ts "write a price tag for the cake we have most of"
//
// OPENAI_BASE_URL and OPENAI_MODEL name another server and model.
import path from 'node:path';
import { createInterface } from 'node:readline';
import { openSkillwright, type SkillTool } from 'skillwright';

interface Message {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string | null;
  readonly tool_calls?: readonly { readonly id: string; readonly function: { name: string; arguments: string } }[];
  readonly tool_call_id?: string;
}

interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object;
  run(input: unknown): Promise<unknown>;
}

const stock: Tool = {
  name: 'stock',
  description: 'How many pieces of each cake are in the fridge.',
  inputSchema: { type: 'object', properties: {}, additionalProperties: false },
  run: async () => ({ 'Linzer torte': 3, 'Poppy seed roll': 7, Cheesecake: 14 }),
};

const terminal = createInterface({ input: process.stdin });
const typed = terminal[Symbol.asyncIterator]();
await using sw = await openSkillwright({ project: path.join(import.meta.dirname, 'bakery') });
const { tools: ours, instructions } = await sw.tools();
const tools = [stock, ...ours.map((tool): Tool => ({ ...tool, run: (input) => runWithYes(tool, input) }))];

const messages: Message[] = [
  { role: 'system', content: `You work in a bakery.\n\n${instructions}` },
  { role: 'user', content: process.argv[2] ?? 'write a price tag for the cake we have most of' },
];
for (let turn = 1; turn <= 12; turn++) {
  const message = await chat();
  messages.push(message);
  if (!message.tool_calls?.length) break;
  for (const { id, function: wanted } of message.tool_calls) {
    console.error(`> ${wanted.name} ${wanted.arguments}`);
    const result = await tools.find(({ name }) => name === wanted.name)?.run(JSON.parse(wanted.arguments));
    messages.push({ role: 'tool', tool_call_id: id, content: JSON.stringify(result ?? 'there is no such tool') });
  }
}
console.log(messages.at(-1)?.content);
terminal.close();

/** Policy says first what it would say; a yes is for this very call, with the files of the skill as they are now. */
async function runWithYes(tool: SkillTool, input: unknown): Promise<unknown> {
  const { question, approval } = await tool.decide(input);
  if (question === undefined || approval === undefined) return await tool.execute(input);
  process.stderr.write(`${question}\n[y = yes, Enter = no, or say why not] `);
  const { value: line = '' } = await typed.next();
  return await tool.execute(input, { approval: line === 'y' ? approval : { no: line || 'not now' } });
}

async function chat(): Promise<Message> {
  const { OPENAI_BASE_URL: base = 'https://api.openai.com/v1', OPENAI_API_KEY: key, OPENAI_MODEL } = process.env;
  const functions = tools.map(({ name, description, inputSchema: parameters }) => ({ name, description, parameters }));
  const response = await fetch(`${base}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: OPENAI_MODEL ?? 'gpt-5',
      messages,
      tools: functions.map((one) => ({ type: 'function', function: one })),
    }),
  });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  const answer: { choices: [{ message: Message }] } = JSON.parse(await response.text());
  return answer.choices[0].message;
}
