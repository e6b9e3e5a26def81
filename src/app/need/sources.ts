// The files of a skill that are worth reading for its needs, within limits; what was not read is said.
import { isUtf8 } from 'node:buffer';
import path from 'node:path';
import { type Diagnostic, diagnose, NOT_UTF8, readerFailed } from '../../base/diagnostic.ts';
import { Fault } from '../../base/errors.ts';
import type { Text } from '../../base/language.ts';
import { readBytes } from '../../loader/read-text.ts';
import type { SkillEntry } from '../../registry/discover.ts';
import type { SourceText } from '../../skill/need/read.ts';
import { type ScriptKind, scriptKind } from '../../skill/need/script-kind.ts';
import { listKinds } from '../../skill/tree.ts';

/** The files of a skill, installed or not. */
export type ReadableSkill = Pick<SkillEntry, 'folder' | 'realFolder' | 'without' | 'manifest'>;

export interface SkillSources {
  readonly sources: readonly SourceText[];
  /** All files, those too that are not read. */
  readonly paths: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

const FILE_LIMIT = 1024 * 1024;
const TOTAL_LIMIT = 8 * FILE_LIMIT;
const MOST_FILES = 1000;
const HEAD = 256;

export function readSources(skill: ReadableSkill): SkillSources {
  const folder = skill.realFolder ?? skill.folder;
  const diagnostics: Diagnostic[] = [];
  const sources: SourceText[] = [];
  let left = TOTAL_LIMIT;
  const paths = pathsOf(folder, skill, diagnostics);
  for (const file of scriptsOf(folder, paths)) {
    if (sources.length === MOST_FILES || left <= 0) {
      diagnostics.push(notRead(folder, TOO_MUCH));
      break;
    }
    const found = readSource(folder, file);
    if ('code' in found) diagnostics.push(found);
    else sources.push(found);
    left -= 'code' in found ? 0 : found.text.length;
  }
  return { sources, paths, diagnostics };
}

interface Script {
  readonly path: string;
  readonly kind: ScriptKind;
}

function pathsOf(folder: string, { without = [] }: ReadableSkill, diagnostics: Diagnostic[]): string[] {
  try {
    const files = listKinds(folder).filter(
      ({ path: name, stats }) => stats.isFile() && !without.includes(name.split('/')[0] ?? ''),
    );
    return files.map(({ path: name }) => name).sort();
  } catch (error) {
    diagnostics.push(readerFailed(folder, error));
    return [];
  }
}

/** SKILL.md first, then what is run, then what is only read, in the order of their names. */
function scriptsOf(folder: string, paths: readonly string[]): Script[] {
  const scripts = paths.flatMap((name): Script[] => {
    const kind = scriptKind(name, () => headOf(folder, name));
    return kind === undefined ? [] : [{ path: name, kind }];
  });
  return scripts.sort((a, b) => rank(a) - rank(b) || (a.path < b.path ? -1 : 1));
}

const LATER: readonly ScriptKind[] = ['packages', 'reference'];

function rank({ kind }: Script): number {
  return kind === 'instructions' ? 0 : LATER.indexOf(kind) + 2;
}

function headOf(folder: string, name: string): string {
  try {
    return Buffer.from(readBytes(folder, name, { maxBytes: FILE_LIMIT }).subarray(0, HEAD)).toString('latin1');
  } catch {
    return '';
  }
}

function readSource(folder: string, { path: name, kind }: Script): SourceText | Diagnostic {
  try {
    const bytes = readBytes(folder, name, { maxBytes: FILE_LIMIT });
    if (!isUtf8(bytes)) return notRead(path.join(folder, name), NOT_UTF8);
    return { path: name, kind, text: Buffer.from(bytes).toString('utf8') };
  } catch (error) {
    if (error instanceof Fault) return notRead(path.join(folder, name), error.sentence);
    return readerFailed(path.join(folder, name), error);
  }
}

const TOO_MUCH: Text = {
  en: `has more code than is read for its needs (${MOST_FILES} files, ${TOTAL_LIMIT / FILE_LIMIT} MiB)`,
  zh: `代码超出需求检查的上限（${MOST_FILES} 个文件，${TOTAL_LIMIT / FILE_LIMIT} MiB）`,
};

function notRead(file: string, why: Text): Diagnostic {
  const message = { en: `Not read for what the skill needs: ${why.en}`, zh: `未检查其需求: ${why.zh}` };
  return diagnose({ code: 'needs-not-read', severity: 'warning', path: file, message });
}

export function tooDeep({ folder }: ReadableSkill, file: string): Diagnostic {
  return notRead(path.join(folder, file), { en: 'is nested too deep', zh: '嵌套过深' });
}
