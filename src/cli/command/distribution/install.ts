// `install`: skills from a zip or .skill file, a folder, a repository, a site or a server; nothing of them is run.
import { installFrozen, installSource } from '../../../app/install/install.ts';
import { Fault } from '../../../base/errors.ts';
import { ARCHIVE_SUFFIXES } from '../../../distribution/archive/types.ts';
import type { SourceWish } from '../../../distribution/source/source.ts';
import { type Command, type CommandContext, isForProgram, isOn, listOption, textOption } from '../../frame/command.ts';
import { commandLine } from '../../frame/command-line.ts';
import { DIGEST, FOR_AGENT, readInstallOrder, scopeOption } from '../../frame/install-arguments.ts';
import { replyToInstall } from '../../view/install-result.ts';
import { openWaiting } from '../../view/waiting.ts';

function list(words: readonly string[], comma: string, last: string): string {
  return [words.slice(0, -1).join(comma), ...words.slice(-1)].join(last);
}

export const command: Command = {
  about: {
    en: 'Where a source has several skills and none is named, a terminal lets you choose; elsewhere all are taken. Of a folder or a repository, skills whose SKILL.md is damaged are left out and named (exit code 6); a pack is taken whole or, where one of it is damaged, not at all. Each goes into a folder named as the one it comes in. Files are staged, hashed and inspected, you are shown what the skill may use, and only a yes puts them in place. --yes answers unless something grave was found: then a person has to. Inspection informs; it is no proof of safety.',
    zh: '来源有多个技能而未指定时，终端上可选择；否则全部安装。目录或仓库中 SKILL.md 损坏的技能会被略过并指明（退出码 6）；包则整体安装，其中一个损坏即全部拒绝。技能沿用来源中的目录名。文件先暂存、计算哈希并检查，展示技能权限，确认后才就位。--yes 可代为确认，但发现严重问题时必须由人决定。检查仅供参考，不代表安全。',
  },
  positionals: [
    {
      name: 'source',
      summary: {
        en: `a ${list(ARCHIVE_SUFFIXES, ', ', ' or ')} file, a folder, a repository (path, https, ssh, github:owner/name), a site, or server:skill for a skill that an MCP server of your settings serves; none with --frozen`,
        zh: `${list(ARCHIVE_SUFFIXES, '、', ' 或 ')} 文件、目录、仓库（路径、https、ssh、github:owner/name）、站点，或 server:skill（您配置的 MCP 服务器提供的技能）；--frozen 时不写`,
      },
    },
    { name: 'skill', many: true, summary: { en: 'only these skills of it', zh: '仅安装其中这些技能' } },
  ],
  options: [
    {
      name: 'skill',
      value: 'NAME',
      many: true,
      summary: { en: 'only this skill of it, as behind the source', zh: '仅安装此技能，等同于写在来源之后' },
    },
    FOR_AGENT,
    scopeOption({
      en: 'for this project or for you everywhere; the project unless given',
      zh: '安装到项目或用户；默认项目',
    }),
    {
      name: 'ref',
      value: 'REF',
      summary: { en: 'a branch, tag or commit of the repository', zh: '仓库的分支、标签或提交' },
    },
    {
      name: 'path',
      value: 'DIR',
      summary: { en: 'look only in this folder of the source', zh: '仅在来源的此目录中查找' },
    },
    {
      name: 'force',
      summary: { en: 'replace a folder that was changed by hand or made by hand', zh: '替换手工修改或手工创建的目录' },
    },
    {
      name: 'replace',
      summary: { en: 'take a skill of that name from another source or publisher', zh: '允许来源或发布者改变' },
    },
    { name: 'allow-downgrade', summary: { en: 'accept an older version', zh: '允许降级' } },
    DIGEST,
    { name: 'backup', summary: { en: 'keep what is replaced until you delete it', zh: '永久保留被替换的版本' } },
    { name: 'dry-run', summary: { en: 'show what would happen', zh: '仅显示将发生的变化' } },
    { name: 'frozen', summary: { en: 'exactly what the lock says, or fail', zh: '严格按锁文件安装' } },
  ],
  examples: [
    'skillwright install ./skills-pack.zip',
    'skillwright install github:anthropics/skills pdf xlsx --ref main --path skills',
    'skillwright install https://skills.example.com code-review --scope user --yes',
    'skillwright install ./skills --skill pdf --for claude-code',
    'skillwright install files:pdf',
    'skillwright install --frozen',
  ],
  async run(context) {
    const { options, positionals, runtime } = context;
    const isFrozen = isOn(options, 'frozen');
    if (isFrozen && positionals.length > 0)
      throw new Fault('Usage', { en: '--frozen takes no source', zh: '--frozen 不接受来源' });
    using waiting = isForProgram(options) ? undefined : openWaiting(fetchingText(context));
    const order = readInstallOrder(context, waiting);
    const result = isFrozen
      ? await installFrozen(order, runtime)
      : await installSource(readSource(context), order, runtime);
    return replyToInstall(result, commandLine('install', command, context), context);
  },
};

function fetchingText({ positionals: [source = ''], runtime }: CommandContext): string {
  return { en: `installing ${source}`, zh: `正在安装 ${source}` }[runtime.language];
}

function readSource({ positionals, options }: CommandContext): SourceWish {
  const [location, ...words] = positionals;
  const names = [...words, ...listOption(options, 'skill')];
  if (location === undefined)
    throw new Fault('Usage', { en: 'install needs a source, or --frozen', zh: '请给出来源，或使用 --frozen' });
  const ref = textOption(options, 'ref');
  const below = textOption(options, 'path')?.replace(/^\.\/|\/+$/g, '');
  return { location, names, ...(ref !== undefined && { ref }), ...(below !== undefined && { path: below }) };
}
