// The skills of a server as a host takes them: listed by what it says of them, and each file read when it is asked for and
// only as it was listed.
import type { Client } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { Fault } from '../../base/errors.ts';
import { canonicalJson } from '../../base/json.ts';
import type { Text } from '../../base/language.ts';
import { visible } from '../../base/text.ts';
import { makeDigest } from '../../base/value/digest.ts';
import { readFrontmatter } from '../../skill/read/frontmatter.ts';
import type { SkillListing, SkillReader } from './server-connection.ts';
import {
  pathBelow,
  type RefusedEntry,
  readServerSkill,
  type ServedFile,
  type ServerSkill,
  SKILL_FILE,
} from './server-skill.ts';

const EXTENSION = 'io.modelcontextprotocol/skills';
const MOST_PAGES = 50;
const MOST_SKILLS = 1_000;
const MOST_BYTES = 32 * 1024 * 1024;
/** All pages, or all files of one skill, together in so many times what one answer may take. */
const TIMES_ALL = 10;
const NO_SUCH = -32602;

const Page = z.looseObject({ skills: z.array(z.unknown()), nextCursor: z.string().optional() });
const Single = z.looseObject({ skill: z.unknown() });

export interface SkillsOptions {
  readonly server: string;
  readonly withinMs: number;
  readonly failed: (what: string, error: unknown) => Fault;
}

/** Throws a Fault where the server offers none. */
export function skillsOf(client: Client, { server, withinMs, failed }: SkillsOptions): SkillReader {
  if (client.getServerCapabilities()?.extensions?.[EXTENSION] === undefined) throw offersNone(server);
  const limits = { timeout: withinMs, maxTotalTimeout: withinMs };
  const inAll = () => ({ ...limits, signal: AbortSignal.timeout(withinMs * TIMES_ALL) });
  const attempt = async <Result>(what: string, work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      throw failed(what, error);
    }
  };
  const read = async (skill: ServerSkill, file: ServedFile, options = inAll()): Promise<Buffer> => {
    const bytes = await attempt(file.uri, async () => {
      const { contents } = await client.readResource({ uri: file.uri }, { ...options, cacheMode: 'bypass' });
      return contentOf(contents, skill, file);
    });
    requireListed(bytes, file, server);
    if (file.path === SKILL_FILE) requireFrontmatter(bytes, skill, server);
    return bytes;
  };
  return {
    list: () => attempt('skills/list', () => listSkills(client, inAll())),
    get: (uri) =>
      attempt('skills/get', async () => {
        const found = await getEntry(client, uri, limits);
        if (found === undefined || !('reason' in found)) return found;
        throw unusableEntry(server, uri, found.reason);
      }),
    read,
    async readAll(skill) {
      const options = inAll();
      const files = new Map<string, Buffer>();
      // What it says about itself first: where that is not what was listed, nothing else is asked for.
      const sorted = (skill.files ?? []).toSorted(
        (a, b) => Number(b.path === SKILL_FILE) - Number(a.path === SKILL_FILE),
      );
      for (const file of sorted) files.set(file.path, await read(skill, file, options));
      return files;
    },
  };
}

export function unusableEntry(server: string, uri: string, { en, zh }: Text): Fault {
  const shown = visible(`${server}: ${uri}`);
  return new Fault('IntegrityMismatch', { en: `${shown}: ${en}`, zh: `${shown}: ${zh}` }, { hint: TELL_ITS_AUTHOR });
}

interface Limits {
  readonly timeout: number;
  readonly maxTotalTimeout: number;
  readonly signal?: AbortSignal;
}

async function listSkills(client: Client, limits: Limits): Promise<SkillListing> {
  const [skills, refused]: [ServerSkill[], RefusedEntry[]] = [[], []];
  let [cursor, bytes, count]: [string | undefined, number, number] = [undefined, 0, 0];
  for (let page = 0; page < MOST_PAGES; page++) {
    const params = cursor === undefined ? {} : { cursor };
    const listed: z.infer<typeof Page> = await client.request({ method: 'skills/list', params }, Page, limits);
    for (const value of listed.skills) {
      bytes += canonicalJson(value).length;
      if (++count > MOST_SKILLS || bytes > MOST_BYTES) return { ...withoutTwins(skills, refused), isCut: true };
      const entry = readServerSkill(value);
      if ('reason' in entry) refused.push(entry);
      else skills.push(entry);
    }
    cursor = listed.nextCursor;
    if (cursor === undefined || cursor === '') return { ...withoutTwins(skills, refused), isCut: false };
  }
  return { ...withoutTwins(skills, refused), isCut: true };
}

