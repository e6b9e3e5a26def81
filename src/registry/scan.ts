// Reconciles stored facts about skills with the disk, both ways; the file system is the source of truth.
import { existsSync } from 'node:fs';
import { type Diagnostic, diagnose, readerFailed } from '../base/diagnostic.ts';
import { Fault } from '../base/errors.ts';
import { sameInAll, type Text } from '../base/language.ts';
import { visible } from '../base/text.ts';
import { digestSkill, digestTree } from '../skill/digest.ts';
import type { Source } from '../skill/skill.ts';
import type { SkillId } from '../skill/skill-id.ts';
import { listTree, type TreeEntry } from '../skill/tree.ts';
import type { ScannedSkill, Store } from '../store/store.ts';
import { calledName } from './called-name.ts';
import { fingerprint } from './fingerprint.ts';

/** What a scan needs to know about a skill of the index. */
export interface ScanEntry {
  readonly skillId: SkillId;
  readonly name: string;
  readonly folderName: string;
  readonly source: Source;
  readonly folder: string;
  readonly realFolder?: string;
  readonly file: string;
}

export interface ScanResult {
  readonly added: readonly string[];
  readonly updated: readonly string[];
  readonly removed: readonly string[];
  readonly total: number;
  /** Skills that exist but cannot be hashed, and therefore not be approved either. */
  readonly diagnostics: readonly Diagnostic[];
}

interface Hashed {
  /** Empty when there is none. */
  readonly digest: string;
  readonly problem?: Diagnostic;
}

interface Observed {
  readonly skill: ScannedSkill;
  readonly problem?: Diagnostic;
}

type Seen = ReadonlyMap<string, Observed>;
type Known = ReadonlyMap<string, ScannedSkill>;

export function scan(
  index: { readonly skills: readonly ScanEntry[] },
  store: Pick<Store, 'scanned'>,
  now = Date.now(),
): ScanResult {
  // Reading and hashing take long, so they happen before the transaction that blocks other writers.
  const before = store.scanned.all();
  const seen = new Map<string, Observed>();
  for (const entry of index.skills) observe(seen, entry, before.get(entry.folder), now);
  const { result } = store.scanned.reconcile((known) => {
    const current = lookAgain(index.skills, seen, before, known, now);
    const removeFolders = goneFolders(current, before, known);
    const skills = [...current.values()].map(({ skill }) => skill);
    const put = skills.filter((skill) => !isSame(skill, known.get(skill.folder)));
    return { put, removeFolders, result: compare(current, removeFolders, known) };
  });
  return result;
}

export function describeScan({ added, updated, removed }: ScanResult): Text {
  return {
    en: `scan finished: ${added.length} added, ${updated.length} updated${removed.length > 0 ? `, ${removed.length} removed` : ''}`,
    zh: `扫描完成: 新增 ${added.length} 个, 更新 ${updated.length} 个${removed.length > 0 ? `, 移除 ${removed.length} 个` : ''}`,
  };
}

/** Adds the current state on disk; nothing when the skill is gone. A failure of one folder does not affect the others. */
function observe(seen: Map<string, Observed>, entry: ScanEntry, known: ScannedSkill | undefined, now: number): void {
  try {
    look(seen, entry, known, now);
  } catch (error) {
    const { folder, skillId, source } = entry;
    const skill = { folder, skillId, name: calledName(entry), source, fingerprint: '', digest: '' };
    seen.set(folder, { skill, problem: readerFailed(entry.file, error) });
  }
}

function look(seen: Map<string, Observed>, entry: ScanEntry, known: ScannedSkill | undefined, now: number): void {
  const { folder, skillId, source } = entry;
  // Taken before hashing: a change in between makes the next scan hash again.
  const tree = tryList(entry.realFolder ?? folder);
  const print = tree ? fingerprint(tree, now) : '';
  const isUnchanged = known !== undefined && known.digest !== '' && print !== '' && print === known.fingerprint;
  const hashed: Hashed = isUnchanged ? { digest: known.digest } : hash(entry, tree);
  if (!existsSync(entry.file)) return;
  const name = calledName(entry);
  const skill = { folder, skillId, name, source, fingerprint: print, digest: hashed.digest };
  seen.set(folder, { skill, ...(hashed.problem && { problem: hashed.problem }) });
}

function tryList(folder: string): TreeEntry[] | undefined {
  try {
    return listTree(folder);
  } catch {
    return undefined;
  }
}

function hash(entry: ScanEntry, tree: readonly TreeEntry[] | undefined): Hashed {
  const folder = entry.realFolder ?? entry.folder;
  try {
    return { digest: (tree ? digestTree(folder, tree) : digestSkill(folder)).digest };
  } catch (error) {
    return { digest: '', problem: noDigest(entry.folder, error) };
  }
}

function noDigest(folder: string, error: unknown): Diagnostic {
  const found = { code: 'no-digest', severity: 'warning', path: folder } as const;
  if (!(error instanceof Fault)) {
    const words = visible(error instanceof Error ? error.message : String(error));
    return diagnose({ ...found, message: sameInAll(words) });
  }
  const { en, zh } = error.sentence;
  return diagnose({ ...found, message: { en: visible(en), zh: visible(zh) }, fix: error.hint });
}

/** Rows another scan has written since we looked are newer: those skills are scanned once more. */
function lookAgain(entries: readonly ScanEntry[], seen: Seen, before: Known, known: Known, now: number): Seen {
  const current = new Map(seen);
  for (const entry of entries) {
    const written = known.get(entry.folder);
    if (isSame(written, before.get(entry.folder))) continue;
    current.delete(entry.folder);
    observe(current, entry, written, now);
  }
  return current;
}

/** A row that another scan has written since we looked is newer, so we do not remove it. */
function goneFolders(current: Seen, before: Known, known: Known): string[] {
  return [...known.keys()].filter((folder) => !current.has(folder) && isSame(known.get(folder), before.get(folder)));
}

function compare(current: Seen, removed: readonly string[], known: Known): ScanResult {
  const skills = [...current.values()].map(({ skill }) => skill);
  const changed = skills.filter(({ folder, digest }) => (known.get(folder)?.digest ?? digest) !== digest);
  return {
    added: skills.filter(({ folder }) => !known.has(folder)).map(({ name }) => name),
    updated: changed.map(({ name }) => name),
    removed: removed.map((folder) => known.get(folder)?.name ?? folder),
    total: skills.length,
    diagnostics: [...current.values()].flatMap(({ problem }) => problem ?? []),
  };
}

function isSame(one: ScannedSkill | undefined, other: ScannedSkill | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return (
    one.digest === other.digest &&
    one.fingerprint === other.fingerprint &&
    one.skillId === other.skillId &&
    one.name === other.name &&
    one.source === other.source
  );
}
