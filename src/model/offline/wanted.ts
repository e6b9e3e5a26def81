// The inputs of a skill or one of its actions, and which are required.
import { toFault } from '../../base/errors.ts';
import type { SkillEntry } from '../../registry/discover.ts';
import type { Param } from '../../skill/skill.ts';
import { parametersOf, parseTemplate } from '../../skill/template.ts';

export interface Wanted extends Param {
  /** Required: without a value nothing can be done. */
  readonly needed: boolean;
}

const OUTPUT = /^(?:output|out|dest|destination|save_to)(?:_?(?:file|path|dir|folder))?$/i;
const INPUT = /^(?:input|source|src|target|in|from_file)?_?(?:file|path|document|doc|dir|folder|directory|filename)?$/i;

export function wantedBy(skill: SkillEntry, action: string | undefined): Wanted[] {
  const { manifest, kind } = skill;
  if (kind === 'protocol') {
    const params = manifest.actions?.find(({ name }) => name === action)?.params ?? [];
    return params.map((param) => ({ ...param, needed: param.required && param.default === undefined }));
  }
  const placed = placedIn(skill);
  const declared = manifest.params ?? [];
  const plain = [...placed.keys()]
    .filter((name) => !declared.some((param) => param.name === name))
    .map((name): Param => ({ name, type: 'string', required: false }));
  return [...declared, ...plain].map((param) => {
    const isWanted = param.required || placed.get(param.name)?.needed === true;
    // An output path can always be chosen.
    return { ...param, needed: isWanted && param.default === undefined && param.name !== 'output' };
  });
}

export function isOutput({ name, type, enum: choices }: Param): boolean {
  return OUTPUT.test(name) && choices === undefined && (type === 'string' || type === 'path' || type === 'file');
}

/** A file to work on: declared as one, or named like one. */
export function isInput(param: Param): boolean {
  if (isOutput(param) || param.enum) return false;
  if (param.type === 'file' || param.type === 'path') return true;
  return param.type === 'string' && INPUT.test(param.name);
}

function placedIn({ manifest, folder }: SkillEntry): Map<string, { needed: boolean }> {
  try {
    return parametersOf(parseTemplate(manifest.command ?? '', folder));
  } catch (error) {
    // The call itself reports a broken template, with a better message.
    if (toFault(error).type === 'Internal') throw error;
    return new Map();
  }
}
