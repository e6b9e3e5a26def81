// `keys list`: the keys whose signatures count, and those that no longer do.
import { makeOutcome } from '../base/outcome.ts';
import { renderTable } from '../base/terminal.ts';
import { openKeyStore } from '../distribution/key-store.ts';
import type { Command } from './command.ts';

export const command: Command = {
  positionals: [],
  options: [],
  examples: ['skillwright keys list --json'],
  async run({ runtime, terminal }) {
    const keys = openKeyStore(runtime.home)
      .list()
      .map(({ id, name, trusted, revoked }) => ({ key_id: id, name, trusted, revoked: revoked ?? null }));
    const said = { en: `${keys.length} keys`, zh: `${keys.length} 个密钥` };
    const columns = [{ title: 'name' }, { title: 'key' }, { title: 'trusted' }, { title: 'revoked' }];
    const rows = keys.map(({ name, key_id, trusted, revoked }) => [name, key_id, trusted, revoked ?? '']);
    return {
      outcome: makeOutcome(runtime.answering('skillwright', 'own'), 'success', said, { keys }),
      ...(rows.length > 0 && { human: renderTable(columns, rows, terminal) }),
    };
  },
};
