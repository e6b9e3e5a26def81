// `keys generate`: a key pair of the user's own for signing packs.
import { generateOwnKey } from '../../../app/pack/key.ts';
import { makeOutcome } from '../../../base/outcome.ts';
import { visible } from '../../../base/text.ts';
import type { Command } from '../../frame/command.ts';

export const command: Command = {
  positionals: [
    { name: 'name', summary: { en: 'what to call it; default unless given', zh: '密钥名称；默认 default' } },
  ],
  options: [],
  examples: ['skillwright keys generate', 'skillwright keys generate work'],
  about: {
    en: 'The private half stays under home, readable by you alone. Give others the .pub file.',
    zh: '私钥保存在主目录下，仅本人可读。请将 .pub 文件交给他人。',
  },
  async run({ positionals: [name = 'default'], runtime }) {
    const { key, publicFile } = generateOwnKey(name, runtime);
    const said = { en: `new key ${key.id}: ${visible(publicFile)}`, zh: `新密钥 ${key.id}: ${visible(publicFile)}` };
    const data = { key_id: key.id, name, public_file: publicFile };
    return { outcome: makeOutcome(runtime.answering('skillwright', 'own'), 'success', said, data) };
  },
};