/** Nobody can tell which of two with one address is meant. */
function withoutTwins(skills: readonly ServerSkill[], refused: readonly RefusedEntry[]): Omit<SkillListing, 'isCut'> {
  const byAddress = Map.groupBy(skills, ({ uri }) => uri);
  const twins = [...byAddress].filter(([, same]) => same.length > 1).map(([uri]) => ({ uri, reason: TWICE }));
  return {
    skills: [...byAddress.values()].flatMap((same) => (same.length === 1 ? same : [])),
    refused: [...refused, ...twins],
  };
}

async function getEntry(client: Client, uri: string, limits: Limits): Promise<ServerSkill | RefusedEntry | undefined> {
  try {
    const { skill } = await client.request({ method: 'skills/get', params: { uri } }, Single, limits);
    const entry = readServerSkill(skill);
    return 'reason' in entry || entry.uri === uri ? entry : { uri, reason: ANOTHER };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === NO_SUCH) return undefined;
    throw error;
  }
}

interface Content {
  readonly uri: string;
  readonly text?: unknown;
  readonly blob?: unknown;
}

function contentOf(contents: readonly Content[], skill: ServerSkill, file: ServedFile): Buffer {
  const content = contents.find(({ uri }) => uri === file.uri || pathBelow(skill.uri, uri) === file.path);
  if (typeof content?.text === 'string') return Buffer.from(content.text, 'utf8');
  if (typeof content?.blob === 'string') return Buffer.from(content.blob, 'base64');
  throw new Error('an answer without the file');
}

function requireListed(bytes: Buffer, { path, size, digest }: ServedFile, server: string): void {
  const shown = visible(`${server}: ${path}`);
  if (bytes.length !== size)
    throw changed({
      en: `${shown} has ${bytes.length} bytes, and ${size} were listed`,
      zh: `${shown} 为 ${bytes.length} 字节，列表所示为 ${size}`,
    });
  const is = makeDigest(bytes);
  if (is !== digest)
    throw changed({
      en: `${shown} has ${is}, and ${digest} was listed`,
      zh: `${shown} 为 ${is}，列表所示为 ${digest}`,
    });
}

/** What a person was shown is what is in the file, field by field. */
function requireFrontmatter(bytes: Buffer, { frontmatter, uri }: ServerSkill, server: string): void {
  const values = readFrontmatter(bytes.toString('utf8'), uri).values ?? {};
  const names = new Set([...Object.keys(values), ...Object.keys(frontmatter)]);
  const other = [...names].filter((name) => canonicalJson(own(values, name)) !== canonicalJson(own(frontmatter, name)));
  if (other.length === 0) return;
  const [shown, fields] = [visible(`${server}: ${SKILL_FILE}`), other.slice(0, 5).map(visible).join(', ')];
  throw changed({
    en: `${shown} says otherwise than was listed: ${fields}`,
    zh: `${shown} 的内容与列表不符: ${fields}`,
  });
}

function own(values: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

function changed(detail: Text): Fault {
  return new Fault('IntegrityMismatch', detail, { hint: TELL_ITS_AUTHOR });
}

function offersNone(server: string): Fault {
  return new Fault(
    'DataNotFound',
    { en: `the server ${server} offers no skills`, zh: `服务器 ${server} 不提供技能` },
    {
      hint: {
        en: `\`skillwright servers ${server}\` lists its tools.`,
        zh: `\`skillwright servers ${server}\` 列出其工具。`,
      },
    },
  );
}

const TWICE: Text = { en: 'it is listed twice', zh: '重复列出' };
const ANOTHER: Text = { en: 'the server answered for another skill', zh: '服务器返回了另一个技能' };
const TELL_ITS_AUTHOR: Text = {
  en: 'Nothing of it was taken. If the skill was changed just now, try again; else whoever runs the server has to know.',
  zh: '未采用其任何内容。如技能刚刚更新，请重试；否则请告知服务器的维护者。',
};
