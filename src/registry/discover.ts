// Builds the index: every skill of every root from its frontmatter alone, and which of two equal names wins.
import type { Stats } from 'node:fs';
import path from 'node:path';
import { cannotBeRead, type Diagnostic, diagnose, readerFailed, type Severity } from '../base/diagnostic.ts';
import type { Text } from '../base/language.ts';
import { isInside, realPath } from '../base/paths.ts';
import { errorCode } from '../base/read-file.ts';
import { visible } from '../base/text.ts';
import type { AbsolutePath } from '../base/value/absolute-path.ts';
import type { Kind, Manifest, ParsedSkill, Source } from '../skill/skill.ts';
import { type SkillId, skillIdOf } from '../skill/skill-id.ts';
import type { IndexCache } from './index-cache.ts';
import { IndexedSkill } from './indexed-skill.ts';
import { PlainSkill } from './plain-skill.ts';
import type { OnRead } from './read-head.ts';
import { type Reading, readOpened, recallSkill } from './read-skill.ts';
import type { Root } from './roots.ts';
import { describeShadowing, type NameOwner, takesName } from './shadowing.ts';
import { type FolderEntry, listFolder, type SkillFile, type WalkedFolder, walkRoot } from './walk.ts';
import { trustedFolder } from './witness.ts';

/** A skill that was found, before its instructions are read. */
export interface SkillEntry {
  /** `source:name@version`, or `source:name` where the author gave no version. */
  readonly skillId: SkillId;
  readonly name: string;
  /** Relative to the root: `name` or `org/name`. */
  readonly folderName: string;
  readonly source: Source;
  readonly root: string;
  readonly folder: AbsolutePath;
  /** Entries of the folder that are other skills and no part of this one. */
  readonly without?: readonly string[];
  /** The real path of the folder, when it was reached through a link. */
  readonly realFolder?: string;
  readonly file: string;
  readonly kind: Kind;
  readonly manifest: Manifest;
  readonly state: 'visible' | 'shadowed';
  /** The skill_id that shadows it. */
  readonly shadowedBy?: SkillId;
  readonly diagnostics: readonly Diagnostic[];
  readonly ofRole?: OfRole;
}

/** A skill of a role. */
export interface OfRole {
  readonly role: string;
  /** The folder of the role, where it works. */
  readonly folder: string;
  /** Fingerprint of what agent.yaml says about it, which no hash of its own files covers. */
  readonly facts: string;
}

/** Has the fields lists need; its manifest is parsed on demand. */
export interface ListedSkill extends SkillEntry {
  readonly description: string;
  readonly userInvocable: boolean;
}

export interface InvalidSkill {
  readonly file: string;
  readonly folderName: string;
  /** As it calls itself; its folder's name where that cannot be read. */
  readonly name: string;
  readonly source: Source;
  readonly root: string;
  readonly diagnostics: readonly Diagnostic[];
}

export interface RootReport {
  readonly folder: string;
  readonly label: string;
  readonly source: Source;
  readonly state: 'read' | 'missing' | 'unreadable' | 'not-a-folder' | 'outside' | 'repeated';
  readonly skills: number;
}

/** The skills of a project and its user, with those that are damaged. `sw.skills()` is the list for most uses. */
export interface Index {
  /** Highest root first, then by path. */
  readonly skills: readonly ListedSkill[];
  readonly invalid: readonly InvalidSkill[];
  readonly roots: readonly RootReport[];
  /** Diagnostics that concern no single skill. */
  readonly diagnostics: readonly Diagnostic[];
}

export interface DiscoverOptions {
  readonly deep?: boolean;
  readonly blockAngleBrackets: boolean;
  readonly cache?: IndexCache;
  readonly onRead?: OnRead;
}

interface Scan extends DiscoverOptions {
  readonly realRoots: readonly string[];
  readonly skills: ListedSkill[];
  readonly invalid: InvalidSkill[];
  readonly diagnostics: Diagnostic[];
  readonly owners: Map<string, NameOwner>;
  /** Those whose name another one owns, by name. */
  readonly shadowed: Map<string, IndexedSkill[]>;
  /** Real folders already in the index, so that a link to one adds nothing; created when the first link is found. */
  places?: Set<string>;
}

