// `install`: skills from a zip or .skill file, a folder, a repository or a site; nothing of them is run.
import path from 'node:path';
import { choosePlace, installOptions, runInstall, withSourcePlaces } from '../../../app/install/carry-out.ts';
import { Fault } from '../../../base/errors.ts';
import { visible } from '../../../base/text.ts';
import { ARCHIVE_SUFFIXES } from '../../../distribution/archive/types.ts';
import type { JudgedSkill } from '../../../distribution/judge.ts';
import { type LockedSkill, readLock } from '../../../distribution/lock.ts';
import { type InstallPlace, SCOPES } from '../../../distribution/place.ts';
import { foreignHash, readForeignLock } from '../../../distribution/source/foreign-lock.ts';
import type { Origin } from '../../../distribution/source/offer.ts';
import { reopenSources } from '../../../distribution/source/reopen.ts';
import { openSource } from '../../../distribution/source/source.ts';
import { recover } from '../../../distribution/transaction.ts';
import { verifySkill } from '../../../distribution/verify.ts';
import { type Command, type CommandContext, isOn, type Reply, textOption } from '../../frame/command.ts';
import { commandLine } from '../../frame/command-line.ts';

function list(words: readonly string[], comma: string, last: string): string {
  return [words.slice(0, -1).join(comma), ...words.slice(-1)].join(last);
}

export const command: Command = {
  about: {
    en: 'Files are staged, hashed and inspected, you are shown what the skill may use, and only a yes puts them in place. --yes answers unless something grave was found: then a person has to. Inspection informs; it is no proof of safety.',
    zh: '文件先暂存、计算哈希并检查，展示技能权限，确认后才就位。--yes 可代为确认，但发现严重问题时必须由人决定。检查仅供参考，不代表安全。',
  },
  positionals: [
    {
      name: 'source',
      summary: {
        en: `a ${list(ARCHIVE_SUFFIXES, ', ', ' or ')} file, a folder, a repository (path, https, ssh, github:owner/name) or a site; none with --frozen`,
        zh: `${list(ARCHIVE_SUFFIXES, '、', ' 或 ')} 文件、目录、仓库（路径、https、ssh、github:owner/name）或站点；--frozen 时不写`,
      },
    },
    { name: 'skill', many: true, summary: { en: 'only these skills of it', zh: '仅安装其中这些技能' } },
  ],
  options: [
    {
      name: 'scope',
      value: 'SCOPE',
      choices: SCOPES,
      summary: {
        en: 'for this project or for you everywhere; the project unless given',
        zh: '安装到项目或用户；默认项目',
      },
    },
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
    { name: 'backup', summary: { en: 'keep what is replaced until you throw it away', zh: '永久保留被替换的版本' } },
    { name: 'dry-run', summary: { en: 'show what would happen', zh: '仅显示将发生的变化' } },
    { name: 'frozen', summary: { en: 'exactly what the lock says, or fail', zh: '严格按锁文件安装' } },
  ],
  examples: [
    'skillwright install ./skills-pack.zip',
    'skillwright install github:anthropics/skills pdf xlsx --ref main --path skills',
    'skillwright install https://skills.example.com code-review --scope user --yes',
    'skillwright install --frozen',
  ],
  async run(context) {
    const { runtime, options } = context;
    runtime.requireConfig();
    const place = choosePlace(runtime, options);
    return isOn(options, 'frozen') ? await installFrozen(place, context) : await installSource(place, context);
  },
};

async function installSource(place: InstallPlace, context: CommandContext): Promise<Reply> {
  const { positionals, options, runtime } = context;
  const [location, ...names] = positionals;
  if (location === undefined)
    throw new Fault('Usage', { en: 'install needs a source, or --frozen', zh: '请给出来源，或使用 --frozen' });
  const ref = textOption(options, 'ref');
  const below = textOption(options, 'path')?.replace(/^\.\/|\/+$/g, '');
  const wish = { location, names, ...(ref !== undefined && { ref }), ...(below !== undefined && { path: below }) };
  const offers = await withSourcePlaces(runtime, process.cwd(), (places) => openSource(wish, places));
  const again = commandLine('install', command, context);
  return await runInstall({ place, offers, options: installOptions(options), again }, context);
}

/** What is in place already is left alone; everything else comes from where the lock says, or not at all. */
async function installFrozen(place: InstallPlace, context: CommandContext): Promise<Reply> {
  const { runtime, positionals, options } = context;
  if (positionals.length > 0) throw new Fault('Usage', { en: '--frozen takes no source', zh: '--frozen 不接受来源' });
  recover(place);
  const wanted = frozenSkills(place, context).filter((skill) => !isInPlace(skill, place));
  const base = place.scope === 'project' ? runtime.project : process.cwd();
  const reopening = { aim: 'pinned', isTrusted: place.scope === 'user' || runtime.trusted } as const;
  const offers = await withSourcePlaces(runtime, base, (places) => reopenSources(wanted, reopening, places));
  const again = commandLine('install', command, context);
  const check = (items: readonly JudgedSkill[]) => requireLocked(items, wanted);
  return await runInstall({ place, offers, options: installOptions(options), again, check }, context);
}

interface Frozen {
  readonly name: string;
  readonly source: Origin;
  readonly digest?: string;
  /** The hash another tool keeps. */
  readonly hash?: string;
}

function frozenSkills(place: InstallPlace, { runtime }: CommandContext): Frozen[] {
  const { skills } = readLock(place.lockFile);
  const foreign = skills.length === 0 && place.scope === 'project' ? readForeignLock(runtime.project) : [];
  const found = [
    ...skills.map(({ name, source, digest }: LockedSkill) => ({ name, source, digest })),
    ...foreign.map(({ name, origin, hash }) => ({ name, source: origin, ...(hash !== undefined && { hash }) })),
  ];
  if (found.length > 0) return found;
  throw new Fault('DataNotFound', visible(place.lockFile), {
    hint: { en: 'Nothing is locked yet: install something first.', zh: '锁文件为空: 请先安装。' },
  });
}

function isInPlace({ name }: Frozen, place: InstallPlace): boolean {
  const locked = readLock(place.lockFile).skills.find((skill) => skill.name === name);
  return locked !== undefined && verifySkill(path.join(place.root, locked.folder), locked).state === 'ok';
}

function requireLocked(items: readonly JudgedSkill[], wanted: readonly Frozen[]): void {
  for (const { candidate } of items) {
    const { manifest, digest, offered } = candidate;
    const locked = wanted.find(({ name }) => name === manifest.name);
    const isSame = locked?.digest === undefined || locked.digest === digest.digest;
    const isSameElsewhere = locked?.hash === undefined || locked.hash === foreignHash(offered.files);
    if (!locked || !isSame || !isSameElsewhere)
      throw new Fault('IntegrityMismatch', {
        en: `${visible(manifest.name)}: its source no longer has what the lock says`,
        zh: `${visible(manifest.name)}: 来源内容与锁文件不符`,
      });
  }
}
