// `restore`: brings a skill back from the trash; without a name it shows what is there.
import type { Runtime } from '../../../app/runtime.ts';
import { Fault } from '../../../base/errors.ts';
import type { Text } from '../../../base/language.ts';
import { makeOutcome } from '../../../base/outcome.ts';
import { renderTable } from '../../../base/text/terminal.ts';
import { visible } from '../../../base/text.ts';
import { findPlaces, type InstallPlace, placeAt } from '../../../distribution/place.ts';
import { findInTrash, listTrash, type TrashRecord, throwAway } from '../../../distribution/trash.ts';
import { restoreSkill } from '../../../distribution/uninstall.ts';
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
      summary: { en: 'throw it away instead; without a name everything', zh: '改为彻底删除；不写名称则全部' },
    },
  ],
  examples: ['skillwright restore', 'skillwright restore pdf', 'skillwright restore --purge'],
  async run(context) {
    const { positionals, options, runtime } = context;
    const [written] = positionals;
    const places = allPlaces(runtime);
    const records = trashOf(runtime).filter(({ root }) => places.some((place) => place.root === root));
    if (isOn(options, 'purge'))
      return purge(written === undefined ? records : [findInTrash(records, written)], context);
    if (written === undefined) return list(records, context);
    const { root, id } = findInTrash(records, written);
    const place = places.find((one) => one.root === root);
    if (!place) throw new Fault('DataNotFound', visible(written));
    const record = restoreSkill(place, id);
    runtime.index();
    const shown = visible(record.name);
    const data = { restored: record.name, scope: place.scope, version: record.locked?.version ?? null };
    const said = { en: `restored: ${shown}`, zh: `已恢复: ${shown}` };
    return { outcome: makeOutcome(runtime.answering('skillwright', 'own'), 'success', said, data) };
  },
};

/** Also the roots nothing is installed into: what lay there was taken away from there. */
function allPlaces(runtime: Runtime): InstallPlace[] {
  return runtime.roots.filter(({ source }) => source !== 'builtin').map((root) => placeAt(root, runtime));
}

function trashOf(runtime: Runtime): TrashRecord[] {
  const [place] = findPlaces(runtime);
  return place ? listTrash(place.trash) : [];
}

function purge(records: readonly TrashRecord[], { runtime }: CommandContext): Reply {
  const [place] = findPlaces(runtime);
  if (place) for (const record of records) throwAway(place.trash, record);
  const said = { en: `thrown away: ${records.length}`, zh: `已彻底删除: ${records.length}` };
  const data = { purged: records.map(({ id, name }) => ({ id, name })) };
  return { outcome: makeOutcome(runtime.answering('skillwright', 'own'), 'success', said, data) };
}

const TITLES: readonly Text[] = [
  { en: 'ID', zh: '编号' },
  { en: 'SKILL', zh: '技能' },
  { en: 'VERSION', zh: '版本' },
  { en: 'REASON', zh: '原因' },
];

function list(records: readonly TrashRecord[], { runtime, terminal }: CommandContext): Reply {
  const items = records.map(({ id, name, reason, removed, locked, backup }) => ({
    id,
    name,
    version: locked?.version ?? null,
    reason,
    removed,
    backup,
  }));
  const said = { en: `${items.length} in the trash`, zh: `回收区中有 ${items.length} 项` };
  const columns = titledColumns(TITLES, runtime.language);
  const rows = items.map(({ id, name, version, reason }) => [id, name, version ?? '', reason]);
  return {
    outcome: makeOutcome(runtime.answering('skillwright', 'own'), 'success', said, { items }),
    ...(rows.length > 0 && { human: renderTable(columns, rows, terminal) }),
  };
}
