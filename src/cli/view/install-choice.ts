// Several skills in one source: a person chooses those to install.
import { inLanguage, type Language, type Text } from '../../base/language.ts';
import { renderTable } from '../../base/text/terminal.ts';
import { visible } from '../../base/text.ts';
import type { DamagedSkill } from '../../distribution/source/choice.ts';
import { ownName } from '../../distribution/source/offer.ts';
import type { ReadSkill } from '../../distribution/source/offered-skill.ts';
import type { CommandContext } from '../frame/command.ts';
import { titledColumns } from './titled-columns.ts';

type Choice = ReadSkill | DamagedSkill;

/** The folders of the chosen skills; a word that means none of them is asked about once more. */
export async function chooseToInstall(
  choices: readonly Choice[],
  { runtime: { language }, terminal }: CommandContext,
): Promise<readonly string[]> {
  const { askLines, PERSON } = await import('../frame/ask-line.ts');
  const rows = choices.map((choice, at) => [String(at + 1), nameOf(choice), aboutOf(choice, language)]);
  process.stderr.write(`${renderTable(titledColumns(TITLES, language), rows, terminal)}\n`);
  return await askLines(PERSON, async (ask) => {
    for (let question = QUESTION; ; question = AGAIN) {
      const chosen = readChoice(await ask(`${inLanguage(question, language)} `), choices);
      if (chosen) return chosen;
    }
  });
}

/** Numbers and names; undefined where a word is neither. */
export function readChoice(answer: string, choices: readonly Choice[]): string[] | undefined {
  const words = answer.split(/[\s,，]+/).filter((word) => word !== '');
  const sound = choices.filter((choice) => 'manifest' in choice);
  if (words.length === 1 && words[0] === 'a') return sound.map(folderOf);
  const found = words.map((word) =>
    sound.find((choice) => String(choices.indexOf(choice) + 1) === word || nameOf(choice) === word),
  );
  return found.includes(undefined) ? undefined : found.flatMap((choice) => (choice ? [folderOf(choice)] : []));
}

const QUESTION: Text = {
  en: 'Which ones? Numbers or names, a = all, Enter = none:',
  zh: '安装哪些？输入编号或名称，a = 全部，回车 = 不安装:',
};
const AGAIN: Text = {
  en: 'Only numbers and names of the list that are not damaged; a = all, Enter = none:',
  zh: '仅限列表中未损坏的编号或名称；a = 全部，回车 = 不安装:',
};
const TITLES: readonly Text[] = [
  { en: '#', zh: '#' },
  { en: 'NAME', zh: '名称' },
  { en: 'DESCRIPTION', zh: '描述' },
];

function folderOf(choice: Choice): string {
  return 'manifest' in choice ? choice.offered.folder : choice.folder;
}

function nameOf(choice: Choice): string {
  return 'manifest' in choice ? choice.manifest.name : ownName(choice.folder);
}

function aboutOf(choice: Choice, language: Language): string {
  if ('manifest' in choice) return choice.manifest.description.replace(/\s+/g, ' ');
  const reason = visible(inLanguage(choice.reason, language));
  return inLanguage({ en: `damaged: ${reason}`, zh: `已损坏: ${reason}` }, language);
}
