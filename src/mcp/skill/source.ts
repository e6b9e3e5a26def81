// The registry as a source of the Skills extension: everything is read when it is asked for, so that it is never older than that.

import { ProtocolError, ProtocolErrorCode, type Resource, type ServerContext } from '@modelcontextprotocol/server';
import type { SkillReadResult, SkillSource } from '@modelcontextprotocol/server/ext/skills';
import { DIRECTORY_MIME_TYPE, SkillCatalogError } from '@modelcontextprotocol/server/ext/skills';
import type { PublishedSkills } from '../../app/library/public/published.ts';
import { type ExtensionEntry, MANIFEST, type ServedSkill, servedAs } from './entry.ts';
import { servedNames } from './name.ts';

const PAGE = 50;
const SCHEME = 'skill://';

interface Place {
  /** As the registry calls it. */
  readonly name: string;
  readonly skill: ServedSkill;
  /** Below the skill; empty for its folder. */
  readonly below: string;
}

/** `reading`: for the client whose request it is. */
export function skillSource(
  files: PublishedSkills,
  reading: (context: ServerContext) => Promise<Pick<PublishedSkills, 'refusal'>>,
): SkillSource {
  const open = async (name: string, served: string): Promise<ServedSkill | undefined> => {
    const skill = files.open(name);
    return skill && (await ifServable(() => servedAs(served, skill)));
  };
  const names = () => servedNames(files.heads().map(({ name }) => name));
  const find = async (uri: string): Promise<Place | undefined> => {
    const [served, ...below] = stepsOf(uri);
    const [name] = [...names()].find(([, one]) => one === served) ?? [];
    if (name === undefined || served === undefined) return undefined;
    const skill = await open(name, served);
    return skill && { name, skill, below: below.join('/') };
  };
  return {
    async list({ cursor }) {
      const sorted = [...names()].sort(([, one], [, other]) => (one < other ? -1 : 1));
      const left = sorted.filter(([, served]) => cursor === undefined || served > cursor);
      const page = left.slice(0, PAGE);
      const skills: ExtensionEntry[] = [];
      // One after the other: a skill may have 16 MiB, and a page has fifty.
      for (const [name, served] of page) skills.push(...entriesOf(await open(name, served)));
      const last = page.at(-1)?.[1];
      return {
        skills,
        ...(left.length > PAGE && last !== undefined && { nextCursor: last }),
      };
    },
    async get(uri) {
      const found = await find(uri);
      return found?.below === MANIFEST ? found.skill.entry : undefined;
    },
    async read(uri, context) {
      const found = await find(uri);
      const bytes = found?.skill.files.get(found.below);
      if (!found || !bytes) return undefined;
      const refused = await (await reading(context)).refusal(found.name, found.below);
      if (refused !== undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, refused);
      return contentOf(bytes, found.below);
    },
    async readDirectory(uri) {
      const found = await find(uri);
      const children = found && childrenOf(uri, found.skill.entry);
      return children && children.length > 0 ? { resources: children } : undefined;
    },
    async listResources() {
      const all = names();
      return files.heads().map(({ name, description }) => ({
        uri: `${SCHEME}${all.get(name)}/${MANIFEST}`,
        ...{ name: all.get(name) ?? name, description, mimeType: mimeOf(MANIFEST) },
      }));
    },
  };
}

function entriesOf(skill: ServedSkill | undefined): ExtensionEntry[] {
  return skill ? [skill.entry] : [];
}

async function ifServable(serve: () => Promise<ServedSkill>): Promise<ServedSkill | undefined> {
  try {
    return await serve();
  } catch (error) {
    if (SkillCatalogError.isInstance(error)) return undefined;
    throw error;
  }
}

/** Decoded once, and looked up among the files there are: no spelling leads anywhere else. */
function stepsOf(uri: string): string[] {
  if (!uri.startsWith(SCHEME)) return [];
  try {
    return uri.slice(SCHEME.length).split('/').map(decodeURIComponent);
  } catch {
    return [];
  }
}

function childrenOf(uri: string, { resources }: ExtensionEntry): Resource[] {
  const folder = `${uri.replace(/\/$/, '')}/`;
  const children = new Map<string, Resource>();
  for (const resource of resources === 'dynamic' ? [] : resources) {
    if (!resource.uri.startsWith(folder)) continue;
    const [first = '', ...rest] = resource.uri.slice(folder.length).split('/');
    const name = decodeURIComponent(first);
    const at = `${folder}${first}`;
    if (rest.length > 0) children.set(at, { uri: at, name, mimeType: DIRECTORY_MIME_TYPE });
    else children.set(at, { uri: at, name, mimeType: mimeOf(name), size: resource.size });
  }
  return [...children.values()];
}

/** Text where nothing is lost by it. */
function contentOf(bytes: Uint8Array, file: string): SkillReadResult {
  const mimeType = mimeOf(file);
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes), mimeType };
  } catch {
    return { bytes, mimeType };
  }
}

const MIME: Readonly<Record<string, string>> = {
  md: 'text/markdown',
  txt: 'text/plain',
  json: 'application/json',
  yaml: 'application/yaml',
  yml: 'application/yaml',
  py: 'text/x-python',
  sh: 'application/x-sh',
  js: 'text/javascript',
  mjs: 'text/javascript',
  html: 'text/html',
  css: 'text/css',
  csv: 'text/csv',
  svg: 'image/svg+xml',
  png: 'image/png',
  jpg: 'image/jpeg',
  pdf: 'application/pdf',
};

function mimeOf(file: string): string {
  return MIME[file.slice(file.lastIndexOf('.') + 1).toLowerCase()] ?? 'application/octet-stream';
}
