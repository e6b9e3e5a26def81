// `pack`: skills as one zip file whose bytes depend on nothing but their content.
import { packNamed } from '../../../app/pack/pack.ts';
import { makeOutcome } from '../../../base/outcome.ts';
import { visible } from '../../../base/text.ts';
import { type Command, isOn, textOption } from '../../frame/command.ts';
import { SOURCE } from '../../frame/skill-arguments.ts';
import { shortPath } from '../../view/diagnostic.ts';

export const command: Command = {
  about: {
    en: 'The same content gives the same bytes on every day. Files that look like secrets, links and compiled code are refused. A name that ends in .skill makes the form for one skill.',
    zh: '相同内容在任何时候得到相同字节。疑似机密的文件、链接与编译后的代码会被拒绝。以 .skill 结尾则生成单技能格式。',
  },
  positionals: [
    {
      name: 'skill',
      required: true,
      many: true,
      skill: true,
      summary: { en: 'names of skills, or their folders', zh: '技能名称或目录' },
    },
  ],
  options: [
    SOURCE,
    {
      name: 'output',
      short: 'o',
      value: 'FILE',
      summary: {
        en: 'the file to write; <name>.zip or skills-pack.zip unless given',
        zh: '输出文件；默认 <名称>.zip 或 skills-pack.zip',
      },
    },
    { name: 'force', summary: { en: 'write over a file that is there', zh: '覆盖已有文件' } },
  ],
  examples: [
    'skillwright pack release-notes',
    'skillwright pack pdf xlsx -o office.zip',
    'skillwright pack ./my-skill -o my-skill.skill',
  ],
  async run({ positionals, options, runtime }) {
    const order = {
      skills: positionals,
      source: textOption(options, 'source'),
      output: textOption(options, 'output'),
      force: isOn(options, 'force'),
    };
    const { file, ...packed } = packNamed(order, runtime);
    const skills = packed.skills.map(({ name, version, digest, files }) => ({
      name,
      version: version ?? null,
      digest,
      files: files.length,
    }));
    const shown = shortPath(file, process.cwd());
    return {
      outcome: makeOutcome(
        runtime.answering('skillwright', 'own'),
        'success',
        {
          en: `packed ${skills.length} ${skills.length === 1 ? 'skill' : 'skills'}: ${shown}`,
          zh: `已打包 ${skills.length} 个技能: ${shown}`,
        },
        { path: file, digest: packed.digest, size: packed.bytes.length, skills },
      ),
      human: [
        `  ${packed.digest}`,
        ...skills.map(({ name, version, files }) => `  ${visible(name)} ${visible(version ?? '')} (${files})`),
      ].join('\n'),
    };
  },
};
