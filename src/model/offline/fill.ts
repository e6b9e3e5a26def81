// Fills the parameters of a call from the request; a missing value is never invented.
import path from 'node:path';
import type { Json } from '../../base/json.ts';
import type { Language } from '../../base/language.ts';
import { type Amount, amountFor, readAmounts } from './amount.ts';
import { chooseWord } from './choice-word.ts';
import { fillBehind, fillConditions, fillNamedTexts, fillQuoted, fillRange } from './fill-text.ts';
import { Filling } from './filling.ts';
import { type FilePiece, type FillSource, type Material, readMaterial } from './material.ts';
import type { ProjectFiles } from './project.ts';
import { isInput, isOutput, type Wanted } from './wanted.ts';

export interface Filled {
  readonly params: Readonly<Record<string, Json>>;
  readonly missing: readonly Wanted[];
  /** Files the request names that do not exist. */
  readonly absent: readonly string[];
}

export function fillParams(wanted: readonly Wanted[], source: FillSource): Filled {
  const material = readMaterial(source.text, source.project);
  const filling = new Filling(wanted);
  fillAssigned(filling, material, source.project);
  const targets = fillFiles(filling, material, source);
  fillAddresses(filling, material);
  fillChoices(filling, material, targets, source.language);
  fillAmounts(filling, readAmounts(material.prose));
  fillNamedTexts(filling, material);
  fillRange(filling, material.prose);
  fillConditions(filling, material.prose);
  fillQuoted(filling, material);
  fillBehind(filling, source);
  const absent = material.files.filter(({ isThere }) => !isThere).map(({ text }) => text);
  if (absent.length === 0) fillFromList(filling, material.prose, source.project);
  const values = filling.values();
  const isElsewhere = absent.some((file) => !Object.values(values).includes(source.project.place(file)));
  return { params: values, missing: isElsewhere ? withInput(filling) : filling.missing(), absent };
}

/** A named file that does not exist must not be replaced by another, even where none is required. */
function withInput(filling: Filling): Wanted[] {
  return filling.open((param) => param.needed || (param.type === 'file' && isInput(param)));
}

function fillAssigned(filling: Filling, { assigned }: Material, project: ProjectFiles): void {
  for (const [key, value] of assigned) {
    const param = filling.wanted.find(({ name }) => plainName(name) === plainName(key));
    const isPath = param && (isOutput(param) || (isInput(param) && (param.type !== 'string' || project.exists(value))));
    filling.give(param?.name ?? key, isPath ? project.place(value) : value);
  }
}

/** Files to work on, then the output file; returns the targets. */
function fillFiles(filling: Filling, { files }: Material, { results, project }: FillSource): string[] {
  const hasOutput = filling.open(isOutput).length > 0;
  const hasInput = files.some((file) => file.isThere && !file.isTarget);
  // "notes.md as text in out.txt": with an input, a file that does not exist yet is the output.
  const isNew = ({ isThere, before }: FilePiece) => hasInput && !isThere && /\bin\s*$/i.test(before);
  const isTarget = (file: FilePiece) => hasOutput && (file.isTarget || isNew(file));
  const inputs = files.filter((file) => file.isThere && !isTarget(file)).map(({ text }) => project.place(text));
  const targets = files.filter(isTarget).map(({ text, isThere }) => ({ text: project.place(text), isThere }));
  const waiting = [...inputs, ...(inputs.length === 0 ? results.slice(0, 1) : [])];
  for (const { name, needed } of filling.open(isInput)) {
    const there = needed ? targets.findIndex(({ isThere }) => isThere) : -1;
    const value = waiting.shift() ?? (there < 0 ? undefined : targets.splice(there, 1)[0]?.text);
    if (value !== undefined) filling.give(name, value);
  }
  const [output] = filling.open(isOutput);
  const [target] = targets;
  if (output && target) filling.give(output.name, target.text);
  return targets.map(({ text }) => text);
}

function fillAddresses(filling: Filling, { urls, emails }: Material): void {
  for (const [type, found] of [
    ['url', urls],
    ['email', emails],
  ] as const) {
    const waiting = [...found];
    for (const { name } of filling.open((param) => param.type === type)) {
      const value = waiting.shift();
      if (value !== undefined) filling.give(name, value);
    }
  }
}

function fillChoices(filling: Filling, { prose }: Material, targets: readonly string[], language: Language): void {
  for (const param of filling.open(({ enum: choices, type }) => choices !== undefined || type === 'boolean')) {
    const isLanguage = /^lang(?:uage)?$/i.test(param.name) && param.enum?.includes(language);
    const value = chooseWord(param, prose, targets) ?? (isLanguage ? language : undefined);
    if (value !== undefined) filling.give(param.name, value);
  }
}

function fillAmounts(filling: Filling, amounts: readonly Amount[]): void {
  const isNumber = ({ type, enum: choices }: Wanted) => (type === 'integer' || type === 'number') && !choices;
  for (const { name } of filling.open(isNumber)) {
    const value = amountFor(name, amounts);
    if (value !== undefined) filling.give(name, String(value));
  }
  const [only, other] = filling.open((param) => isNumber(param) && param.needed);
  const [bare, another] = amounts.filter(({ unit }) => unit === undefined);
  if (only && !other && bare && !another) filling.give(only.name, String(bare.value));
}

/** "the readme", "the CSV file": where exactly one file can be meant. */
function fillFromList(filling: Filling, prose: string, project: ProjectFiles): void {
  const [param] = filling.open((one) => one.needed && isInput(one));
  if (!param) return;
  const words = new Set(prose.toLowerCase().match(/[a-z0-9_-]{2,}/g) ?? []);
  const isStem = (name: string) => words.has(path.parse(name).name.toLowerCase());
  const isKind = (name: string) => words.has(path.extname(name).slice(1).toLowerCase());
  for (const isMeant of [isStem, isKind]) {
    const [file, other] = project.list().filter(isMeant);
    if (file === undefined || other !== undefined) continue;
    filling.give(param.name, project.place(file));
    return;
  }
}

function plainName(name: string): string {
  return name.toLowerCase().replaceAll('-', '_');
}
