// What a source has to give: skills with their files, judged by name and size, nothing written and nothing believed yet.
import { Fault } from '../../base/errors.ts';
import { visible } from '../../base/text.ts';
import { findSkillFolders } from '../skill-file.ts';
import { findPlugins } from './plugin-layout.ts';

export interface OfferedFile {
  /** Inside the skill, with / between the parts; checked. */
  readonly path: string;
  readonly executable: boolean;
  readonly size: number;
  read(): Buffer;
}

export interface OfferedSkill {
  /** Where it lies inside the source; empty when the source is one skill. */
  readonly folder: string;
  readonly files: readonly OfferedFile[];
}

/** Where a skill came from, as the lock keeps it. */
export interface Origin {
  readonly kind: 'archive' | 'folder' | 'git' | 'index';
  /** A path or an address. */
  readonly location: string;
  /** The branch, tag or commit that was asked for. */
  readonly ref?: string;
  /** The commit that was. */
  readonly commit?: string;
  /** The folder inside the source. */
  readonly path?: string;
  /** Of the archive or single file the skill came in. */
  readonly digest?: string;
}

export interface Offer {
  readonly origin: Origin;
  readonly skills: readonly OfferedSkill[];
  /** The exact files a pack says it has. */
  readonly manifest?: PackManifest;
  /** The pack itself, and what lay beside it as its signature. */
  readonly signed?: { readonly bytes: Buffer; readonly signature: string };
}

export interface PackManifest {
  readonly skills: readonly PackedSkill[];
}

export interface PackedSkill {
  readonly folder: string;
  readonly name: string;
  readonly version?: string;
  readonly digest: string;
}

/** Which of the skills a source has are wanted; every name that was asked for must be there. */
export interface WantedSkills {
  readonly names: readonly string[];
}

/** Sorts files into the skills they belong to; what belongs to none is left. */
export function groupSkills(files: readonly OfferedFile[], { names }: WantedSkills): OfferedSkill[] {
  const folders = findSkillFolders(files, names);
  const groups = new Map<string, OfferedFile[]>(folders.map((folder) => [folder, []]));
  for (const file of files) {
    const folder = folders.find((candidate) => candidate === '' || file.path.startsWith(`${candidate}/`));
    if (folder === undefined) continue;
    groups.get(folder)?.push(folder === '' ? file : { ...file, path: file.path.slice(folder.length + 1) });
  }
  const skills = [...groups].map(([folder, own]): OfferedSkill => ({ folder, files: own }));
  if (skills.length === 0)
    throw new Fault('MetadataMissing', { en: 'there is no SKILL.md in it', zh: '其中没有 SKILL.md' });
  const chosen = chooseByPlugin(names, files, folders);
  return chosen.length === 0 ? skills : [...new Set(chosen.map((name) => pick(skills, name)))];
}

/** The name of a plugin stands for its skills; where there are plugins, stray skills are taken by name only. */
function chooseByPlugin(
  names: readonly string[],
  files: readonly OfferedFile[],
  folders: readonly string[],
): readonly string[] {
  const plugins = findPlugins(files, folders);
  if (names.length === 0) return [...new Set(plugins.flatMap((plugin) => plugin.folders))];
  const isSkill = (name: string) => folders.some((folder) => folder === name || ownName(folder) === name);
  return names.flatMap((name) => {
    const plugin = isSkill(name) ? undefined : plugins.find((one) => one.name === name);
    return plugin && plugin.folders.length > 0 ? plugin.folders : [name];
  });
}

/** The last part of a skill's folder. */
export function ownName(folder: string): string {
  return folder.slice(folder.lastIndexOf('/') + 1);
}

function pick(skills: readonly OfferedSkill[], name: string): OfferedSkill {
  const found = skills.filter(({ folder }) => folder === name || ownName(folder) === name);
  const [only] = found;
  const list = skills.map(({ folder }) => visible(folder || '.')).join(', ');
  if (only && found.length === 1) return only;
  if (found.length > 1)
    throw new Fault('Usage', {
      en: `several skills are called ${visible(name)}; name the folder: ${found.map(({ folder }) => visible(folder)).join(', ')}`,
      zh: `有多个名为 ${visible(name)} 的技能；请写目录: ${found.map(({ folder }) => visible(folder)).join(', ')}`,
    });
  throw new Fault('SkillNotFound', visible(name), {
    hint: { en: `The source has: ${list}.`, zh: `来源中有: ${list}。` },
  });
}
