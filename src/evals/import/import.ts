// Imports sets of other tools into our own form of a case; what cannot be judged the same way is refused with the reason.
import { isRecord } from '../../base/json.ts';
import type { Text } from '../../base/language.ts';
import { type Imported, type ImportPlace, list, NO_PROMPT, NO_SKILL, text, triggerCase } from './imported.ts';
import { importWazaSuite, importWazaTriggers, isWazaSuite, isWazaTriggers } from './waza.ts';

/** Undefined for a file of our own form. */
export function importSet(value: unknown, place: ImportPlace): Imported | undefined {
  if (isRecord(value)) {
    if (isWazaTriggers(value)) return importWazaTriggers(value, place);
    if (isWazaSuite(value)) return importWazaSuite(value, place);
    if (typeof value.skill_name === 'string' || Array.isArray(value.evals) || Array.isArray(value.triggers))
      return importSkillEvals(value, place);
    const foreign = Object.keys(FOREIGN).find((key) => key in value);
    return foreign === undefined ? undefined : refuse([foreign], foreignSet(FOREIGN[foreign] ?? foreign));
  }
  if (!Array.isArray(value)) return { format: 'unknown', cases: [], refused: [{ path: [], reason: NEITHER }] };
  const [first] = value;
  if (isRecord(first) && 'should_trigger' in first) return importTriggers(value, place.skill, [], 'triggers');
  if (isRecord(first) && 'question' in first) return importQuestions(value);
  if (isRecord(first) && 'prompt' in first) return importSkillEvals({ evals: value }, place);
  return undefined;
}

/** Sets whose checks run code, need a judge for everything, or cannot be recognised. */
const FOREIGN: Readonly<Record<string, string>> = {
  stimuli: 'vally',
  scenarios: 'skill-validator',
  providers: 'promptfoo',
  samples: 'inspect',
};

function foreignSet(form: string): Text {
  return { en: `a set in the form of ${form}, which is not read here`, zh: `采用 ${form} 格式的用例集，此处不读取` };
}

const NEITHER: Text = {
  en: 'neither a case, a list of cases, nor a set in a known format',
  zh: '既不是用例或用例列表，也不是已知格式的用例集',
};

/** `{skill_name, evals, triggers}`, as found beside public skills; expectations are also written assertions. */
function importSkillEvals(value: Record<string, unknown>, place: ImportPlace): Imported {
  const skill = text(value.skill_name) ?? place.skill;
  const triggers = importTriggers(list(value.triggers), skill, ['triggers'], 'evals.json');
  const read = list(value.evals).map((item, at) => readEval(item, skill, [...evalsPath(value), at], place));
  return merge('evals.json', skill, [triggers, ...read]);
}

// A bare list is the top level of its file.
function evalsPath(value: Record<string, unknown>): PropertyKey[] {
  return Object.keys(value).length === 1 ? [] : ['evals'];
}

function readEval(item: unknown, skill: string | undefined, path: PropertyKey[], place: ImportPlace): Imported {
  if (!isRecord(item)) return refuse(path, { en: 'is not an object', zh: '不是对象' });
  const input = text(item.prompt) ?? text(item.input) ?? text(item.query);
  if (input === undefined) return refuse(path, NO_PROMPT);
  const files = readFiles(item.files, place);
  if ('missing' in files)
    return refuse(path, {
      en: `names ${files.missing}, which is not there`,
      zh: `提到的 ${files.missing} 不存在`,
    });
  const rubrics = [item.expected_output, ...list(item.expectations ?? item.assertions)].flatMap(
    (one) => rubricOf(one) ?? [],
  );
  const written = {
    ...(item.id !== undefined && { id: String(item.id) }),
    input,
    files: files.texts,
    expected: { ...(skill !== undefined && { skills: [skill] }), output: rubrics.map((rubric) => ({ rubric })) },
  };
  return { format: 'evals.json', cases: [{ written, path }], refused: [] };
}

/** Plain sentences, or `{text}`, `{description}` around them. */
function rubricOf(value: unknown): string | undefined {
  if (isRecord(value)) return text(value.text) ?? text(value.description) ?? text(value.assertion);
  return text(value);
}

/** Names of files beside the skill, or their texts. */
function readFiles(value: unknown, place: ImportPlace): { texts: Record<string, string> } | { missing: string } {
  if (isRecord(value)) {
    return { texts: Object.fromEntries(Object.entries(value).map(([name, content]) => [name, String(content)])) };
  }
  const texts: Record<string, string> = {};
  for (const name of list(value).flatMap((one) => text(isRecord(one) ? one.path : one) ?? [])) {
    const content = place.read(name);
    if (content === undefined) return { missing: name };
    texts[name.slice(name.lastIndexOf('/') + 1)] = content;
  }
  return { texts };
}

function importTriggers(
  items: readonly unknown[],
  skill: string | undefined,
  above: readonly PropertyKey[],
  format: string,
): Imported {
  const read = items.map((item, at): Imported => {
    const path = [...above, at];
    const query = isRecord(item) ? (text(item.query) ?? text(item.prompt)) : undefined;
    if (!isRecord(item) || query === undefined) return refuse(path, { en: 'has no query', zh: '没有查询' });
    if (typeof item.should_trigger !== 'boolean')
      return refuse(path, {
        en: 'should_trigger is neither true nor false',
        zh: 'should_trigger 既不是 true 也不是 false',
      });
    const owner = text(item.skill) ?? skill;
    if (owner === undefined) return refuse(path, NO_SKILL);
    return { format, cases: [triggerCase(owner, query, item.should_trigger, path)], refused: [] };
  });
  return merge(format, skill, read);
}

/** `[{id, question, expected_skill, expected_script, expected_behavior}]`. */
function importQuestions(items: readonly unknown[]): Imported {
  const read = items.map((item, at): Imported => {
    const question = isRecord(item) ? text(item.question) : undefined;
    if (!isRecord(item) || question === undefined) return refuse([at], { en: 'has no question', zh: '没有问题' });
    if (item.expected_skill !== null && text(item.expected_skill) === undefined)
      return refuse([at], {
        en: 'expected_skill is neither a name nor null',
        zh: 'expected_skill 既不是名称也不是 null',
      });
    return { format: 'questions', cases: [{ written: questionCase(item, question), path: [at] }], refused: [] };
  });
  return merge('questions', undefined, read);
}

function questionCase(item: Record<string, unknown>, input: string): Record<string, unknown> {
  const skill = text(item.expected_skill);
  const script = text(item.expected_script);
  const rubrics = [item.ground_truth, ...list(item.expected_behavior)].flatMap((one) => rubricOf(one) ?? []);
  return {
    ...(item.id !== undefined && { id: String(item.id) }),
    input,
    expected: {
      skills: skill === undefined ? [] : [skill],
      ...(script !== undefined && { steps: [{ args_match: { step: 'run_script', regex: literal(script) } }] }),
      output: rubrics.map((rubric) => ({ rubric })),
    },
  };
}

function literal(words: string): string {
  return words.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

function refuse(path: PropertyKey[], reason: Text): Imported {
  return { format: '', cases: [], refused: [{ path, reason }] };
}

function merge(format: string, skill: string | undefined, parts: readonly Imported[]): Imported {
  return {
    format,
    ...(skill !== undefined && { skill }),
    cases: parts.flatMap(({ cases }) => cases),
    refused: parts.flatMap(({ refused }) => refused),
  };
}