// Shared by all skills without diagnostics.
const NOTHING_SAID: readonly Diagnostic[] = [];

export function discover(roots: readonly Root[], options: DiscoverOptions): Index {
  const real = roots.map(realRootOf);
  const scan: Scan = {
    ...options,
    realRoots: real.filter((folder) => folder !== undefined),
    skills: [],
    invalid: [],
    diagnostics: options.cache?.problem ? [options.cache.problem] : [],
    owners: new Map(),
    shadowed: new Map(),
  };
  const reports = roots.map((root, at) => {
    const before = scan.skills.length;
    const refused = scan.invalid.length;
    const state = real.indexOf(real[at]) < at && real[at] !== undefined ? 'repeated' : scanRoot(scan, root, real[at]);
    // After the whole root: beside a usable skill of the same root a damaged one claims only the name of its folder.
    for (const skill of scan.invalid.slice(refused)) claimDamaged(scan, skill);
    return { folder: root.folder, label: root.label, source: root.source, state, skills: scan.skills.length - before };
  });
  options.cache?.save();
  return { skills: scan.skills, invalid: scan.invalid, roots: reports, diagnostics: scan.diagnostics };
}

/** All diagnostics of the scan, whichever skill they concern. */
export function* eachDiagnostic({ diagnostics, invalid, skills }: Index): Generator<Diagnostic> {
  yield* diagnostics;
  for (const skill of invalid) yield* skill.diagnostics;
  for (const skill of skills) yield* skill.diagnostics;
}

export function allDiagnostics(index: Index): Diagnostic[] {
  return [...eachDiagnostic(index)];
}

/** A root that leaves its allowed folder is ignored: links may not lead there either. */
function realRootOf({ folder, mustStayIn }: Root): string | undefined {
  const real = realPath(folder);
  if (real === undefined || mustStayIn === undefined) return real;
  return isInside(realPath(mustStayIn) ?? mustStayIn, real) ? real : undefined;
}

function scanRoot(scan: Scan, root: Root, realRoot: string | undefined): RootReport['state'] {
  // Without a cache nothing is known of any file.
  const stats = scan.cache && trustedFolder(root.folder);
  const entries = listRoot(scan, root, stats);
  if (typeof entries === 'string') return entries;
  if (realRoot === undefined) {
    note(scan, 'root-outside', root, {
      en: 'is a link that leaves the project: not read',
      zh: '是指向项目之外的链接: 未读取',
    });
    return 'outside';
  }
  const { cache, onRead, blockAngleBrackets } = scan;
  const reading: Reading = { cache, device: stats?.dev, onRead, blockAngleBrackets };
  walkRoot(
    {
      root,
      realRoot,
      realRoots: scan.realRoots,
      deep: scan.deep ?? false,
      recalled: (place, found) => {
        const known = recallSkill(reading, place, found);
        if (known) addReading(scan, root, place, found, known);
        return known !== undefined;
      },
      found: (place, found, descriptor) => addFound(scan, root, place, found, descriptor, reading),
      refused: (file, folderName, reason) => addInvalid(scan, root, file, folderName, [reason]),
      noted: (diagnostic) => scan.diagnostics.push(diagnostic),
    },
    entries,
  );
  return 'read';
}

function listRoot(
  scan: Scan,
  root: Root,
  stats: Stats | undefined,
): readonly FolderEntry[] | 'missing' | 'not-a-folder' | 'unreadable' {
  const list = () => listFolder(root.folder);
  try {
    return stats && scan.cache ? scan.cache.entriesOf(root.folder, stats, list) : list();
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT') {
      if (root.chosen) note(scan, 'root-missing', root, { en: 'is not there', zh: '不存在' }, 'info');
      return 'missing';
    }
    if (code === 'ENOTDIR') {
      note(scan, 'root-not-a-folder', root, { en: 'is not a folder', zh: '不是目录' });
      return 'not-a-folder';
    }
    note(scan, 'root-unreadable', root, cannotBeRead(code));
    return 'unreadable';
  }
}

