// Sets in the style of waza: trigger_tests.yaml, and eval.yaml with its task files and graders.
import { isRecord } from '../../base/json.ts';
import type { Text } from '../../base/language.ts';
import { findTool } from '../../tools/list.ts';
import {
  type Imported,
  type ImportedCase,
  type ImportPlace,
  list,
  NO_PROMPT,
  NO_SKILL,
  text,
  texts,
  triggerCase,
} from './imported.ts';

type Fields = Record<string, unknown>;

export function isWazaTriggers(value: Fields): boolean {
  return 'should_trigger_prompts' in value || 'should_not_trigger_prompts' in value;
}

export function isWazaSuite(value: Fields): boolean {
  return 'tasks' in value && ('graders' in value || 'skill' in value || 'config' in value);
}

export function importWazaTriggers(value: Fields, place: ImportPlace): Imported {
  const skill = text(value.skill) ?? place.skill;
  const refused: { path: PropertyKey[]; reason: Text }[] = [];
  const cases: ImportedCase[] = [];
  if (skill === undefined) refused.push({ path: [], reason: NO_SKILL });
  for (const [key, wanted] of [
    ['should_trigger_prompts', true],
    ['should_not_trigger_prompts', false],
  ] as const) {
    for (const [at, item] of list(value[key]).entries()) {
      const input = isRecord(item) ? text(item.prompt) : text(item);
      if (input === undefined) refused.push({ path: [key, at], reason: NO_PROMPT });
      else if (skill !== undefined) cases.push(triggerCase(skill, input, wanted, [key, at]));
    }
  }
  return { format: 'waza triggers', ...(skill !== undefined && { skill }), cases, refused };
}

export function importWazaSuite(value: Fields, place: ImportPlace): Imported {
  const skill = text(value.skill) ?? place.skill;
  const repeat = isRecord(value.config) ? Number(value.config.trials_per_task ?? 1) : 1;
  const refused: { path: PropertyKey[]; reason: Text }[] = [];
  const cases: ImportedCase[] = [];
  for (const [at, item] of list(value.tasks).entries()) {
    const tasks = typeof item === 'string' ? place.readAll(item) : [{ name: '', value: item }];
    if (tasks.length === 0) refused.push({ path: ['tasks', at], reason: noFile(String(item)) });
    for (const task of tasks) {
      const read = readTask(task.value, list(value.graders));
      if ('reason' in read) refused.push({ path: ['tasks', at], reason: about(task.name, read.reason) });
      else cases.push({ written: { ...read.written, repeat: Math.max(1, repeat) }, path: ['tasks', at] });
    }
  }
  return { format: 'waza', ...(skill !== undefined && { skill }), cases, refused };
}

function noFile(pattern: string): Text {
  return { en: `no file fits ${pattern}`, zh: `没有符合 ${pattern} 的文件` };
}

function about(name: string, { en, zh }: Text): Text {
  return { en: `${name} ${en}`.trim(), zh: `${name} ${zh}`.trim() };
}

function ofType(type: string): Text {
  return {
    en: `has a grader of type ${type}, which runs code or needs a person`,
    zh: `含有 ${type} 类型的评分器，它运行代码或需要人工`,
  };
}

type Read = { readonly written: Fields } | { readonly reason: Text };

function readTask(task: unknown, common: readonly unknown[]): Read {
  if (!isRecord(task)) return { reason: { en: 'is not a task', zh: '不是任务' } };
  const inputs = isRecord(task.inputs) ? task.inputs : task;
  const input = text(inputs.prompt);
  if (input === undefined) return { reason: NO_PROMPT };
  const expected = isRecord(task.expected) ? task.expected : {};
  const parts: Parts = { steps: [], output: [], required: [], constraints: {} };
  addBehaviour(isRecord(expected.behavior) ? expected.behavior : {}, parts);
  addText({ contains: expected.output_contains, not_contains: expected.output_not_contains }, parts);
  for (const grader of [...common, ...list(task.graders)]) {
    const reason = addGrader(grader, parts);
    if (reason !== undefined) return { reason };
  }
  const { steps, output, required, constraints } = parts;
  const skills = required.length > 0 && { skills: [...new Set(required)] };
  const id = text(task.id) ?? text(task.name);
  return {
    written: {
      ...(id !== undefined && { id }),
      input,
      files: filesOf(inputs.files),
      expected: { ...skills, steps, output },
      constraints,
      tags: texts(task.tags),
    },
  };
}

interface Parts {
  readonly steps: Fields[];
  readonly output: Fields[];
  readonly required: string[];
  readonly constraints: Fields;
}

