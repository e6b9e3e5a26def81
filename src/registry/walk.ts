// Walks one root for folders that contain a SKILL.md: bounded, and never through a link that leaves the roots.
import { constants, type Dirent, openSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { cannotBeListed, type Diagnostic, diagnose, readerFailed } from '../base/diagnostic.ts';
import type { Text } from '../base/language.ts';
import { isInside, realPath } from '../base/paths.ts';
import { errorCode, isNotFound } from '../base/read-file.ts';
import { findHidden, visible } from '../base/text.ts';
import type { Root } from './roots.ts';

interface WalkedRoot {
  readonly folder: string;
  /** The same folder by a relative path: every path component costs the kernel a lookup. */
  readonly near: string;
}

/** A folder below a root. Its paths are made when they are asked for: nobody asks for those of most skills. */
export class WalkedFolder {
  readonly #root: WalkedRoot;
  /** Relative to the root: `name` or `org/name`. */
  readonly folderName: string;
  /** The real path of the folder, when it was reached through a link. */
  readonly realFolder: string | undefined;
  readonly level: number;

  constructor(root: WalkedRoot, folderName: string, level: number, realFolder?: string) {
    this.#root = root;
    this.folderName = folderName;
    this.level = level;
    this.realFolder = realFolder;
  }

  get folder(): string {
    return this.#below(this.#root.folder);
  }

  get near(): string {
    return this.#below(this.#root.near);
  }

  get name(): string {
    return this.level <= 1 ? this.folderName : this.folderName.slice(this.folderName.lastIndexOf('/') + 1);
  }

  within(name: string): WalkedFolder {
    const folderName = this.level === 0 ? name : `${this.folderName}/${name}`;
    const realFolder = this.realFolder === undefined ? undefined : `${this.realFolder}/${name}`;
    return new WalkedFolder(this.#root, folderName, this.level + 1, realFolder);
  }

  throughLink(target: string): WalkedFolder {
    return new WalkedFolder(this.#root, this.folderName, this.level, target);
  }

  #below(root: string): string {
    return this.level === 0 ? root : `${root}/${this.folderName}`;
  }
}

export interface SkillFile {
  readonly fileName: string;
  readonly note?: Diagnostic;
}

export interface WalkOrder {
  readonly root: Root;
  readonly realRoot: string;
  /** The real paths of all roots. */
  readonly realRoots: readonly string[];
  readonly deep: boolean;
  /** Takes a skill that is known without being opened; false where it has to be. */
  recalled(place: WalkedFolder, found: SkillFile): boolean;
  /** The file is open for reading; the receiver closes it. */
  found(place: WalkedFolder, found: SkillFile, descriptor: number): void;
  /** A skill that exists but may not or cannot be read. */
  refused(file: string, folderName: string, reason: Diagnostic): void;
  noted(diagnostic: Diagnostic): void;
}

interface Walk {
  readonly order: WalkOrder;
  entries: number;
  /** Skills found so far, readable or not. */
  met: number;
}

const SKILL_FILE = 'SKILL.md';
const USUAL_FILE: SkillFile = { fileName: SKILL_FILE };
// Most names need no further check.
const PLAIN_NAME = /^[\x20-\x7e]+$/;
const SKIPPED = new Set(['node_modules', 'dist']);
const DEPTH_LIMIT = 16;
const ENTRY_LIMIT = 100_000;
// A pipe must not block us, and a link is checked before it is followed.
const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

export function walkRoot(order: WalkOrder, entries: readonly FolderEntry[]): void {
  const walk: Walk = { order, entries: 0, met: 0 };
  const { folder } = order.root;
  walkEntries(walk, entries, new WalkedFolder({ folder, near: shortName(folder) }, '', 0));
}

function shortName(folder: string): string {
  try {
    const here = process.cwd();
    return isInside(here, folder) ? path.relative(here, folder) || '.' : folder;
  } catch {
    // The current folder is gone.
    return folder;
  }
}

/** Of a folder; nothing but folders and links leads to skills. */
export type FolderEntry = Pick<Dirent, 'name' | 'isDirectory' | 'isSymbolicLink'>;

/** Entries sorted by name, so that every machine sees the same index. */
export function listFolder(folder: string): Dirent[] {
  return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
}

function walkEntries(walk: Walk, entries: readonly FolderEntry[], parent: WalkedFolder): void {
  for (const entry of entries) {
    const isLink = entry.isSymbolicLink();
    if (!(isLink || entry.isDirectory()) || isSkipped(entry.name)) continue;
    if (++walk.entries > ENTRY_LIMIT) {
      if (walk.entries === ENTRY_LIMIT + 1) noteLimit(walk, parent.folder, TOO_MANY);
      return;
    }
    walkEntry(walk, parent.within(entry.name), entry.name, isLink);
  }
}

/** A failure of one folder does not end the walk. */
function walkEntry(walk: Walk, place: WalkedFolder, name: string, isLink: boolean): void {
  try {
    if (!PLAIN_NAME.test(name) && hasHidden(name)) refuseName(walk, place);
    else if (!isLink) walkFolder(walk, place);
    else if (place.level <= 2) walkLink(walk, place);
  } catch (error) {
    const file = `${place.folder}/${SKILL_FILE}`;
    walk.order.refused(file, place.folderName, readerFailed(file, error));
  }
}

function walkFolder(walk: Walk, place: WalkedFolder): void {
  const opened = takeSkill(walk, place, USUAL_FILE);
  if (opened === 'absent') walkWithoutSkillFile(walk, place);
  else if (walk.order.deep) walkBelow(walk, place, listOrNote(walk, place.folder));
}

function takeSkill(walk: Walk, place: WalkedFolder, found: SkillFile): 'taken' | 'absent' | 'refused' {
  const isRecalled = walk.order.recalled(place, found);
  const opened = isRecalled ? 'taken' : openSkillFile(walk, place, `${place.near}/${found.fileName}`);
  if (opened === 'absent' || opened === 'refused') return opened;
  walk.met++;
  if (opened !== 'taken') walk.order.found(place, found, opened);
  return 'taken';
}

/** No SKILL.md: perhaps another spelling of it, perhaps a namespace. */
function walkWithoutSkillFile(walk: Walk, place: WalkedFolder): void {
  const entries = listOrNote(walk, place.folder);
  const variant = entries.find((entry) => entry.name.toLowerCase() === SKILL_FILE.toLowerCase());
  if (variant) {
    const file = `${place.folder}/${variant.name}`;
    const message = { en: `${variant.name} should be spelt SKILL.md`, zh: `${variant.name} 应写作 SKILL.md` };
    const note = diagnose({ code: 'skill-file-name', severity: 'warning', path: file, message });
    takeSkill(walk, place, { fileName: variant.name, note });
    if (!walk.order.deep) return;
  }
  const before = walk.met;
  if (place.level === 1 || walk.order.deep) walkBelow(walk, place, entries);
  if (place.level === 1 && walk.met === before) {
    note(walk, 'no-skill-file', 'info', place.folder, {
      en: 'there is no SKILL.md in it, nor one folder below',
      zh: '其中没有 SKILL.md，下一层目录中也没有',
    });
  }
}

function walkBelow(walk: Walk, place: WalkedFolder, entries: readonly FolderEntry[]): void {
  if (place.level >= DEPTH_LIMIT) noteLimit(walk, place.folder, TOO_DEEP);
  else walkEntries(walk, entries, place);
}

/** A link is followed when it stays inside the roots, or where the owner of the root allows it. */
function walkLink(walk: Walk, place: WalkedFolder): void {
  const target = realPath(place.folder);
  if (target === undefined) {
    const message = { en: 'a link to nothing, or to itself', zh: '是失效的或指向自身的链接' };
    note(walk, 'link-broken', 'warning', place.folder, message);
    return;
  }
  if (!isFolder(target)) return;
  const reach = walk.order.root.linksMayReach === undefined ? undefined : realPath(walk.order.root.linksMayReach);
  const allowed = reach === undefined ? walk.order.realRoots : [...walk.order.realRoots, reach];
  if (isInside(target, walk.order.realRoot)) refuse(walk, place, 'link-circular', LINK_CIRCULAR);
  else if (allowed.some((folder) => isInside(folder, target))) walkFolder(walk, place.throughLink(target));
  else
    refuse(walk, place, 'link-outside', {
      en: `a link that leaves the folders skills are read from, to ${visible(target)}`,
      zh: `是指向技能目录之外的链接: ${visible(target)}`,
    });
}

const LINK_CIRCULAR: Text = { en: 'a link to a folder it lies in', zh: '是指向其上级目录的链接' };

function openSkillFile(walk: Walk, place: WalkedFolder, file: string): number | 'absent' | 'refused' {
  try {
    return openSync(file, OPEN_FLAGS);
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT') return 'absent';
    if (code === 'ELOOP' || code === 'EMLINK') return openLinkedFile(walk, place, file);
    refuse(walk, place, 'unreadable', { en: `cannot be opened (${code})`, zh: `无法打开（${code}）` });
    return 'refused';
  }
}

function openLinkedFile(walk: Walk, place: WalkedFolder, file: string): number | 'refused' {
  const target = realPath(file);
  const folder = realPath(place.folder);
  if (target === undefined || folder === undefined) {
    refuse(walk, place, 'link-broken', { en: 'SKILL.md is a link to nothing', zh: 'SKILL.md 是失效的链接' });
    return 'refused';
  }
  if (!isInside(folder, target)) {
    refuse(walk, place, 'link-outside', {
      en: `SKILL.md is a link that leaves the skill folder, to ${visible(target)}`,
      zh: `SKILL.md 是指向技能目录之外的链接: ${visible(target)}`,
    });
    return 'refused';
  }
  const opened = openSkillFile(walk, place, target);
  return opened === 'absent' ? 'refused' : opened;
}

function refuseName(walk: Walk, place: WalkedFolder): void {
  const shown = visible(place.folderName);
  refuse(walk, place, 'folder-name-hidden', {
    en: `the folder name holds hidden characters: ${shown}`,
    zh: `目录名含有隐藏字符: ${shown}`,
  });
}

function refuse(walk: Walk, place: WalkedFolder, code: string, message: Text): void {
  walk.met++;
  const file = `${place.folder}/${SKILL_FILE}`;
  walk.order.refused(file, place.folderName, diagnose({ code, severity: 'error', path: file, message }));
}

const TOO_MANY: Text = { en: `more than ${ENTRY_LIMIT} folders`, zh: `超过 ${ENTRY_LIMIT} 个目录` };
const TOO_DEEP: Text = { en: `deeper than ${DEPTH_LIMIT} folders`, zh: `超过 ${DEPTH_LIMIT} 层目录` };

function noteLimit(walk: Walk, folder: string, limit: Text): void {
  const message = { en: `${limit.en}: the rest was not looked at`, zh: `${limit.zh}: 其余未读取` };
  note(walk, 'walk-limit', 'warning', folder, message);
}

function listOrNote(walk: Walk, folder: string): Dirent[] {
  try {
    return listFolder(folder);
  } catch (error) {
    // Removed since its name was read: nothing to report.
    if (isNotFound(error)) return [];
    note(walk, 'unreadable', 'warning', folder, cannotBeListed(errorCode(error)));
    return [];
  }
}

function isFolder(target: string): boolean {
  return statSync(target, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function isSkipped(name: string): boolean {
  return name.startsWith('.') || SKIPPED.has(name);
}

function hasHidden(name: string): boolean {
  return /[\t\n\r\ufffd]/.test(name) || findHidden(name).length > 0;
}

function note(walk: Walk, code: string, severity: 'warning' | 'info', at: string, message: Text): void {
  walk.order.noted(diagnose({ code, severity, path: at, message }));
}
