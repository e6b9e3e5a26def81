// `load_resource`: a file of a skill, read by the loader; to policy it is what `read_file` is.
import path from 'node:path';
import type { SkillEntry } from '../../registry/discover.ts';
import { readFile } from '../../tools/read-file.ts';
import type { CallContext, UseTool } from '../call.ts';
import { allowanceOf, type CallEffect } from '../work.ts';

/** Who gets the file: the model that works with the skill, within the skill's own list, or a host that takes the skill over. */
export type FileReader = 'model' | 'host';

/** A saved question is about the same file by `read_file`, so that an answer is good for both. */
export function readingOf(
  skill: SkillEntry,
  file: string,
  context: CallContext,
  reader: FileReader,
): { readonly call: UseTool; readonly effect: CallEffect } {
  const args = { path: path.join(skill.folder, file) };
  const reference = `${skill.source}:${skill.folderName}`;
  return {
    call: { kind: 'use_tool', tool: readFile.name, args, skill: reference, context },
    effect: {
      tool: readFile.name,
      skill,
      digest: '',
      args,
      words: readFile.view({ path: file }),
      // Relative to the skill, as its author writes patterns: where it is installed decides nothing.
      asked: { tool: readFile.name, script: file },
      granted: { path: file },
      // What a skill may do is said by its instructions: they are read before its list means anything.
      allowances: reader === 'host' || file === path.basename(skill.file) ? [] : [allowanceOf(skill)],
      network: false,
    },
  };
}