/** A failure of one file does not affect the others. */
function addFound(
  scan: Scan,
  root: Root,
  place: WalkedFolder,
  found: SkillFile,
  descriptor: number,
  reading: Reading,
): void {
  try {
    addReading(scan, root, place, found, readOpened(reading, place, found, descriptor));
  } catch (error) {
    const file = `${place.folder}/${found.fileName}`;
    addInvalid(scan, root, file, place.folderName, [readerFailed(file, error)]);
  }
}

function addReading(
  scan: Scan,
  root: Root,
  place: WalkedFolder,
  { fileName, note }: SkillFile,
  read: ParsedSkill | PlainSkill,
): void {
  const reading = read instanceof PlainSkill ? read : read.manifest;
  const found = read instanceof PlainSkill ? NOTHING_SAID : read.diagnostics;
  const diagnostics = note ? [note, ...found] : found;
  if (reading === undefined)
    addInvalid(scan, root, `${place.folder}/${fileName}`, place.folderName, diagnostics, claimedName(read));
  else if (!isRepeated(scan, root, place))
    addSkill(scan, new IndexedSkill({ root, place, fileName, reading, diagnostics }));
}

function claimedName(read: ParsedSkill | PlainSkill): string | undefined {
  return read instanceof PlainSkill || read.name === '' ? undefined : read.name;
}

/** The same folder of the same source, reached a second time through a link. */
function isRepeated(scan: Scan, root: Root, walked: WalkedFolder): boolean {
  if (walked.realFolder === undefined && scan.places === undefined) return false;
  scan.places ??= new Set(scan.skills.map((skill) => placeOf(skill.source, skill.root, skill)));
  const place = placeOf(root.source, root.folder, walked);
  if (scan.places.has(place)) return true;
  scan.places.add(place);
  return false;
}

function placeOf(source: Source, root: string, at: { folder: string; realFolder?: string | undefined }): string {
  return `${source} ${at.realFolder ?? (realPath(root) ?? root) + at.folder.slice(root.length)}`;
}

function addSkill(scan: Scan, skill: IndexedSkill): void {
  scan.skills.push(skill);
  if (!claimName(scan, skill, skill)) shadow(scan, skill);
}

function claimDamaged(scan: Scan, damaged: InvalidSkill): void {
  const { name, source, file } = damaged;
  const skillId = skillIdOf(source, name);
  claimName(scan, damaged, { skillId, name, folder: path.dirname(file), source, damaged: true });
}

/** False where another skill owns the name. */
function claimName(scan: Scan, skill: IndexedSkill | InvalidSkill, claim: NameOwner): boolean {
  const owner = scan.owners.get(skill.name);
  if (owner && !(owner instanceof IndexedSkill && takesName(skill, owner))) return false;
  scan.owners.set(skill.name, claim);
  if (!owner) return true;
  const before = scan.shadowed.get(skill.name) ?? [];
  for (const one of owner instanceof IndexedSkill ? [...before, owner] : []) shadow(scan, one);
  return true;
}

function shadow({ owners, shadowed }: Scan, skill: IndexedSkill): void {
  const { name } = skill;
  const owner = owners.get(name);
  if (!owner) return;
  const others = skill.state === 'shadowed' ? skill.diagnostics.slice(0, -1) : skill.diagnostics;
  if (skill.state !== 'shadowed') {
    const all = shadowed.get(name) ?? [];
    all.push(skill);
    shadowed.set(name, all);
  }
  skill.state = 'shadowed';
  skill.shadowedBy = owner.skillId;
  skill.diagnostics = [...others, describeShadowing(owner, skill.source, skill.file)];
}

function addInvalid(
  scan: Scan,
  { source, folder }: Root,
  file: string,
  folderName: string,
  diagnostics: readonly Diagnostic[],
  name = folderName.slice(folderName.lastIndexOf('/') + 1),
): void {
  scan.invalid.push({ file, folderName, name, source, root: folder, diagnostics });
}

function note(scan: Scan, code: string, root: Root, { en, zh }: Text, severity: Severity = 'warning'): void {
  const label = visible(root.label);
  const message = { en: `${label} ${en}`, zh: `${label} ${zh}` };
  scan.diagnostics.push(diagnose({ code, severity, path: root.folder, message }));
}
