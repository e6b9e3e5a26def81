// Setting one field of a JSON text by its path; the type that stands there is kept, and so is the indentation.
import { Fault } from '../base/errors.ts';
import { isRecord, type Json, parseJson, readJsonString } from '../base/json.ts';

/** Names no path may hold. */
const FORBIDDEN: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

type Step = string | number;

export function updateJson(text: string, path: string, value: string): string {
  const document = parseDocument(text);
  const steps = parsePath(path);
  const holder = walkToHolder(document, steps.slice(0, -1), path);
  setField(holder, steps.at(-1) ?? '', value, path);
  return render(document, text);
}

/** `a.b[0]["quoted key"]` or `a.b.0` as steps. */
function parsePath(path: string): Step[] {
  const steps: Step[] = [];
  const pattern = /(?:^|\.)([^.[\]"]+)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/gy;
  while (pattern.lastIndex < path.length) {
    const at = pattern.lastIndex;
    const match = pattern.exec(path);
    if (!match) throw badPath(path, `unreadable from character ${at + 1}`);
    const [, plain, index, quoted] = match;
    steps.push(index !== undefined ? Number(index) : (plain ?? readJsonString(quoted ?? '""')));
  }
  if (steps.length === 0) throw badPath(path, 'empty');
  for (const step of steps) if (FORBIDDEN.has(String(step))) throw badPath(path, `${step} is not a field`);
  return steps;
}

function walkToHolder(document: Json, steps: readonly Step[], path: string): Json {
  let current = document;
  for (const written of steps) {
    const step = stepIn(current, written);
    const next = fieldOf(current, step, path);
    current = next ?? createField(current, step);
  }
  return current;
}

/** Items of a list are `a[0]` or `a.0`; in an object `0` is a name like any other. */
function stepIn(holder: Json, step: Step): Step {
  return Array.isArray(holder) && /^(?:0|[1-9]\d{0,8})$/.test(String(step)) ? Number(step) : step;
}

function fieldOf(holder: Json, step: Step, path: string): Json | undefined {
  if (Array.isArray(holder)) {
    if (typeof step !== 'number') throw badPath(path, `${step} is asked of a list of ${holder.length}`);
    if (step >= holder.length) throw badPath(path, `there is no item ${step} in a list of ${holder.length}`);
    return holder[step];
  }
  if (!isRecord(holder)) throw badPath(path, `${step} is asked of a plain value`);
  return Object.hasOwn(holder, step) ? holder[step] : undefined;
}

function createField(holder: Json, step: Step): Json {
  const created: { [key: string]: Json } = Object.create(null);
  put(holder, step, created);
  return created;
}

/** A list has the item already, and a plain value was refused: `fieldOf` looked before. */
function put(holder: Json, step: Step, value: Json): void {
  if (Array.isArray(holder)) holder[Number(step)] = value;
  else if (isRecord(holder)) holder[step] = value;
}

function setField(holder: Json, written: Step, value: string, path: string): void {
  const step = stepIn(holder, written);
  if (Array.isArray(holder) && step === holder.length) {
    holder.push(readValue(value));
    return;
  }
  const old = fieldOf(holder, step, path);
  put(holder, step, typeof old === 'string' ? readText(value) : readValue(value));
}

// "1.0" in place of a text stays a text; a value in quotes is the text between them.
function readText(value: string): string {
  const parsed = readValue(value);
  return typeof parsed === 'string' ? parsed : value;
}

function readValue(value: string): Json {
  try {
    return parseJson(value);
  } catch {
    return value;
  }
}

function parseDocument(text: string): Json {
  try {
    return parseJson(text);
  } catch (error) {
    throw new Fault('InvalidJson', error instanceof Error ? error.message : '', { cause: error });
  }
}

function render(document: Json, original: string): string {
  const indent = /^[[{]\s*\n([ \t]+)/.exec(original)?.[1] ?? (original.includes('\n') ? 2 : 0);
  return JSON.stringify(document, null, indent) + (/\n$/.exec(original)?.[0] ?? '');
}

function badPath(path: string, reason: string): Fault {
  return new Fault('ParamInvalid', `path ${JSON.stringify(path)}: ${reason}`);
}
