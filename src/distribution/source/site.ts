// Skills that a site publishes at `/.well-known/agent-skills/index.json`: each is one file, verified by its digest.
import { Fault } from '../../base/errors.ts';
import { isRecord, parseJson } from '../../base/json.ts';
import { visible } from '../../base/text.ts';
import { type Digest, isDigest, makeDigest } from '../../base/value/digest.ts';
import { inEntry } from '../archive/detail.ts';
import { ARCHIVE_LIMITS } from '../archive/type.ts';
import { openArchiveBytes } from './archive.ts';
import { checkAddress, isLoopback } from './download.ts';
import { checkFiles } from './folder.ts';
import type { Offer, OfferedFile, OfferedSkill, Origin, WantedSkills } from './offer.ts';

const INDEX_PATH = '/.well-known/agent-skills/index.json';
const SCHEMA = /^https:\/\/schemas\.agentskills\.io\/discovery\/0\.2\.\d+\/schema\.json$/;

interface Entry {
  readonly name: string;
  readonly type: 'skill-md' | 'archive';
  readonly url: string;
  readonly digest: Digest;
}

export interface SiteOptions extends WantedSkills {
  readonly download: (url: string) => Promise<Buffer>;
}

/** One offer for each skill, because each came as a file of its own. */
export async function openIndex(location: string, options: SiteOptions): Promise<Offer[]> {
  const address = checkAddress(location);
  const index = address.pathname.endsWith('.json') ? address : new URL(INDEX_PATH, address);
  const entries = readIndex((await options.download(index.href)).toString('utf8'));
  const chosen = choose(entries, options.names);
  const offers: Offer[] = [];
  let total = 0;
  for (const entry of chosen) {
    const url = addressOf(entry, index);
    const bytes = await options.download(url);
    total += bytes.length;
    if (total > ARCHIVE_LIMITS.totalBytes || offers.length === ARCHIVE_LIMITS.entries)
      throw new Fault('ARCHIVE_LIMIT', { en: 'choose some of its skills by name', zh: '请按名称选择其中的技能' });
    offers.push(openEntry(entry, bytes, url, index));
  }
  return offers;
}

/** A remote site must not name addresses on this machine. */
function addressOf(entry: Entry, index: URL): string {
  const address = checkAddress(URL.parse(entry.url, index.href)?.href ?? entry.url);
  if (isLoopback(address) && !isLoopback(index)) throw new Fault('PathBlocked', visible(address.href));
  return address.href;
}

function openEntry(entry: Entry, bytes: Buffer, url: string, index: URL): Offer {
  const digest = makeDigest(bytes);
  if (digest !== entry.digest)
    throw new Fault('IntegrityMismatch', {
      en: `${visible(entry.name)}: the index promises ${entry.digest}, the file has ${digest}`,
      zh: `${visible(entry.name)}: 索引所示为 ${entry.digest}，文件为 ${digest}`,
    });
  const origin: Origin = { kind: 'index', location: index.href, path: entry.name, digest };
  if (entry.type === 'skill-md') return { origin, skills: [singleFile(entry.name, bytes)] };
  const { skills, manifest } = openArchiveBytes(bytes, { kind: 'index', location: url }, { names: [] });
  if (skills.length !== 1)
    throw new Fault(
      'ARCHIVE_FORMAT',
      inEntry(visible(entry.name), {
        en: `${skills.length} skills in one entry`,
        zh: `一个条目中有 ${skills.length} 个技能`,
      }),
    );
  return {
    origin,
    skills: skills.map((skill) => ({ ...skill, folder: skill.folder || entry.name })),
    ...(manifest && { manifest }),
  };
}

function singleFile(name: string, bytes: Buffer): OfferedSkill {
  const file: OfferedFile = { path: 'SKILL.md', executable: false, size: bytes.length, read: () => bytes };
  checkFiles({ files: [file] });
  return { folder: name, files: [file] };
}

function choose(entries: readonly Entry[], names: readonly string[]): Entry[] {
  if (names.length === 0) return [...entries];
  return names.map((name) => {
    const found = entries.find((entry) => entry.name === name);
    if (found) return found;
    const list = entries.map((entry) => visible(entry.name)).join(', ');
    throw new Fault('SkillNotFound', visible(name), {
      hint: { en: `The site offers: ${list}.`, zh: `该站点提供: ${list}。` },
    });
  });
}

/** Unknown kinds of entries are skipped, as the format requires; an unknown format is refused whole. */
function readIndex(text: string): Entry[] {
  const value = parse(text);
  if (!isRecord(value) || typeof value.$schema !== 'string' || !SCHEMA.test(value.$schema))
    throw new Fault('InvalidJson', { en: 'an index of another format', zh: '索引格式不受支持' });
  if (!Array.isArray(value.skills)) throw new Fault('InvalidJson', 'skills');
  const entries = value.skills.filter(isEntry);
  if (entries.length === 0)
    throw new Fault('DataNotFound', { en: 'the index has no skill to install', zh: '索引中没有可安装的技能' });
  return entries;
}

function isEntry(value: unknown): value is Entry {
  if (!isRecord(value)) return false;
  const { name, type, url, digest } = value;
  const isKnown = type === 'skill-md' || type === 'archive';
  return isKnown && [name, url].every((field) => typeof field === 'string') && isDigest(digest);
}

function parse(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    throw new Fault('InvalidJson', error instanceof Error ? error.message : '', { cause: error });
  }
}
