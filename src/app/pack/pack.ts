// Skills as one zip file whose bytes depend on nothing but their content, and a signature beside it.
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../../base/errors.ts';
import type { Text } from '../../base/language.ts';
import { visible } from '../../base/text.ts';
import { type Packed, packSkills, writePack } from '../../distribution/publish/pack.ts';
import { signFile } from '../../distribution/sign/sign.ts';
import { findSkill } from '../find-skill.ts';
import type { Runtime } from '../runtime.ts';

export interface PackOrder {
  /** Skills by name or by folder. */
  readonly skills: readonly string[];
  /** Where those named by name are taken from. */
  readonly source?: string | undefined;
  /** Otherwise in the working folder: `<skill>.zip`, or `skills-pack.zip` for several. */
  readonly output?: string | undefined;
  /** Write over what is there. */
  readonly force: boolean;
}

export interface PackFile extends Packed {
  readonly file: string;
}

const OVERWRITE: Text = { en: '--force writes over it.', zh: '--force 会覆盖它。' };

export function packNamed({ skills, source, output, force }: PackOrder, runtime: Runtime): PackFile {
  const folders = skills.map((written) => locate(written, source, runtime));
  const file = path.resolve(output ?? defaultName(folders));
  if (!force && statSync(file, { throwIfNoEntry: false }))
    throw new Fault('AlreadyExists', visible(file), { hint: OVERWRITE });
  const blockAngleBrackets = runtime.config.security.blockAngleBracketsInFrontmatter;
  const packed = packSkills(folders, { blockAngleBrackets, single: file.endsWith('.skill') });
  writePack(file, packed);
  return { ...packed, file };
}

/** A folder where one is named as a path; otherwise a skill by its name. */
function locate(written: string, source: string | undefined, runtime: Runtime): string {
  const isPath =
    /[/\\]|^\.\.?$/.test(written) && statSync(path.resolve(written), { throwIfNoEntry: false })?.isDirectory();
  if (isPath === true) return path.resolve(written);
  return findSkill(runtime.index(), written, source).folder;
}

function defaultName(folders: readonly string[]): string {
  const [first] = folders;
  return folders.length === 1 && first !== undefined ? `${path.basename(first)}.zip` : 'skills-pack.zip';
}

export interface SignOrder {
  readonly pack: string;
  /** A key of the user's own, by its name. */
  readonly key: string;
  readonly force: boolean;
}

export interface PackSignature extends ReturnType<typeof signFile> {
  readonly file: string;
}

/** Writes `<pack>.sig`. */
export function signPackFile({ pack, key, force }: SignOrder, { config, home, clock }: Runtime): PackSignature {
  const file = path.resolve(pack);
  const signature = `${file}.sig`;
  if (existsSync(signature) && !force) throw new Fault('AlreadyExists', visible(signature), { hint: OVERWRITE });
  const blockAngleBrackets = config.security.blockAngleBracketsInFrontmatter;
  return { ...signFile(file, { home, key, now: clock.now(), blockAngleBrackets }), file: signature };
}
