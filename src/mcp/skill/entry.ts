// One skill as the Skills extension lists it: as it is where every host reads it like us, else as a repaired copy that says so.
import { isDeepStrictEqual } from 'node:util';
import { SkillCatalogError, skillEntry } from '@modelcontextprotocol/server/ext/skills';
import type { PublishedSkill } from '../../app/library/public/published.ts';
import { sha256 } from '../../base/ids.ts';
import { toJson } from '../../base/json.ts';
import { repairFields, writeFrontmatter } from './repair.ts';

export type ExtensionEntry = Awaited<ReturnType<typeof skillEntry>>;

export interface ServedSkill {
  readonly entry: ExtensionEntry;
  /** By their path below the skill, as they are served. */
  readonly files: ReadonlyMap<string, Uint8Array>;
}

export const MANIFEST = 'SKILL.md';

/** Says of a repaired copy what its SKILL.md was: `{ digest, changed }`. */
const ORIGINAL = 'skillwright/original';

/** Throws a SkillCatalogError for what cannot be served under these names either. */
export async function servedAs(name: string, skill: PublishedSkill): Promise<ServedSkill> {
  const entry = await entryIfSound(name, skill);
  return entry ? { entry, files: skill.files } : await repairedCopy(name, skill);
}

async function entryIfSound(name: string, { files, values }: PublishedSkill): Promise<ExtensionEntry | undefined> {
  try {
    const entry = await skillEntry(name, Object.fromEntries(files));
    return isDeepStrictEqual(toJson(entry.frontmatter), toJson(values)) ? entry : undefined;
  } catch (error) {
    if (SkillCatalogError.isInstance(error)) return undefined;
    throw error;
  }
}

async function repairedCopy(name: string, { files, values, body, description }: PublishedSkill): Promise<ServedSkill> {
  const repaired = repairFields(values, name, description);
  const text = `${writeFrontmatter(repaired.values)}${body}`;
  const served = new Map(files).set(MANIFEST, new TextEncoder().encode(text));
  const entry = await skillEntry(name, Object.fromEntries(served));
  const original = { digest: `sha256:${sha256(files.get(MANIFEST) ?? '')}`, changed: repaired.changed };
  return { entry: { ...entry, _meta: { [ORIGINAL]: original } }, files: served };
}
