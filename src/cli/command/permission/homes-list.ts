// `homes list`: the homes that skills keep between runs, by your consent.
import { listHomes } from '../../../app/grant/homes.ts';
import type { Text } from '../../../base/language.ts';
import { makeOutcome } from '../../../base/outcome.ts';
import { counted } from '../../../base/text/counted.ts';
import { renderTable } from '../../../base/text/terminal.ts';
import { visible } from '../../../base/text.ts';
import type { Command } from '../../frame/command.ts';
import { titledColumns } from '../../view/titled-columns.ts';

export const command: Command = {
  positionals: [],
  options: [],
  examples: ['skillwright homes list', 'skillwright homes list --json'],
  async run({ runtime, terminal }) {
    const homes = listHomes(runtime);
    const summary = { en: counted(homes.length, 'home'), zh: `共 ${homes.length} 个主目录` };
    const outcome = makeOutcome(runtime.answering('skillwright', 'own'), 'success', summary, { homes });
    if (homes.length === 0) return { outcome };
    const rows = homes.map(({ skill, source, files, bytes, folder }) => [
      visible(skill),
      source,
      String(files),
      String(bytes),
      visible(folder),
    ]);
    return { outcome, human: renderTable(titledColumns(TITLES, runtime.language), rows, terminal) };
  },
};

const TITLES: readonly Text[] = [
  { en: 'SKILL', zh: '技能' },
  { en: 'SOURCE', zh: '来源' },
  { en: 'FILES', zh: '文件数' },
  { en: 'BYTES', zh: '字节' },
  { en: 'FOLDER', zh: '目录' },
];
