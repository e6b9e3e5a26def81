// A prompt skill is text for whoever asked: nothing runs, and nothing counts as a use.

import path from 'node:path';
import { makeOutcome } from '../../base/outcome.ts';
import { typedWord } from '../../base/text/shell-word.ts';
import { visible } from '../../base/text.ts';
import { givenArguments } from '../../loader/argument.ts';
import { fillPlaceholders, unplaced } from '../../loader/placeholder.ts';
import { clean, decodeText, readBytes } from '../../loader/read-text.ts';
import type { SkillEntry } from '../../registry/discover.ts';
import { readFrontmatter } from '../../skill/read/frontmatter.ts';
import type { InvokeSkill } from '../call.ts';
import type { Door } from '../door.ts';
import type { AnsweredCall } from '../work.ts';

export function answerPrompt(call: InvokeSkill, skill: SkillEntry, door: Pick<Door, 'requireUnchanged'>): AnsweredCall {
  const { manifest, folderName } = skill;
  const file = path.basename(skill.file);
  door.requireUnchanged(skill, { file });
  const written = clean(decodeText(readBytes(skill.realFolder ?? skill.folder, file), file)).text;
  const content = withArguments(written, call, skill);
  const shown = visible(folderName);
  const hint = call.input === undefined && Object.keys(call.params).length === 0 ? manifest.argumentHint : undefined;
  return {
    answer: (by) =>
      makeOutcome(
        by,
        'success',
        { en: `prompt loaded: ${shown}`, zh: `提示词加载: ${shown}` },
        {
          skill: folderName,
          type: 'prompt',
          name: manifest.name,
          description: manifest.description,
          content,
          executable: false,
        },
        {
          product: { content },
          ...(hint !== undefined && { next: `skillwright invoke ${typedWord(`@${folderName}`)} ${visible(hint)}` }),
        },
      ),
  };
}

/** The whole text with its places filled; what has no place stands below it, so that its reader has it. */
function withArguments(written: string, call: InvokeSkill, { folder, manifest }: SkillEntry): string {
  const start = readFrontmatter(written, '').block?.bodyOffset ?? 0;
  const body = written.slice(start);
  const given = givenArguments(call, manifest);
  const rest = unplaced(body, given).join(' ');
  const filled = written.slice(0, start) + fillPlaceholders(body, { skillFolder: folder, arguments: given });
  return rest === '' ? filled : `${filled.trimEnd()}\n\nARGUMENTS: ${rest}\n`;
}
