// How `task` is called; apart from what it does, so that a stored answer needs nothing else.
import { Fault } from '../../../base/errors.ts';
import type { Text } from '../../../base/language.ts';
import { visible } from '../../../base/text.ts';
import { APPLY_OPTION } from '../../frame/change/apply-option.ts';
import type { Command } from '../../frame/command.ts';
import { ASK_OPTION } from '../../frame/question/ask-option.ts';

const WORKER = 'worker_agent';

export interface TaskWords {
  readonly description: string;
  readonly prompt: string;
  readonly key?: string;
}

/** Two words, or three or four with the agent in front. Throws a Fault where others stand there. */
export function readTaskWords(words: readonly string[]): TaskWords {
  const [first = '', second = '', third, fourth] = words;
  if (third === undefined) return { description: first, prompt: second };
  if (first !== WORKER) {
    throw tooMany(third, {
      en: `Put the description and the prompt in quotes, each as one argument; only ${WORKER} can stand before them.`,
      zh: `任务摘要与指令请各自加引号；其前只能写 ${WORKER}。`,
    });
  }
  if (fourth === undefined) return { description: second, prompt: third };
  return { description: second, prompt: third, key: readKey(fourth) };
}

/** As JSON, or as the signature of the protocol writes it: without quotes around the name. */
const KEY = /^\{\s*"?idempotency_key"?\s*:\s*"([^"\\]+)"\s*\}$/;

function readKey(written: string): string {
  const [, key] = KEY.exec(written.trim()) ?? [];
  if (key !== undefined) return key;
  throw tooMany(written, {
    en: 'Behind the prompt only {"idempotency_key": "…"} can stand; --key KEY says the same.',
    zh: '指令之后只能写 {"idempotency_key": "…"}，等同于 --key KEY。',
  });
}

function tooMany(word: string, hint: Text): Fault {
  const shown = visible(word);
  return new Fault('Usage', { en: `one argument too many: ${shown}`, zh: `多余的参数: ${shown}` }, { hint });
}

export const usage: Omit<Command, 'run'> = {
  about: {
    en: 'The prompt is `run python bin/<script> [args…]` (python, node, bash), one script a line. The folder must be trusted; a script needs a yes or a grant, unless it is one that `init` wrote, unchanged. The result is in the answer: there is no task id. With --key, any number of calls run once and share the result, also for 5 s afterwards. Usual keys: skill-list, skill-search:<keyword>, scan-skills.',
    zh: '指令为 `执行 python bin/<脚本> [参数…]`（python、node、bash），每行一个脚本。目录须受信任；脚本须经批准或授权，`init` 写入且未改动的除外。结果即在返回值中，没有任务 id。使用 --key 时，任意多次调用只执行一次并共享结果，结束后 5 秒内亦然。常用键: skill-list、skill-search:<关键词>、scan-skills。',
  },
  positionals: [
    {
      name: 'description',
      required: true,
      summary: { en: 'what it is about, 3 to 5 words', zh: '任务摘要，3–5 个词' },
    },
    { name: 'prompt', required: true, summary: { en: 'what to run', zh: '完整执行指令' } },
    {
      name: 'third',
      summary: {
        en: 'where worker_agent is the first of three, they are the agent, the description and the prompt',
        zh: '首个参数为 worker_agent 时，三个参数依次为智能体、任务摘要、执行指令',
      },
    },
    {
      name: 'fourth',
      summary: {
        en: 'behind these three, {"idempotency_key": "…"} says what --key says',
        zh: '三者之后可写 {"idempotency_key": "…"}，等同于 --key',
      },
    },
  ],
  options: [
    {
      name: 'key',
      value: 'KEY',
      summary: { en: 'idempotency key: the same one runs once', zh: '幂等键: 相同键仅执行一次' },
    },
    { name: 'fresh', summary: { en: 'do not take a stored result', zh: '不使用已存结果' } },
    APPLY_OPTION,
    ASK_OPTION,
    { name: 'private', summary: { en: 'keep no text in the record, only hashes', zh: '记录中只保留哈希，不保留文本' } },
  ],
  examples: [
    'skillwright task "list all skills" "run python bin/skill_manager.py list" --key skill-list',
    'skillwright task "列出技能" "执行 python bin/skill_manager.py list"',
    'skillwright task worker_agent "列出技能" "执行 python bin/skill_manager.py list"',
  ],
};
