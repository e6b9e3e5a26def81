// The parameters of a command skill: declared or only named in the template, given, defaulted, or still missing.
import path from 'node:path';
import { Fault } from '../../base/errors.ts';
import type { Json } from '../../base/json.ts';
import { isInside } from '../../base/paths.ts';
import { visible } from '../../base/text.ts';
import { isOwnState } from '../../policy/place.ts';
import type { SkillEntry } from '../../registry/discover.ts';
import type { Param } from '../../skill/skill.ts';
import { parametersOf, parseTemplate, type TemplateWord } from '../../skill/template.ts';
import { readText, refuseUnknown } from '../../skill/value.ts';
import type { InvokeSkill } from '../call.ts';
import type { Door } from '../door.ts';
import { checkGivenFile, isFile } from '../given-file.ts';
import { defaultOutputName, namedOutputs, outputFolderOf, toOutputFolder } from '../output/name.ts';
import { checkPatterns } from '../param-pattern.ts';
import { baseOf, pathInProject, takesPath } from '../typed-path.ts';

export interface Parameters {
  readonly all: readonly CommandParam[];
  readonly values: ReadonlyMap<string, string>;
  readonly missing: readonly CommandParam[];
  readonly files: readonly string[];
  /** The file the command writes its result to. */
  readonly target?: string;
  readonly output: { readonly folder: string; readonly names: readonly string[] };
}

export interface CommandParam extends Param {
  /** Without a value there is no command. */
  readonly needed: boolean;
}

const OUTPUT = 'output';
// What examples call the file they read, without declaring it; a word without a name may be one, too.
const READ = new Set(['input', 'file', 'input_file', ...'123456789']);

export async function readParameters(
  call: InvokeSkill,
  skill: SkillEntry,
  template: readonly TemplateWord[],
  door: Door,
): Promise<Parameters> {
  const all = listParams(skill, template);
  const given = collectGiven(takeWords(call, skill, template), all, template);
  const values = readValues(all, given);
  await checkPatterns(all, Object.fromEntries(values));
  for (const name of given.keys()) placeValue(name, all, values, call, door);
  const files = [...given.keys()].flatMap((name) => filesOf(name, all, values, call, door));
  const target = all.some(({ name }) => name === OUTPUT) ? chooseTarget(skill, all, given, values, door) : undefined;
  if (target !== undefined) values.set(OUTPUT, target);
  const folder = (target && outputFolderOf(target, door)) ?? door.folders.output;
  const missing = all.filter(({ name, needed }) => needed && !values.has(name));
  const names = namedOutputs([...values.values()], folder, door);
  return { all, values, missing, files, ...(target && { target }), output: { folder, names } };
}

function listParams({ manifest }: SkillEntry, template: readonly TemplateWord[]): CommandParam[] {
  const placed = parametersOf(template);
  const declared = manifest.params ?? [];
  const undeclared = [...placed.keys()].filter((name) => !declared.some((param) => param.name === name));
  const plain = undeclared.map(
    (name): Param => ({ name, type: 'string', required: placed.get(name)?.needed === true }),
  );
  return [...declared, ...plain].map((param) => {
    const isWanted = param.required || (placed.get(param.name)?.needed === true && param.optional !== true);
    const needed = isWanted && param.default === undefined && param.name !== OUTPUT;
    return { ...param, needed };
  });
}

/** The first word that a command skill has no place for; `$ARGUMENTS` takes them all. */
export function surplusWord(
  { input, more = [] }: Pick<InvokeSkill, 'input' | 'more'>,
  skill: SkillEntry,
): string | undefined {
  const { command = '' } = skill.manifest;
  if (skill.kind !== 'command' || more.length === 0 || command.includes('$ARGUMENTS')) return undefined;
  const places = parametersOf(parseTemplate(command, skill.folder));
  const taken = [input, ...more].filter((_, at) => places.has(String(at + 1))).length;
  return more[Math.max(taken, 1) - 1];
}