/** Why a grader cannot be imported, if so. */
function addGrader(grader: unknown, parts: Parts): Text | undefined {
  if (!isRecord(grader)) return { en: 'has a grader that is not an object', zh: '含有不是对象的评分器' };
  const config = isRecord(grader.config) ? grader.config : {};
  switch (grader.type) {
    case 'text':
      return addText(config, parts);
    case 'behavior':
      return addBehaviour(config, parts);
    case 'action_sequence':
      return addSequence(config, parts);
    case 'skill_invocation':
      parts.required.push(...texts(config.required_skills));
      return undefined;
    case 'tool_constraint':
      return addConstraint(config, parts);
    case 'file':
      return addFiles(config, parts);
    case 'json_schema':
      if (!isRecord(config.schema))
        return { en: 'has a json_schema grader without a schema in it', zh: '含有没有 schema 的 json_schema 评分器' };
      parts.output.push({ json_schema: config.schema });
      return undefined;
    case 'prompt':
      parts.output.push({ rubric: text(config.prompt) ?? text(grader.name) ?? 'the answer is right' });
      return undefined;
    default:
      return ofType(String(grader.type));
  }
}

function addText(config: Fields, { output }: Parts): undefined {
  if (texts(config.contains).length > 0) output.push({ contains_all: texts(config.contains), ignore_case: true });
  if (texts(config.contains_cs).length > 0) output.push({ contains_all: texts(config.contains_cs) });
  for (const word of texts(config.not_contains)) output.push({ not: { contains_any: [word], ignore_case: true } });
  for (const regex of texts(config.regex_match)) output.push({ regex });
  for (const regex of texts(config.regex_not_match)) output.push({ not: { regex } });
}

function addBehaviour(config: Fields, { constraints }: Parts): undefined {
  const { max_tool_calls, max_tokens, max_duration_ms } = config;
  if (typeof max_tool_calls === 'number') constraints.max_tool_calls = max_tool_calls;
  if (typeof max_tokens === 'number') constraints.max_tokens = max_tokens;
  if (typeof max_duration_ms === 'number') constraints.max_seconds = max_duration_ms / 1000;
  if (texts(config.required_tools).length > 0) constraints.required_tools = texts(config.required_tools).map(ourName);
  if (texts(config.forbidden_tools).length > 0)
    constraints.forbidden_tools = texts(config.forbidden_tools).map(ourName);
}

const MODES: Readonly<Record<string, string>> = {
  exact_match: 'exact',
  in_order_match: 'in_order',
  any_order_match: 'any_order',
};

function unreadableSequence(mode: string): Text {
  return { en: `has an action_sequence it cannot read: ${mode}`, zh: `含有无法识别的 action_sequence: ${mode}` };
}

function addSequence(config: Fields, { steps }: Parts): Text | undefined {
  const mode = MODES[text(config.matching_mode) ?? 'in_order_match'];
  const actions = texts(config.expected_actions).map(ourName);
  if (mode === undefined || actions.length === 0) return unreadableSequence(String(config.matching_mode));
  steps.push({ [mode]: actions });
  return undefined;
}

function addConstraint(config: Fields, { steps }: Parts): undefined {
  for (const { tool, pattern } of toolsOf(config.expect_tools)) {
    steps.push(
      pattern === undefined ? { count: { step: tool, min: 1 } } : { args_match: { step: tool, regex: pattern } },
    );
  }
  for (const { tool } of toolsOf(config.reject_tools)) steps.push({ never: tool });
}

function toolsOf(value: unknown): { tool: string; pattern?: string }[] {
  return list(value).flatMap((one) => {
    const tool = isRecord(one) ? text(one.tool) : text(one);
    const pattern = isRecord(one) ? (text(one.command_pattern) ?? text(one.pattern)) : undefined;
    return tool === undefined ? [] : [{ tool: ourName(tool), ...(pattern !== undefined && { pattern }) }];
  });
}

function addFiles(config: Fields, { output }: Parts): undefined {
  for (const file of texts(config.must_exist)) output.push({ file_exists: file });
  for (const file of texts(config.must_not_exist)) output.push({ not: { file_exists: file } });
  for (const one of list(config.content_patterns)) {
    if (!isRecord(one) || typeof one.path !== 'string') continue;
    for (const regex of texts(one.must_match)) output.push({ file_matches: { path: one.path, regex } });
    for (const regex of texts(one.must_not_match)) output.push({ not: { file_matches: { path: one.path, regex } } });
  }
}

function filesOf(value: unknown): Record<string, string> {
  const named = list(value).flatMap((one) =>
    isRecord(one) && typeof one.path === 'string' && typeof one.content === 'string' ? [[one.path, one.content]] : [],
  );
  return Object.fromEntries(named) as Record<string, string>;
}

/** Tools use the names of this product; an unknown name stays as it is and matches nothing. */
function ourName(tool: string): string {
  return findTool(tool) ?? tool;
}
