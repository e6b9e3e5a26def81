// What a server says of its skills (the Skills extension of the protocol), as data that nobody believes: bounded, and with
// every file below its skill.
import { canonicalJson, isRecord, type Json, toJson } from '../../base/json.ts';
import type { Text } from '../../base/language.ts';
import { findHidden, visible } from '../../base/text.ts';
import { type Digest, isDigest, makeDigest } from '../../base/value/digest.ts';

export interface ServedFile {
  /** Below the skill, with / between the parts; not judged as a name of files yet. */
  readonly path: string;
  readonly uri: string;
  readonly digest: Digest;
  readonly size: number;
}

export interface ServerSkill {
  /** Of its SKILL.md: what it is called on its server, where two may have one name. */
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  readonly frontmatter: Readonly<Record<string, Json>>;
  /** Absent where the server promises none that stay as they are. */
  readonly files?: readonly ServedFile[];
  /** Of the addresses and digests of all files: what a yes is for. */
  readonly digest: Digest;
}

/** An entry that says nothing anybody could hold the server to. */
export interface RefusedEntry {
  readonly uri?: string;
  readonly reason: Text;
}

/** What every host has to take, and this one takes no more. */
export const SERVED_LIMITS = { entries: 512, fileBytes: 16 << 20, totalBytes: 16 << 20, ratio: 1 } as const;

export const SKILL_FILE = 'SKILL.md';
const ADDRESS = /^[a-z][a-z0-9+.-]*:\/\/[^\s?#]+\/SKILL\.md$/i;
const LONGEST_ADDRESS = 2048;
const LONGEST_ENTRY = 1024 * 1024;

export function isSkillAddress(written: string): boolean {
  return written.length <= LONGEST_ADDRESS && ADDRESS.test(written) && findHidden(written).length === 0;
}

export function readServerSkill(value: unknown): ServerSkill | RefusedEntry {
  const uri = isRecord(value) && typeof value.uri === 'string' ? value.uri : undefined;
  if (!isRecord(value) || uri === undefined || !isSkillAddress(uri))
    return refused(uri, { en: 'its address does not end in /SKILL.md', zh: '其地址不以 /SKILL.md 结尾' });
  if (canonicalJson(value).length > LONGEST_ENTRY)
    return refused(uri, {
      en: `over ${LONGEST_ENTRY} bytes about one skill`,
      zh: `单个技能的说明超过 ${LONGEST_ENTRY} 字节`,
    });
  const { frontmatter, resources } = value;
  const told = isRecord(frontmatter) ? toJson(frontmatter) : undefined;
  if (!isRecord(told) || typeof told.name !== 'string' || typeof told.description !== 'string')
    return refused(uri, { en: 'it has no name or no description', zh: '缺少 name 或 description' });
  const { name, description } = told;
  if (decoded(rootOf(uri).split('/').at(-1) ?? '') !== name)
    return refused(uri, {
      en: `it is called ${visible(name)}, and its address says otherwise`,
      zh: `其名称为 ${visible(name)}，与地址不符`,
    });
  const facts = { uri, name, description, frontmatter: told };
  if (resources === 'dynamic') return { ...facts, digest: digestOf(uri, []) };
  const files = Array.isArray(resources) ? resources.map((one) => readFile(one, uri)) : [];
  const wrong = files.find((file) => 'reason' in file);
  if (wrong) return refused(uri, wrong.reason);
  const sound = files.filter((file) => 'path' in file);
  const reason = whyIncomplete(sound);
  return reason ? refused(uri, reason) : { ...facts, files: sound, digest: digestOf(uri, sound) };
}

function refused(uri: string | undefined, reason: Text): RefusedEntry {
  return { ...(uri !== undefined && { uri }), reason };
}

function whyIncomplete(files: readonly ServedFile[]): Text | undefined {
  const { entries, totalBytes } = SERVED_LIMITS;
  if (!files.some(({ path }) => path === SKILL_FILE))
    return { en: 'its list of files has no SKILL.md', zh: '文件列表中没有 SKILL.md' };
  if (files.length > entries)
    return { en: `${files.length} files, at most ${entries}`, zh: `${files.length} 个文件，最多 ${entries} 个` };
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  if (bytes > totalBytes)
    return { en: `${bytes} bytes, at most ${totalBytes}`, zh: `${bytes} 字节，最多 ${totalBytes}` };
  return undefined;
}

function readFile(value: unknown, skill: string): ServedFile | { readonly reason: Text } {
  const { uri, digest, size } = isRecord(value) ? value : {};
  if (typeof uri !== 'string' || !isDigest(digest) || !isSize(size))
    return { reason: { en: 'a file without address, digest or size', zh: '有文件缺少地址、摘要或大小' } };
  const path = uri.length <= LONGEST_ADDRESS ? pathBelow(skill, uri) : undefined;
  const shown = visible(uri.slice(0, 120));
  return path === undefined
    ? { reason: { en: `${shown} is no file of it`, zh: `${shown} 不是其中的文件` } }
    : { path, uri, digest, size };
}

function isSize(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/** As it is written: no spelling is taken for another, so that none leads out of the skill. */
export function pathBelow(skill: string, uri: string): string | undefined {
  const root = `${rootOf(skill)}/`;
  if (!uri.startsWith(root) || /[?#]/.test(uri)) return undefined;
  const parts = uri.slice(root.length).split('/').map(decoded);
  return parts.some((part) => part === undefined || part.includes('/')) ? undefined : parts.join('/');
}

function rootOf(uri: string): string {
  return uri.slice(0, -SKILL_FILE.length - 1);
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

function digestOf(uri: string, files: readonly ServedFile[]): Digest {
  const lines = files.map((file) => [file.uri, file.digest]).sort(([a = ''], [b = '']) => (a < b ? -1 : 1));
  return makeDigest(JSON.stringify([uri, ...lines]));
}
