// What a task may say: which scripts of bin/ run with which words, one a line; everything else is refused by name.
import path from 'node:path';
import { Fault } from '../base/errors.ts';
import { isRecord, isTextList } from '../base/json.ts';
import type { Text } from '../base/language.ts';
import { visible } from '../base/text.ts';
import { refuse } from './refuse.ts';
import { splitLines, splitWords, type Word } from './words.ts';

export interface ScriptOrder {
  readonly interpreter: InterpreterName;
  /** Below the project: `bin/x.py`. */
  readonly script: string;
  readonly args: readonly string[];
  /** What it prints is not wanted. */
  readonly quiet: boolean;
}

const INTERPRETERS = ['python', 'node', 'bash'] as const;
export type InterpreterName = (typeof INTERPRETERS)[number];

/** Whether what a store gave back is an order. */
export function isScriptOrder(value: unknown): value is ScriptOrder {
  if (!isRecord(value)) return false;
  const { interpreter, script, args, quiet } = value;
  const isKnown = INTERPRETERS.some((name) => name === interpreter);
  return isKnown && typeof script === 'string' && isTextList(args) && typeof quiet === 'boolean';
}

const SPELLINGS: Readonly<Record<string, InterpreterName>> = { python3: 'python', nodejs: 'node', sh: 'bash' };

const LINE_LIMIT = 64 * 1024;
const SCRIPT_LIMIT = 100;

/** Throws a Fault that names the check; nothing has been looked at on disk yet. */
export function parsePrompt(prompt: string): ScriptOrder[] {
  const lines = splitLines(prompt)
    .map(trimLine)
    .filter((line) => line !== '' && !line.startsWith('#'));
  if (lines.length === 0) throw refuse('prompt', { en: 'the prompt is empty', zh: '指令为空' }, FORM);
  if (lines.length > SCRIPT_LIMIT)
    throw refuse('grammar', { en: `more than ${SCRIPT_LIMIT} scripts`, zh: `脚本超过 ${SCRIPT_LIMIT} 个` });
  return lines.map(parseLine);
}

// Lists and code marks are how people and models write such lines.
function trimLine(line: string): string {
  const plain = line.trim().replace(/^(?:[-*•]|\d{1,3}[.)、])\s+/, '');
  return plain.replace(/^(执行|run|execute)?\s*[:：]?\s*`([^`]*)`[。.]?$/i, '$1 $2').trim();
}

function parseLine(line: string): ScriptOrder {
  if (line.length > LINE_LIMIT) throw refuse('grammar', { en: 'the line is too long', zh: '指令过长' });
  const command = line.replace(/^(?:执行|运行|run\b|execute\b)\s*[:：]?\s*/i, '');
  refuseOtherWork(line, command);
  const [first, ...rest] = splitWords(command);
  const interpreter = interpreterOf(first);
  if (interpreter === undefined) throw notUnderstood(line);
  refuseInlineCode(rest);
  const { words, quiet } = takeRedirections(rest);
  const [script, ...args] = words;
  if (script === undefined) throw notUnderstood(line);
  return { interpreter, script: checkPlace(script.text), args: args.map(({ text }) => text), quiet };
}

const SKILL = /^(?:运行技能|执行技能|(?:run|use|invoke)\s+(?:the\s+)?skill\b|@)\s*[:：]?\s*@?(\S*)/i;
const CREATION =
  /^(?:请)?(?:创建|新建|编写|写一?个?|生成|添加|修改)|^(?:please\s+)?(?:create|write|generate|make|add|author|modify)\b|^(?:cat|echo|printf|tee|touch)\b.*>|^touch\b/i;

/** Work that belongs elsewhere: a skill to `invoke`, code to whoever writes code. */
function refuseOtherWork(line: string, command: string): void {
  const skill = SKILL.exec(line);
  if (skill) throw notASkill(skill[1] ?? '');
  if (CREATION.test(command) || CREATION.test(line))
    throw refuse(
      'code-creation',
      { en: 'a task runs scripts, it does not create code', zh: '任务只执行脚本，禁止创建代码' },
      { en: 'Put the script into bin/ yourself, then run it.', zh: '请自行将脚本放入 bin/，然后执行。' },
    );
}

function interpreterOf(word: Word | undefined): InterpreterName | undefined {
  const name = word?.text.toLowerCase() ?? '';
  return INTERPRETERS.find((known) => known === name) ?? SPELLINGS[name];
}

/** `-c`, `-e` and their like, glued or not; options of an interpreter have no place here at all. */
function refuseInlineCode([next]: readonly Word[]): void {
  if (next === undefined || !next.text.startsWith('-')) return;
  const shown = visible(next.text);
  throw refuse(
    'inline-code',
    { en: `${shown} is not allowed: only files in bin/ are run`, zh: `禁止使用 ${shown}: 只能执行 bin/ 中的文件` },
    { en: 'Put the code into a script in bin/.', zh: '请将代码写入 bin/ 中的脚本。' },
  );
}

interface Redirected {
  readonly words: readonly Word[];
  readonly quiet: boolean;
}

/** `> /dev/null` is understood, `2>&1` means nothing without a shell; no other operator is. */
function takeRedirections(all: readonly Word[]): Redirected {
  const words: Word[] = [];
  let quiet = false;
  for (let at = 0; at < all.length; at++) {
    const word = all[at] as Word;
    if (word.quoted || !/^(?:[0-9]*>|&>|<|\||&|;|\$\(|`)/.test(word.text)) words.push(word);
    else if (!/^[0-9]*>&[0-9-]$/.test(word.text)) {
      const target = all[++at];
      checkTarget(word.text, target?.text);
      quiet ||= !word.text.startsWith('2');
    }
  }
  return { words, quiet };
}

