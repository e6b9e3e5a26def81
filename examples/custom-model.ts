// A model of your own is an object with one method: messages and a JSON Schema in, text and what it cost out.
//
//   ollama pull qwen3 && node examples/custom-model.ts "what stands out in orders.csv"
//
// This one asks Ollama (https://ollama.com) on your machine, whose answers keep to the schema. OLLAMA_HOST says where it is.
import path from 'node:path';
import { type Model, openSkillwright } from 'skillwright';

interface Answer {
  readonly message?: { readonly content?: string };
  readonly prompt_eval_count?: number;
  readonly eval_count?: number;
  readonly error?: string;
}

function ollama(name: string, host = process.env.OLLAMA_HOST ?? 'http://127.0.0.1:11434'): Model {
  return {
    name,
    provider: 'ollama',
    async decide({ messages, schema, signal = null }) {
      const body = JSON.stringify({ model: name, messages, format: schema, stream: false });
      const response = await fetch(`${host}/api/chat`, { method: 'POST', body, signal });
      const answer: Answer = JSON.parse(await response.text());
      // Whatever is thrown here ends the run with an outcome that says it.
      if (!response.ok) throw new Error(`${host}: ${response.status} ${answer.error}`);
      return {
        text: answer.message?.content ?? '',
        usage: { inputTokens: answer.prompt_eval_count ?? 0, outputTokens: answer.eval_count ?? 0, cost: 0 },
      };
    },
  };
}

const [request = 'what stands out in orders.csv', name = 'qwen3'] = process.argv.slice(2);
await using sw = await openSkillwright({ project: path.join(import.meta.dirname, 'bakery'), model: ollama(name) });
const outcome = await sw.run(request, { budget: { turns: 8, seconds: 300 } }).outcome;
if (outcome.state === 'success') console.log(`${outcome.result.answer}\n(${outcome.result.tokens} tokens)`);
else console.error(outcome.summary);
process.exitCode = outcome.state === 'success' ? 0 : 1;
