// `pack`: skills as one zip file whose bytes depend on nothing but their content.
import { statSync } from 'node:fs';
import path from 'node:path';
import { findSkill } from '../../../app/find-skill.ts';
import type { Runtime } from '../../../app/runtime.ts';
import { Fault } from '../../../base/errors.ts';
import { makeOutcome } from '../../../base/outcome.ts';
import { visible } from '../../../base/text.ts';
import { packSkills, writePack } from '../../../distribution/publish/pack.ts';
import { type Command, isOn, textOption } from '../../frame/command.ts';
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
    const folders = positionals.map((written) => locate(written, runtime));
    const file = path.resolve(textOption(options, 'output') ?? defaultName(folders));
    if (!isOn(options, 'force') && statSync(file, { throwIfNoEntry: false }))
      throw new Fault('AlreadyExists', visible(file), {
        hint: { en: '--force writes over it.', zh: '--force 将其覆盖。' },
      });
    const blockAngleBrackets = runtime.config.security.blockAngleBracketsInFrontmatter;
    const packed = packSkills(folders, { blockAngleBrackets, single: file.endsWith('.skill') });
    writePack(file, packed);
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

/** A folder where one is named as a path; otherwise a skill that is installed. */
function locate(written: string, runtime: Runtime): string {
  const isPath =
    /[/\\]|^\.\.?$/.test(written) && statSync(path.resolve(written), { throwIfNoEntry: false })?.isDirectory();
  if (isPath === true) return path.resolve(written);
  return findSkill(runtime.index(), written).folder;
}

function defaultName(folders: readonly string[]): string {
  const [first] = folders;
  return folders.length === 1 && first !== undefined ? `${path.basename(first)}.zip` : 'skills-pack.zip';
}
