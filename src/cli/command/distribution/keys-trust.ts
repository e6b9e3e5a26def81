// `keys trust`: from now on, signatures made with this key count.
import { trustKey } from '../../../app/pack/key.ts';
import { makeOutcome } from '../../../base/outcome.ts';
import { visible } from '../../../base/text.ts';
import { type Command, isOn, textOption } from '../../frame/command.ts';

export const command: Command = {
  positionals: [
    {
      name: 'file',
      required: true,
      summary: {
        en: 'a .pub file of Skillwright or of ssh (ed25519)',
        zh: 'Skillwright 或 ssh（ed25519）的 .pub 文件',
      },
    },
  ],
  options: [
    {
      name: 'name',
      value: 'NAME',
      summary: { en: 'what to call it; else the name in the file', zh: '名称；默认取自文件' },
    },
    { name: 'force', summary: { en: 'trust a key again that was revoked', zh: '重新信任已撤销的密钥' } },
  ],
  examples: ['skillwright keys trust alice.pub --name alice', 'skillwright keys trust ~/.ssh/id_ed25519.pub'],
  async run({ positionals: [file = ''], options, runtime }) {
    const order = { file, name: textOption(options, 'name'), force: isOn(options, 'force') };
    const { id, name } = trustKey(order, runtime);
    const said = { en: `trusted: ${visible(name)} (${id})`, zh: `已信任: ${visible(name)} (${id})` };
    return {
      outcome: makeOutcome(runtime.answering('skillwright', 'own'), 'success', said, { key_id: id, name }),
    };
  },
};
