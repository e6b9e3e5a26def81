// What a source offers: skills with their files, checked by name and size, nothing written and nothing trusted yet.
import { Fault } from '../../base/errors.ts';
import type { Text } from '../../base/language.ts';
import { visible } from '../../base/text.ts';
import type { Digest } from '../../base/value/digest.ts';
import { findSkillFolders } from '../skill-file.ts';
import { findPlugins } from './plugin-layout.ts';

export interface OfferedFile {
  /** Relative to the skill, with / between the parts; checked. */
  readonly path: string;
  readonly executable: boolean;
  readonly size: number;
  read(): Buffer;
}

export interface OfferedSkill {
  /** Its folder inside the source; empty when the source is one skill. */
  readonly folder: string;
  /** The name of its folder on disk or in a repository, which stands for a missing name; a pack has to say it. */
  readonly folderName?: string;
  readonly files: readonly OfferedFile[];
}

/** Where a skill came from, as the lock stores it. */
export interface Origin {
  readonly kind: 'archive' | 'folder' | 'git' | 'index' | 'mcp';
  /** A path or an address. */
  readonly location: string;
  /** The branch, tag or commit that was requested. */
  readonly ref?: string;
  /** The commit it resolved to. */
  readonly commit?: string;
  /** The folder inside the source. */
  readonly path?: string;
  /** Digest of the archive or single file the skill came in; of a served skill, of what its server listed. */
  readonly digest?: string;
}

export interface Offer {
  readonly origin: Origin;
  readonly skills: readonly OfferedSkill[];
  /** The exact files a pack claims to have. */
  readonly manifest?: PackManifest;
  /** The pack itself, and its signature file. */
  readonly signed?: { readonly bytes: Buffer; readonly signature: string };
  /** Asked after the yes: throws where the source has something else by now. */
  readonly stillOffered?: () => Promise<void>;
}

export interface PackManifest {
  readonly skills: readonly PackedSkill[];
}

export interface PackedSkill {
  readonly folder: string;
  readonly name: string;
  readonly version?: string;
  readonly digest: Digest;
}

/** Which skills of a source are wanted; every requested name must exist. */
export interface WantedSkills {
  readonly names: readonly string[];
}

const NO_SKILL: Text = {
  en: 'A skill is a folder with a SKILL.md; `--path DIR` looks for them in another folder of the source.',
  zh: '技能是含有 SKILL.md 的目录；`--path 目录` 在来源的另一目录中查找。',
};

/** Groups files by skill; files outside every skill are dropped. */
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
    throw new Fault(
      'MetadataMissing',
      { en: 'there is no SKILL.md in it', zh: '其中没有 SKILL.md' },
      { hint: NO_SKILL },
    );
  const chosen = chooseByPlugin(names, files, folders);
  return chosen.length === 0 ? skills : [...new Set(chosen.map((name) => pick(skills, name)))];
}

/** The name of a plugin selects its skills; where there are plugins, other skills are taken by name only. */
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
