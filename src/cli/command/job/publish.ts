// `jobs publish`: a role as it is now, packed and signed, put where workers of other machines find it by digest.

import { publishRole } from '../../../app/job/publish-role.ts';
import { makeOutcome } from '../../../base/outcome.ts';
import { counted } from '../../../base/text/counted.ts';
import { renderList } from '../../../base/text/terminal.ts';
import { visible } from '../../../base/text.ts';
import { type Command, textOption } from '../../frame/command.ts';

export const command: Command = {
  about: {
    en: 'A job that is pinned to files names them by digest. A worker that lacks them fetches <digest>.zip and its signature from `packs` in its own settings, if it trusts the key. One file for each skill of the role, and one for its prompts. An address is filled by whatever serves it: publish to a folder and copy.',
    zh: '固定到文件的任务以摘要指明文件。缺少文件的执行者从其个人配置的 `packs` 处获取 <摘要>.zip 及签名，前提是信任该密钥。角色的每个技能一个文件，提示词一个文件。地址由其服务器填充: 先发布到目录再复制。',
  },
  positionals: [{ name: 'role', required: true, summary: { en: 'a role of agents/', zh: 'agents/ 中的角色' } }],
  options: [
    {
      name: 'to',
      value: 'FOLDER',
      summary: { en: 'the folder; `packs` of your settings unless given', zh: '目标目录；默认取个人配置的 `packs`' },
    },
    {
      name: 'key',
      value: 'NAME',
      summary: { en: 'the key to sign with; default unless given', zh: '签名所用密钥；默认 default' },
    },
  ],
  examples: [
    'skillwright jobs publish dev_efficiency_analyst',
    'skillwright jobs publish dev_efficiency_analyst --to ./packs --key work',
  ],
  async run({ positionals: [name = ''], options, runtime, terminal }) {
    const order = { role: name, to: textOption(options, 'to'), key: textOption(options, 'key') ?? 'default' };
    const { folder, packs, signer } = await publishRole(order, runtime);
    const summary = {
      en: `published ${visible(name)}: ${counted(packs.length, 'pack')} in ${visible(folder)}, signed by ${signer}`,
      zh: `已发布 ${visible(name)}: ${packs.length} 个包，位于 ${visible(folder)}，签名 ${signer}`,
    };
    const lines = packs.map(({ name: what, digest }): [string, string] => [visible(what), digest]);
    return {
      outcome: makeOutcome(runtime.answering('jobs', 'own'), 'success', summary, { role: name, folder, signer, packs }),
      human: renderList(lines, terminal),
    };
  },
};
