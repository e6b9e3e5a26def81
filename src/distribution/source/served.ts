// Skills that a server of the user's serves: one by its name or address, every file read as it was listed, then judged like
// any other source.
import { Fault } from '../../base/errors.ts';
import { nearest, visible } from '../../base/text.ts';
import type { SkillListing, SkillReader } from '../../network/mcp/server-connection.ts';
import { isSkillAddress, SERVED_LIMITS, type ServerSkill } from '../../network/mcp/server-skill.ts';
import { checkFiles } from './folder.ts';
import type { Offer, OfferedFile } from './offer.ts';
import { type ServedName, servedLocation } from './served-name.ts';

/** The servers of the user's settings, as far as they offer skills. */
export interface ServedSources {
  readonly names: readonly string[];
  /** Throws a Fault where it does not answer, and where it offers none. */
  open(server: string): Promise<SkillReader>;
}

/** As a person names it: by its name, where that says which one it is. */
export function servedAddress(server: string, skill: ServerSkill, all: readonly ServerSkill[]): string {
  const isAlone = all.filter(({ name }) => name === skill.name).length === 1;
  return `${server}:${isAlone ? skill.name : skill.uri}`;
}

export async function findServed({ server, skill }: ServedName, skills: SkillReader): Promise<ServerSkill> {
  if (isSkillAddress(skill)) return (await skills.get(skill)) ?? raise(notServed(server, skill, []));
  const listing = await skills.list();
  const found = listing.skills.filter(({ name }) => name === skill);
  const [only] = found;
  if (only && found.length === 1) return only;
  if (found.length > 1) throw severalServed(server, skill, found);
  requireNotRefused(server, skill, listing);
  // A listing may leave out what the server has all the same.
  const unlisted = /^[a-z0-9-]+$/.test(skill) ? await skills.get(`skill://${skill}/SKILL.md`) : undefined;
  return unlisted ?? raise(notServed(server, skill, listing.skills));
}

/** Read whole before anything of it is staged: one file that is not what was listed, and there is no offer. */
export async function openServed(name: ServedName, skills: SkillReader): Promise<Offer> {
  const skill = await findServed(name, skills);
  const listed = listedFiles(name.server, skill);
  const bytes = await skills.readAll(skill);
  const files = listed.map(
    (file): OfferedFile => ({ ...file, read: () => bytes.get(file.path) ?? raise(new Fault('Internal', file.path)) }),
  );
  return {
    origin: { kind: 'mcp', location: servedLocation(name.server, skill.uri), digest: skill.digest },
    skills: [{ folder: '', folderName: skill.name, files }],
    stillOffered: async () => requireSame(name.server, skill, await skills.get(skill.uri)),
  };
}

/** Judged by their names and sizes, before the first is asked for. */
export function listedFiles(server: string, { uri, files }: ServerSkill): Omit<OfferedFile, 'read'>[] {
  if (!files)
    throw new Fault(
      'PermissionDenied',
      {
        en: `${visible(`${server}: ${uri}`)} is made up anew by its server each time: nobody could say what was agreed to`,
        zh: `${visible(`${server}: ${uri}`)} 由服务器每次动态生成: 无法确定所同意的内容`,
      },
      { hint: { en: 'Only skills with listed digests are installed.', zh: '只能安装列出摘要的技能。' } },
    );
  const listed = files.map(({ path, size }) => ({ path, size, executable: false }));
  checkFiles({ files: listed.map((file) => ({ ...file, read: () => Buffer.of() })) }, SERVED_LIMITS);
  return listed;
}

function requireSame(server: string, skill: ServerSkill, now: ServerSkill | undefined): void {
  if (now?.digest === skill.digest) return;
  const shown = visible(`${server}:${skill.name}`);
  throw new Fault(
    'IntegrityMismatch',
    {
      en: `${shown} was changed on its server after it was shown`,
      zh: `${shown} 在展示之后已被服务器更改`,
    },
    { hint: { en: 'Nothing was installed; ask for it again.', zh: '未安装任何内容；请重新执行。' } },
  );
}

function requireNotRefused(server: string, skill: string, { refused }: SkillListing): void {
  const entry = refused.find(({ uri }) => uri?.endsWith(`/${skill}/SKILL.md`));
  if (!entry) return;
  const shown = visible(`${server}: ${entry.uri}`);
  throw new Fault('IntegrityMismatch', { en: `${shown}: ${entry.reason.en}`, zh: `${shown}: ${entry.reason.zh}` });
}

function severalServed(server: string, skill: string, found: readonly ServerSkill[]): Fault {
  const list = found.map(({ uri }) => visible(`${server}:${uri}`)).join(', ');
  return new Fault('Usage', {
    en: `${server} has several skills called ${visible(skill)}; name one by its address: ${list}`,
    zh: `${server} 有多个名为 ${visible(skill)} 的技能；请写出地址: ${list}`,
  });
}

function notServed(server: string, skill: string, listed: readonly ServerSkill[]): Fault {
  const [shown, typed] = [visible(skill), `skillwright list --from ${server}`];
  const names = listed.map(({ name }) => name);
  const near = nearest(skill, names).map(visible).join(', ');
  const otherwise = { en: `\`${typed}\` lists what it offers.`, zh: `\`${typed}\` 列出其提供的技能。` };
  return new Fault(
    'DataNotFound',
    { en: `${server} serves no skill ${shown}`, zh: `${server} 不提供技能 ${shown}` },
    { hint: near === '' ? otherwise : { en: `Did you mean ${near}?`, zh: `您是否想输入 ${near}？` } },
  );
}

function raise(fault: Fault): never {
  throw fault;
}
