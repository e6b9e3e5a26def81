// `manifest.json` of a pack: the exact files of every skill in it, so that a missing, changed or added one is detected.
import { Fault } from '../../base/errors.ts';
import { isRecord, parseJson } from '../../base/json.ts';
import { visible } from '../../base/text.ts';
import { isDigest } from '../../base/value/digest.ts';
import type { SkillDigest } from '../../skill/digest.ts';
import { inEntry } from '../archive/detail.ts';
import type { OfferedSkill, PackedSkill, PackManifest } from '../source/offer.ts';

export const MANIFEST_NAME = 'manifest.json';
const FORMAT = 'skillwright-pack';
const VERSION = 1;

export interface ManifestSkill extends PackedSkill, SkillDigest {}

export function renderManifest(skills: readonly ManifestSkill[]): string {
  const sorted = skills.toSorted((a, b) => (a.folder < b.folder ? -1 : 1));
  const listed = sorted.map(({ name, version, folder, digest, files }) => ({
    name,
    ...(version !== undefined && { version }),
    folder,
    digest,
    files: files.map(({ path, size, mode, sha256 }) => ({ path, size, mode, sha256 })),
  }));
  return `${JSON.stringify({ format: FORMAT, version: VERSION, skills: listed }, undefined, 2)}\n`;
}

/** Undefined for a file of that name in another format. */
export function readManifest(text: string): PackManifest | undefined {
  const value = parse(text);
  if (!isRecord(value) || value.format !== FORMAT) return undefined;
  if (value.version !== VERSION)
    throw new Fault('ARCHIVE_FORMAT', {
      en: `a pack of format version ${visible(String(value.version))}; this tool reads ${VERSION}`,
      zh: `包的格式版本为 ${visible(String(value.version))}；本工具只读取 ${VERSION}`,
    });
  if (!Array.isArray(value.skills)) throw damaged('skills');
  return { skills: value.skills.map(readSkill) };
}

/** The digest of a skill covers its exact set of files: one file more, less or changed gives another. */
export function checkAgainstManifest(manifest: PackManifest, offered: OfferedSkill, found: SkillDigest): PackedSkill {
  const said = manifest.skills.find(({ folder }) => folder === offered.folder);
  if (!said)
    throw new Fault(
      'IntegrityMismatch',
      inEntry(visible(offered.folder), { en: `not in ${MANIFEST_NAME}`, zh: `不在 ${MANIFEST_NAME} 中` }),
    );
  if (said.digest !== found.digest)
    throw new Fault('IntegrityMismatch', {
      en: `${visible(offered.folder)}: not the files ${MANIFEST_NAME} lists`,
      zh: `${visible(offered.folder)}: 与 ${MANIFEST_NAME} 所列文件不符`,
    });
  return said;
}

function readSkill(value: unknown): PackedSkill {
  if (!isRecord(value)) throw damaged('skills');
  const { name, folder, digest, version } = value;
  if (typeof name !== 'string' || typeof folder !== 'string' || !isDigest(digest)) throw damaged('skills');
  return { name, folder, digest, ...(typeof version === 'string' && { version }) };
}

function parse(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

function damaged(field: string): Fault {
  return new Fault('ARCHIVE_FORMAT', `${MANIFEST_NAME}: ${field}`);
}
