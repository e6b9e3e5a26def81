// `config`: the settings that count here, and the files they come from.
import { type SettingsReport, showSettings } from '../../../app/project/settings.ts';
import { inLanguage, type Language, type Text } from '../../../base/language.ts';
import { makeOutcome } from '../../../base/outcome.ts';
import { renderTable } from '../../../base/text/terminal.ts';
import type { Command } from '../../frame/command.ts';
import { shortPath } from '../../view/diagnostic.ts';
import { titledColumns } from '../../view/titled-columns.ts';

export const command: Command = {
  about: {
    en: 'Settings are JSON files that you edit; `skillwright schema config` lists what can stand in them. Those of a project count as far as they only tighten, or once it is trusted.',
    zh: '配置是由您编辑的 JSON 文件；`skillwright schema config` 列出可用项。项目配置仅在收紧限制或受信任后生效。',
  },
  positionals: [],
  options: [],
  examples: ['skillwright config', 'skillwright config --json'],
  async run({ runtime, terminal }) {
    const { language, project } = runtime;
    const report = await showSettings(runtime);
    const rows = report.settings.map(({ setting, value, from, counts }) => [
      setting,
      inLanguage(counts ? YES : NO, language),
      shortPath(report.files[from], project),
      typeof value === 'string' ? value : JSON.stringify(value),
    ]);
    const { user, project: own } = report.files;
    const places = [user, own].map((file) => `  ${shortPath(file, project)}`).join('\n');
    return {
      outcome: makeOutcome(runtime.answering('skillwright', 'own'), 'success', summarize(report), {
        files: report.files,
        settings: report.settings,
      }),
      human: rows.length === 0 ? places : renderTable(columns(language), rows, terminal),
      hint: hintOn(report)[language],
    };
  },
};

const YES: Text = { en: 'yes', zh: '是' };
const NO: Text = { en: 'no', zh: '否' };
const WHAT_CAN_BE: Text = {
  en: '`skillwright schema config` lists what can be set.',
  zh: '`skillwright schema config` 列出可设置的内容。',
};
const WHEN_TRUSTED: Text = {
  en: '`skillwright schema config` lists what can be set; `skillwright trust` lets the settings of the project count.',
  zh: '`skillwright schema config` 列出可设置的内容；`skillwright trust` 使项目配置生效。',
};
const TITLES: readonly Text[] = [
  { en: 'SETTING', zh: '配置项' },
  { en: 'COUNTS', zh: '生效' },
  { en: 'FROM', zh: '来源' },
  { en: 'VALUE', zh: '值' },
];

function columns(language: Language) {
  return titledColumns(TITLES, language);
}

/** Trust is spoken of only where something waits for it. */
function hintOn({ awaitsTrust }: SettingsReport): Text {
  return awaitsTrust ? WHEN_TRUSTED : WHAT_CAN_BE;
}

function summarize({ settings }: SettingsReport): Text {
  const count = settings.filter(({ counts }) => counts).length;
  if (count === 0) return { en: 'everything as it is by default', zh: '全部为默认配置' };
  return {
    en: `${count} ${count === 1 ? 'setting differs' : 'settings differ'} from the defaults`,
    zh: `${count} 项配置与默认不同`,
  };
}