/** Several words: each has its place, or all stand where `$ARGUMENTS` is written. */
function takeWords(call: InvokeSkill, skill: SkillEntry, template: readonly TemplateWord[]): InvokeSkill {
  const { input, more = [], ...rest } = call;
  if (input === undefined) return call;
  const surplus = surplusWord(call, skill);
  if (surplus !== undefined) throw noPlaceFor(surplus);
  if (skill.manifest.command?.includes('$ARGUMENTS')) return { ...rest, input: [input, ...more].join(' ') };
  const places = parametersOf(template);
  const placed = [input, ...more].map((word, at) => [String(at + 1), word] as const);
  const taken = placed.filter(([place]) => places.has(place));
  return { ...rest, ...(taken.length === 0 && { input }), params: { ...Object.fromEntries(taken), ...call.params } };
}

/** What was typed behind the name fills `{input}`, else the first parameter that still needs a value. */
function collectGiven(
  { input, params }: InvokeSkill,
  all: readonly CommandParam[],
  template: readonly TemplateWord[],
): Map<string, Json> {
  const known = all.map(({ name }) => name);
  refuseUnknown(Object.keys(params), known);
  const given = new Map(Object.entries(params));
  if (input === undefined) return given;
  const order = [...parametersOf(template).keys()];
  const waiting = order.filter((name) => !given.has(name) && all.some((param) => param.name === name && param.needed));
  const first = known.includes('input') && !given.has('input') ? 'input' : waiting[0];
  if (first === undefined) throw noPlaceFor(input);
  return given.set(first, input);
}

function noPlaceFor(word: string): Fault {
  const shown = visible(word.slice(0, 100));
  return new Fault('ParamInvalid', {
    en: `there is no parameter left for ${shown}`,
    zh: `没有参数可接收 ${shown}`,
  });
}

function readValues(all: readonly CommandParam[], given: ReadonlyMap<string, Json>): Map<string, string> {
  const values = new Map<string, string>();
  for (const param of all) {
    const value = given.get(param.name) ?? param.default;
    if (value !== undefined) values.set(param.name, readText(param, value));
  }
  return values;
}

/** A path is meant from where it was typed. So is a text that names a file, there or where the command would look. */
function placeValue(
  name: string,
  all: readonly CommandParam[],
  values: Map<string, string>,
  call: InvokeSkill,
  door: Door,
): void {
  const param = all.find((one) => one.name === name);
  const value = values.get(name);
  if (param === undefined || value === undefined) return;
  const placed = pathInProject(value, baseOf(call, door), door);
  const isText = READ.has(name) && param.type === 'string';
  const isPath = takesPath(param) || name === OUTPUT || (isText && (isFile(placed, door) || isFile(value, door)));
  if (isPath) values.set(name, placed);
}

/** Only what the caller gave: a default was written by the author of the skill, who may not choose files of the user. */
function filesOf(
  name: string,
  all: readonly CommandParam[],
  values: ReadonlyMap<string, string>,
  { byPerson = false }: InvokeSkill,
  door: Door,
): string[] {
  const param = all.find((one) => one.name === name);
  const value = values.get(name) ?? '';
  const isMeant = param?.type === 'file' || (READ.has(name) && param?.type === 'string' && isFile(value, door));
  if (!isMeant || (param.type === 'string' && !byPerson)) return [];
  const { show } = checkGivenFile(name, value, byPerson, door);
  return show === undefined ? [] : [show];
}

/** Below the output folder unless told otherwise, and always a whole path: the command may run anywhere. */
function chooseTarget(
  skill: SkillEntry,
  all: readonly CommandParam[],
  given: ReadonlyMap<string, Json>,
  values: ReadonlyMap<string, string>,
  door: Door,
): string {
  const { places, folders } = door;
  const written = values.get(OUTPUT);
  if (written === undefined || !given.has(OUTPUT)) {
    const fallback = all.find(({ name }) => name === OUTPUT)?.default;
    const name = fallback === undefined ? defaultOutputName(skill.name, values) : path.basename(String(fallback));
    return path.join(folders.output, name);
  }
  const file = path.resolve(places.project, written);
  const isResult = outputFolderOf(file, door) !== undefined;
  const isProject = isInside(places.project, file) && !isOwnState(file, places);
  if (!isResult && !isProject) throw new Fault('PathBlocked', visible(written), { hint: toOutputFolder(door) });
  return written.endsWith('/') ? `${file}/` : file;
}
