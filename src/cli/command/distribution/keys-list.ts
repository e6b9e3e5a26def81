// `keys list`: the keys whose signatures count, and those that no longer do.
import { listKeys } from '../../../app/pack/key.ts';
import type { Text } from '../../../base/language.ts';
import { makeOutcome } from '../../../base/outcome.ts';
import { renderTable } from '../../../base/text/terminal.ts';
import type { Command } from '../../frame/command.ts';
import { titledColumns } from '../../view/titled-columns.ts';

export const command: Command = {
  positionals: [],
  options: [],
  examples: ['skillwright keys list --json'],
  async run({ runtime, terminal }) {
    const keys = listKeys(runtime).map(({ id, name, trusted, revoked }) => ({
      key_id: id,
      name,
      trusted,
      revoked: revoked ?? null,
    }));
    const said = { en: `${keys.length} ${keys.length === 1 ? 'key' : 'keys'}`, zh: `${keys.length} 个密钥` };
    const columns = titledColumns(TITLES, runtime.language);
    const rows = keys.map(({ name, key_id, trusted, revoked }) => [name, key_id, trusted, revoked ?? '']);
    return {
      outcome: makeOutcome(runtime.answering('skillwright', 'own'), 'success', said, { keys }),
      ...(rows.length > 0 && { human: renderTable(columns, rows, terminal) }),
    };
  },
};

const TITLES: readonly Text[] = [
  { en: 'NAME', zh: '名称' },
  { en: 'KEY', zh: '密钥' },
  { en: 'TRUSTED', zh: '信任时间' },
  { en: 'REVOKED', zh: '吊销时间' },
];
