// `sign`: writes `<pack>.sig` beside a pack, with a key of the user's own.
import path from 'node:path';
import { signPackFile } from '../../../app/pack/pack.ts';
import { makeOutcome } from '../../../base/outcome.ts';
import { visible } from '../../../base/text.ts';
import { type Command, isOn, textOption } from '../../frame/command.ts';

export const command: Command = {
  about: {
    en: 'The signature names every skill with version and digest, the file and the key. It says who made it, never that it is safe. `ssh-keygen -Y sign -n agent-skill@v1` makes signatures that are accepted too.',
    zh: '签名包含每个技能的名称、版本与摘要，以及文件和密钥。它说明作者是谁，不代表安全。也接受 `ssh-keygen -Y sign -n agent-skill@v1` 的签名。',
  },
  positionals: [
    { name: 'pack', required: true, summary: { en: 'a pack (an archive of skills)', zh: '技能包（压缩包）' } },
  ],
  options: [
    {
      name: 'key',
      value: 'NAME',
      summary: { en: 'the key to sign with; default unless given', zh: '签名所用密钥；默认 default' },
    },
    { name: 'force', summary: { en: 'write over a signature that is there', zh: '覆盖已有签名' } },
  ],
  examples: ['skillwright sign skills-pack.zip --key work'],
  async run({ positionals: [pack = ''], options, runtime }) {
    const order = { pack, key: textOption(options, 'key') ?? 'default', force: isOn(options, 'force') };
    const { file, keyId, skills } = signPackFile(order, runtime);
    const shown = visible(path.basename(file));
    return {
      outcome: makeOutcome(
        runtime.answering('skillwright', 'own'),
        'success',
        { en: `signed: ${shown} (${keyId})`, zh: `已签名: ${shown} (${keyId})` },
        { path: file, key_id: keyId, skills },
      ),
    };
  },
};