function checkTarget(operator: string, target: string | undefined): void {
  const isOut = /^(?:[0-9]*>>?|&>>?)$/.test(operator);
  if (isOut && target === '/dev/null') return;
  if (isOut && target !== undefined && /^nul$/i.test(target))
    throw refuse('nul', {
      en: '`> nul` makes a file called nul; write `> /dev/null`',
      zh: '禁用 `> nul`，请使用 `> /dev/null`',
    });
  const shown = visible([operator, target ?? ''].join(' ').trim());
  throw refuse(
    'shell',
    { en: `no shell runs here: ${shown}`, zh: `此处没有 shell: ${shown}` },
    { en: 'Put such characters in quotes, or into a script.', zh: '请将此类字符加引号，或写入脚本。' },
  );
}

/** Plain and below bin/, whatever dots it was written with; whether it is there is seen later. */
function checkPlace(written: string): string {
  const plain = path.posix.normalize(written.replaceAll('\\', '/').replace(/^\.\//, ''));
  if (plain.startsWith('bin/') && plain.length > 4 && !plain.endsWith('/') && !plain.includes('\0')) return plain;
  const [, role, own] = /(?:^|\/)agents\/([^/]+)\/\.claude\/skills\/([^/]+)/.exec(plain) ?? [];
  if (role !== undefined && own !== undefined) throw notASkill(`${role}/${own.replace(/\.\w+$/, '')}`, 'call');
  const skill = /(?:^|\/)\.?(?:claude|agents?)\/skills\/([^/]+)/.exec(plain)?.[1];
  if (skill !== undefined) throw notASkill(skill);
  throw new Fault('ScriptNotFound', visible(written), {
    details: { check: 'outside-bin', script: written },
    hint: { en: 'Only scripts in bin/ are run.', zh: '只能执行 bin/ 中的脚本。' },
  });
}

const FORM: Text = {
  en: 'Write `run python bin/<script> [args…]`, one script a line.',
  zh: '请写 `执行 python bin/<脚本> [参数…]`，每行一个脚本。',
};

function notUnderstood(line: string): Fault {
  const shown = visible(line.length > 80 ? `${line.slice(0, 80)}…` : line);
  return refuse('grammar', { en: `not understood: ${shown}`, zh: `无法理解的指令: ${shown}` }, FORM);
}

/** A skill of a role is called with an action; any other is invoked. */
function notASkill(name: string, by: 'invoke' | 'call' = 'invoke'): Fault {
  const shown = visible(name.slice(0, 80)) || '<skill>';
  const command = by === 'call' ? `skillwright call ${shown} <action>` : `skillwright invoke @${shown}`;
  return refuse(
    'skill',
    { en: 'a task runs scripts in bin/, not skills', zh: '任务只执行 bin/ 脚本，不运行技能' },
    { en: `\`${command}\``, zh: `\`${command}\`` },
  );
}
