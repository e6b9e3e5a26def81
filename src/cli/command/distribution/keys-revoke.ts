// `keys revoke`: signatures made with this key no longer count.
import { revokeKey } from '../../../app/pack/key.ts';
import { makeOutcome } from '../../../base/outcome.ts';
import { visible } from '../../../base/text.ts';
import type { Command } from '../../frame/command.ts';

export const command: Command = {
  positionals: [{ name: 'key', required: true, summary: { en: 'its name or id', zh: '名称或编号' } }],
  options: [],
  examples: ['skillwright keys revoke alice'],
  async run({ positionals: [written = ''], runtime }) {
    const { id, name } = revokeKey(written, runtime);
    const said = { en: `revoked: ${visible(name)} (${id})`, zh: `已撤销: ${visible(name)} (${id})` };
    return { outcome: makeOutcome(runtime.answering('skillwright', 'own'), 'success', said, { key_id: id, name }) };
  },
};
