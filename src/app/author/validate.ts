// Checks many skills in one go, each with what is wrong, where, and how to mend it; mends what is safe to mend.

import { isUtf8 } from 'node:buffer';
import { readFileSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import {
  cannotBeRead,
  type Diagnostic,
  diagnose,
  NOT_A_FILE,
  NOT_UTF8,
  readerFailed,
  type SpokenDiagnostic,
  speak,
} from '../../base/diagnostic.ts';
import { Fault } from '../../base/errors.ts';
import { writeFileAtomic } from '../../base/files.ts';
import type { Language, Text } from '../../base/language.ts';
import { failedOutcome, makeOutcome, type Outcome } from '../../base/outcome.ts';
import { isInside } from '../../base/paths.ts';
import { errorCode } from '../../base/read-file.ts';
import { counted } from '../../base/text/counted.ts';
import { visible } from '../../base/text.ts';
import { listResources } from '../../loader/resource-list.ts';
import { describeUnseen, unseenFolders } from '../../registry/unseen.ts';
import { fixSkill } from '../../skill/lint/fix.ts';
import { lintSkill } from '../../skill/lint/lint.ts';
import { parseSkill } from '../../skill/manifest.ts';
import { FILE_LIMIT, TOO_LARGE } from '../../skill/read/frontmatter.ts';
import type { Profile } from '../../skill/skill.ts';
import { findSkill } from '../find-skill.ts';
import type { Runtime } from '../runtime.ts';
import { commandPatternFindings } from './command-pattern.ts';
import { patternFindings } from './pattern.ts';
import { findSkillFiles, isSkillName, SKILL_FILE, type SkillFiles } from './skill-files.ts';

export interface ValidatedFile<Told = SpokenDiagnostic> {
  readonly path: string;
  readonly ok: boolean;
  readonly profile: Profile;
  readonly diagnostics: readonly Told[];
  /** What was mended. */
  readonly fixed?: readonly Told[];
}

export interface ValidateWish {
  /** Skills, their folders or files, or folders of skills; the skills of the project where there is none. */
  readonly paths: readonly string[];
  /** Whose skills: the project's where no path is given, whichever has the name otherwise. */
  readonly source?: string | undefined;
  readonly profile: Profile;
  /** Mend what can be mended safely, in the files. */
  readonly fix: boolean;
}

export interface ValidatedSkills {
  readonly outcome: Outcome;
  readonly results: readonly ValidatedFile[];
  /** Folders that were not read to their end. */
  readonly unseen: readonly SpokenDiagnostic[];
}

export async function validateSkills(
  runtime: Runtime,
  { paths, source, profile, fix }: ValidateWish,
): Promise<ValidatedSkills> {
  runtime.requireConfig();
  const { files, problems } = filesOf(runtime, paths, source);
  const checked = await Promise.all([...new Set(files)].map((file) => checkFile(file, profile, runtime, fix)));
  const results = checked.map((file) => told(file, runtime.language));
  const unseen = speak(problems, runtime.language);
  return { outcome: conclude(results, problems, unseen, runtime), results, unseen };
}

function conclude(
  results: readonly ValidatedFile[],
  problems: readonly Diagnostic[],
  unseen: readonly SpokenDiagnostic[],
  runtime: Runtime,
): Outcome {
  const by = runtime.answering('skillwright', 'own');
  const failed = results.filter(({ ok }) => !ok).length;
  const data = {
    results,
    passed: results.length - failed,
    failed,
    ...(unseen.length > 0 && { diagnostics: unseen }),
  };
  if (failed > 0) return failedOutcome(by, new Fault('CheckFailed', countFailed(failed, results.length)), data);
  // A check that could not look everywhere has not passed.
  const state = problems.length === 0 ? 'success' : 'partial';
  return makeOutcome(by, state, countPassed(results, problems), data);
}

function told({ diagnostics, fixed, ...file }: ValidatedFile<Diagnostic>, language: Language): ValidatedFile {
  return { ...file, diagnostics: speak(diagnostics, language), ...(fixed && { fixed: speak(fixed, language) }) };
}

function filesOf(runtime: Runtime, written: readonly string[], source: string | undefined): SkillFiles {
  if (written.length === 0) return sourceFiles(runtime, source ?? 'project');
  const found = written.map((one) => findFiles(runtime, one, source));
  return { files: found.flatMap(({ files }) => files), problems: found.flatMap(({ problems }) => problems) };
}

function sourceFiles(runtime: Runtime, wanted: string): SkillFiles {
  const index = runtime.index();
  const files = [...index.skills, ...index.invalid].filter(({ source }) => source === wanted);
  const folders = runtime.roots.filter(({ source }) => source === wanted).map(({ folder }) => folder);
  const problems = unseenFolders(index).filter(({ path: at }) => folders.some((folder) => isInside(folder, at)));
  return { files: files.map(({ file }) => file), problems };
}

/** What is plainly meant as a path, and never as the name of a skill. */
const PATH = /^(?:\.{0,2}|~)\/|\.md$/i;

function noSuchFile(written: string): Fault {
  const shown = visible(written);
  return new Fault('DataNotFound', {
    en: `there is no file or folder ${shown}`,
    zh: `没有文件或目录 ${shown}`,
  });
}

/** A path that is there, else the name of a skill. */
function findFiles(runtime: Runtime, written: string, source: string | undefined): SkillFiles {
  const target = path.resolve(written);
  const found = statSync(target, { throwIfNoEntry: false });
  if (!found && PATH.test(written)) throw noSuchFile(written);
  if (!found) return { files: [findSkill(runtime.index(), written, source).file], problems: [] };
  if (!found.isDirectory()) return { files: [target], problems: [] };
  const below = findSkillFiles(target);
  if (below.files.length > 0 || below.problems.length > 0) return below;
  throw new Fault('MetadataMissing', visible(written), {
    hint: { en: 'A skill is a folder with a SKILL.md in it.', zh: '技能是含有 SKILL.md 的目录。' },
  });
}

/** Whatever one file does, the others are checked. */
async function checkFile(
  file: string,
  profile: Profile,
  runtime: Runtime,
  fix: boolean,
): Promise<ValidatedFile<Diagnostic>> {
  try {
    return await judgeFile(file, profile, runtime, fix);
  } catch (error) {
    return { path: file, ok: false, profile, diagnostics: [readerFailed(file, error)] };
  }
}

async function judgeFile(
  file: string,
  profile: Profile,
  { config }: Runtime,
  fix: boolean,
): Promise<ValidatedFile<Diagnostic>> {
  const { maxSkillBodyLines: maxBodyLines, blockAngleBracketsInFrontmatter: blockAngleBrackets } = config.security;
  const where = { path: file, folderName: ownName(file), profile, maxBodyLines, blockAngleBrackets };
  const read = readText(file);
  if ('problem' in read) return { path: file, ok: false, profile, diagnostics: [read.problem] };
  const { text, applied } = fix ? fixSkill(read.text, where) : { text: read.text, applied: [] };
  if (text !== read.text) replaceFile(file, text);
  const found = [...misspelt(file), ...lintSkill(text, { ...where, ...skillContents(file) })];
  const { manifest } = parseSkill(text, where);
  const diagnostics = [...found, ...commandPatternFindings(file, manifest), ...(await patternFindings(file, manifest))];
  const ok = diagnostics.every(({ severity }) => severity !== 'error');
  return { path: file, ok, profile, diagnostics, ...(applied.length > 0 && { fixed: applied }) };
}

function misspelt(file: string): Diagnostic[] {
  const name = path.basename(file);
  if (name === SKILL_FILE || !isSkillName(name)) return [];
  const message = {
    en: `Rename ${name} to ${SKILL_FILE}: other tools look for that spelling only.`,
    zh: `请将 ${name} 改名为 ${SKILL_FILE}: 其他工具只认这种写法。`,
  };
  return [diagnose({ code: 'skill-file-name', severity: 'warning', path: file, message })];
}

/** What the body may refer to; unknown for a file that is no skill or a folder too large to list. */
function skillContents(file: string): { files?: string[] } {
  if (!isSkillName(path.basename(file))) return {};
  const { items, cut } = listResources({ folder: path.dirname(file), file });
  return cut ? {} : { files: items.map((item) => item.path) };
}

/** The name the file should carry: that of its folder, or its own where it stands for itself. */
function ownName(file: string): string {
  const name = path.basename(file);
  return isSkillName(name) ? path.basename(path.dirname(file)) : path.basename(name, '.md');
}

function readText(file: string): { text: string } | { problem: Diagnostic } {
  const problem = (code: string, message: Text) => ({
    problem: diagnose({ code, severity: 'error', path: file, message }),
  });
  try {
    const stats = statSync(file);
    if (!stats.isFile()) return problem('unreadable', NOT_A_FILE);
    if (stats.size > FILE_LIMIT) return problem('file-too-large', TOO_LARGE);
    const bytes = readFileSync(file);
    return isUtf8(bytes) ? { text: bytes.toString() } : problem('not-utf8', NOT_UTF8);
  } catch (error) {
    return problem('unreadable', cannotBeRead(errorCode(error)));
  }
}

function replaceFile(file: string, text: string): void {
  const target = realpathSync(file);
  writeFileAtomic(target, text, { mode: statSync(target).mode & 0o777 });
}

// What other tools refuse, and only the ladder of the lenient profile reads.
const MENDED = /^(?:yaml-|frontmatter-|fence-(?!loose))|^field-restricted$/;

function countPassed(results: readonly ValidatedFile[], problems: readonly Diagnostic[]): Text {
  const total = results.length;
  const unseen = describeUnseen(problems);
  const mended = results.filter(({ diagnostics }) => diagnostics.some(({ code }) => MENDED.test(code))).length;
  if (total === 0) return { en: `no skills here to check${unseen.en}`, zh: `没有可检查的技能${unseen.zh}` };
  const others =
    mended === 0
      ? { en: '', zh: '' }
      : {
          en: `; ${mended} had to be repaired while reading, which other tools may not do (--fix, --profile spec)`,
          zh: `；其中 ${mended} 个在读取时经过修复，其他工具未必如此 (--fix, --profile spec)`,
        };
  return {
    en: `${total} checked, all passed${others.en}${unseen.en}`,
    zh: `已检查 ${total} 个，全部通过${others.zh}${unseen.zh}`,
  };
}

function countFailed(failed: number, total: number): Text {
  return { en: `${failed} of ${counted(total, 'skill')}`, zh: `${total} 个技能中 ${failed} 个` };
}
