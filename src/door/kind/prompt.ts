// A prompt skill is text for whoever asked: nothing runs, and nothing counts as a use.
import path from 'node:path';
import { makeOutcome } from '../../base/outcome.ts';
import { visible } from '../../base/text.ts';
import { clean, decodeText, readBytes } from '../../loader/read-text.ts';
import type { SkillEntry } from '../../registry/discover.ts';
import type { Door } from '../door.ts';
import type { AnsweredCall } from '../work.ts';

export function answerPrompt(skill: SkillEntry, door: Pick<Door, 'requireUnchanged'>): AnsweredCall {
  const { manifest, folderName } = skill;
  const file = path.basename(skill.file);
  door.requireUnchanged(skill, { file });
  const content = clean(decodeText(readBytes(skill.realFolder ?? skill.folder, file), file)).text;
  const shown = visible(folderName);
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
      ),
  };
}
