// The question a script leaves in langgraph_interrupt.json, or prints as an interrupted outcome: checked before it is saved.
import { Fault } from '../base/errors.ts';
import { isRecord, type Json, parseJson } from '../base/json.ts';
import type { Data } from '../base/outcome.ts';
import { visible } from '../base/text.ts';
import { parsePrompt, type ScriptOrder } from './grammar.ts';

/** A question as a script leaves it, with what else it said. */
export interface ScriptQuestion {
  /** The text of langgraph_interrupt.json, or the printed data. */
  readonly file: string;
  readonly facts: Data;
  /** What it wants a model to analyse. */
  readonly analysis?: string;
}

export interface TaskQuestion {
  readonly skills: readonly string[];
  readonly question?: string;
  readonly allowed: readonly string[];
  /** As the script wrote it. */
  readonly command: string;
  readonly order: ScriptOrder;
}

const DEFAULT_CHOICES = ['keep', 'uninstall'];
const ITEM_LIMIT = 1000;
const TEXT_LIMIT = 4000;

/** Throws a Fault that says what is wrong; a question that is not whole asks nothing. */
export function readQuestion(text: string): TaskQuestion {
  const file = parseFile(text);
  const skills = readList(file.interrupted_skills, 'interrupted_skills');
  const allowed = file.allowed === undefined ? DEFAULT_CHOICES : readList(file.allowed, 'allowed');
  const { question, resume_command: command } = file;
  if (question !== undefined && !isText(question)) throw wrong('question');
  if (!isText(command)) throw wrong('resume_command');
  const [order, ...more] = parsePrompt(command);
  if (!order || more.length > 0) throw wrong('resume_command');
  return { skills, allowed, command, order, ...(question !== undefined && { question }) };
}

function parseFile(text: string): Record<string, Json> {
  try {
    const value = parseJson(text);
    if (isRecord(value)) return value;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw wrong('JSON');
}

function readList(value: Json | undefined, name: string): string[] {
  const isSound = Array.isArray(value) && value.length > 0 && value.length <= ITEM_LIMIT && value.every(isText);
  if (!isSound || new Set(value).size !== value.length) throw wrong(name);
  return value.map(String);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '' && value.length <= TEXT_LIMIT && visible(value) === value;
}

function wrong(field: string): Fault {
  return new Fault(
    'InvalidResponse',
    {
      en: `the question of the script: ${field} is missing or wrong`,
      zh: `脚本的问题: ${field} 缺失或无效`,
    },
    {
      details: { check: 'interrupt', field },
      hint: {
        en: 'langgraph_interrupt.json, or the data of a printed interrupt, is {"interrupted_skills": […], "question"?, "allowed"?, "resume_command": "python bin/…"}.',
        zh: 'langgraph_interrupt.json 或所输出的中断数据的格式为 {"interrupted_skills": […], "question"?, "allowed"?, "resume_command": "python bin/…"}。',
      },
    },
  );
}
