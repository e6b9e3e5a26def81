// A skill as a source offers it: what its SKILL.md says, and the name it would be installed under.
import { type Diagnostic, speak } from '../../base/diagnostic.ts';
import { Fault } from '../../base/errors.ts';
import type { Text } from '../../base/language.ts';
import { visible } from '../../base/text.ts';
import { parseSkill } from '../../skill/manifest.ts';
import type { Manifest } from '../../skill/skill.ts';
import { inEntry } from '../archive/detail.ts';
import { checkName } from '../archive/name.ts';
import { findSkillFile } from '../skill-file.ts';
import { type OfferedSkill, ownName } from './offer.ts';

export interface ReadSkill {
  readonly offered: OfferedSkill;
  readonly manifest: Manifest;
  /** The folder it gets below the root: the name of the one it comes in, never a path. */
  readonly folderName: string;
  readonly diagnostics: readonly Diagnostic[];
}

const NAME_LIMIT = 64;
// Letters of any script, digits, and usual separators; it never starts with a dot.
const FOLDER_NAME = /^[\p{L}\p{N}_][\p{L}\p{N}\p{M}._ -]*$/u;

/** In a pack there is no path that a person could check by itself. */
const WHAT_IT_NEEDS: Text = {
  en: 'A skill is a folder with a SKILL.md that has name and description. Write the names of other skills behind the source to take only those.',
  zh: '技能是含有 SKILL.md 的目录，其中须有 name 与 description。可在来源后写出其他技能的名称，仅取用它们。',
};

/** Throws a Fault where SKILL.md is missing or unreadable, has no description, or neither a name nor a folder. */
export function readOffered(offered: OfferedSkill, options: { readonly blockAngleBrackets: boolean }): ReadSkill {
  const file = findSkillFile(offered.files);
  const place = `${offered.folder === '' ? '' : `${offered.folder}/`}${file?.path ?? 'SKILL.md'}`;
  if (!file) throw new Fault('MetadataMissing', visible(place), { hint: WHAT_IT_NEEDS });
  const where = { path: place, folderName: ownFolder(offered), ...options };
  const { manifest, diagnostics } = parseSkill(decode(file.read(), place), where);
  const reason = diagnostics.find(({ severity, code }) => severity === 'error' || code === 'name-missing');
  const isNameless = offered.folderName === undefined && diagnostics.some(({ code }) => code === 'name-missing');
  if (!manifest || isNameless) {
    throw new Fault('MetadataMissing', whyRefused(place, reason), {
      details: { diagnostics: speak(diagnostics, 'en') },
      hint: WHAT_IT_NEEDS,
    });
  }
  return { offered, manifest, folderName: folderNameOf(manifest.name, offered), diagnostics };
}

/** Here a missing name is no advice: what is installed has one. */
function whyRefused(place: string, reason: Diagnostic | undefined): Text {
  const shown = visible(place);
  if (!reason) return { en: shown, zh: shown };
  if (reason.code === 'name-missing')
    return { en: `${shown}: it has no name; add one`, zh: `${shown}: 缺少 name，请添加` };
  return { en: `${shown}: ${visible(reason.message)}`, zh: `${shown}: ${visible(reason.zh.message)}` };
}

/** A name people can type and every file system can store; not `..` or `a/b`. */
export function isFolderName(name: string): boolean {
  if (name.length > NAME_LIMIT || !FOLDER_NAME.test(name)) return false;
  try {
    return checkName(name).length === 1;
  } catch {
    return false;
  }
}

/** Folders of layouts, which say nothing about the skill in them. */
const GENERIC = /^(?:skills?|src|dist|plugin)$/i;

/** The folder addresses a skill first, so it is kept; its own name stands in where that is not to be had. */
function folderNameOf(name: string, offered: OfferedSkill): string {
  const own = ownFolder(offered);
  const found = (GENERIC.test(own) ? [name, own] : [own, name]).find(isFolderName);
  if (found !== undefined) return found;
  throw new Fault(
    'ARCHIVE_PATH',
    inEntry(visible(name), { en: 'not usable as the name of a folder', zh: '不能用作目录名' }),
  );
}

function ownFolder({ folder, folderName }: OfferedSkill): string {
  return folderName ?? ownName(folder);
}

function decode(bytes: Buffer, place: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new Fault(
      'MetadataMissing',
      { en: `${visible(place)} is not UTF-8`, zh: `${visible(place)} 不是 UTF-8` },
      { cause: error, hint: WHAT_IT_NEEDS },
    );
  }
}
