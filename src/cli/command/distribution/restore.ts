// `restore`: brings a skill back from the trash; without a name it shows what is there.
import { listTrashed, purgeTrashed, restoreTrashed } from '../../../app/install/trash.ts';
import type { Text } from '../../../base/language.ts';
import { makeOutcome } from '../../../base/outcome.ts';
import { renderTable } from '../../../base/text/terminal.ts';
import { visible } from '../../../base/text.ts';
import { type Command, type CommandContext, isOn, type Reply } from '../../frame/command.ts';
import { titledColumns } from '../../view/titled-columns.ts';

export const command: Command = {
  positionals: [
    {
      name: 'skill',
      summary: {
        en: 'its name, or its number in the trash; all are listed unless given',
        zh: '名称或回收区编号；默认列出全部',
      },
    },
  ],
  options: [
    {
      name: 'purge',
      summary: { en: 'delete it instead; everything without a name', zh: '改为彻底删除；不写名称则全部' },
    },
  ],
  examples: ['skillwright restore', 'skillwright restore pdf', 'skillwright restore --purge'],
  async run(context) {
    const { options, runtime } = context;
    const [written] = context.positionals;
    if (isOn(options, 'purge')) return purge(written, context);
    if (written === undefined) return list(context);
    const { record, scope } = restoreTrashed(written, runtime);
    const shown = visible(record.name);
    const data = { restored: record.name, scope, version: record.locked?.version ?? null };
    const said = { en: `restored: ${shown} (${scope})`, zh: `已恢复: ${shown} (${scope})` };
    return { outcome: makeOutcome(runtime.answering('skillwright', 'own'), 'success', said, data) };
  },
};

function purge(written: string | undefined, { runtime }: CommandContext): Reply {
  const records = purgeTrashed(written, runtime);
  const said = { en: `thrown away: ${records.length}`, zh: `已彻底删除: ${records.length}` };
  const data = { purged: records.map(({ id, name }) => ({ id, name })) };
  return { outcome: makeOutcome(runtime.answering('skillwright', 'own'), 'success', said, data) };
}

const TITLES: readonly Text[] = [
  { en: 'ID', zh: '编号' },
  { en: 'SKILL', zh: '技能' },
  { en: 'FROM', zh: '来源' },
  { en: 'VERSION', zh: '版本' },
  { en: 'REASON', zh: '原因' },
];

const REASONS = {
  uninstalled: { en: 'uninstalled', zh: '已卸载' },
  replaced: { en: 'replaced', zh: '被替换' },
} as const satisfies Record<string, Text>;

function list({ runtime, terminal }: CommandContext): Reply {
  const items = listTrashed(runtime).map(({ record, scope }) => {
    const { id, name, reason, removed, locked, backup } = record;
    return { id, name, scope, version: locked?.version ?? null, reason, removed, backup };
  });
  const said = { en: `${items.length} in the trash`, zh: `回收区中有 ${items.length} 项` };
  const columns = titledColumns(TITLES, runtime.language);
  const rows = items.map(({ id, name, scope, version, reason }) => {
    const why = REASONS[reason][runtime.language];
    return [id, name, scope, version ?? '', why];
  });
  return {
    outcome: makeOutcome(runtime.answering('skillwright', 'own'), 'success', said, { items }),
    ...(rows.length > 0 && { human: renderTable(columns, rows, terminal) }),
  };
}
