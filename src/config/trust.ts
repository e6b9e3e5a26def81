// Whether the user trusts a project: said under home, bound to the very settings and roles that were there.
import { type Dirent, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../base/errors.ts';
import { makeFolder, writeFileAtomic } from '../base/files.ts';
import { sha256 } from '../base/ids.ts';
import { isRecord, jsonIfValid } from '../base/json.ts';
import { realPath } from '../base/paths.ts';
import { isNotFound, readTextIfThere } from '../base/read-file.ts';
import { visible } from '../base/text.ts';

const SETTINGS = '.agent/config.json';
const ROLE_FILE = /^agent\.ya?ml$/i;
const FILE_LIMIT = 1024 * 1024;
const FOLDER_LIMIT = 20_000;
const DEPTH_LIMIT = 12;
// Below a role these hold no roles, and can be very large.
const SKIPPED = new Set(['node_modules', '.git']);

/** The bytes of the settings as they were read, null for none; absent: they are read here. */
type SettingsRead = Uint8Array | null | undefined;

/** Throws a Fault when what is to be trusted cannot be read completely. */
export function trustProject(project: string, home: string, now: number, settings?: SettingsRead): void {
  const fingerprint = fingerprintProject(project, settings);
  const file = trustFile(project, home);
  makeFolder(path.dirname(file));
  const record = { project: realPath(project), fingerprint, trusted_at: new Date(now).toISOString() };
  writeFileAtomic(file, `${JSON.stringify(record)}\n`, { durable: true });
}

/** Any change of the settings or of a role since then, and it is not. Who uses settings asks about the bytes they came from. */
export function isTrusted(project: string, home: string, settings?: SettingsRead): boolean {
  const record = readRecord(trustFile(project, home));
  if (record === undefined) return false;
  try {
    return record.project === realPath(project) && record.fingerprint === fingerprintProject(project, settings);
  } catch {
    return false;
  }
}

/** Of the settings and roles as they were when they were trusted; null where nobody did. */
export function trustedFingerprint(project: string, home: string): string | null {
  const fingerprint = readRecord(trustFile(project, home))?.fingerprint;
  return typeof fingerprint === 'string' ? fingerprint : null;
}

/** True when there was something to revoke. */
export function revokeTrust(project: string, home: string): boolean {
  const file = trustFile(project, home);
  const wasThere = readTextIfThere(file) !== undefined;
  rmSync(file, { force: true });
  return wasThere;
}

/** The folder's settings and roles, as what a person is asked to trust. */
export function trustedFiles(project: string): string[] {
  const settings = kindOfTarget(project, SETTINGS) === 'file' ? [SETTINGS] : [];
  return [...settings, ...roleFiles(project)];
}

function trustFile(project: string, home: string): string {
  return path.join(home, '.agent', 'trust', `${sha256(realPath(project) ?? path.resolve(project))}.json`);
}

function readRecord(file: string): Record<string, unknown> | undefined {
  try {
    const record = jsonIfValid(readFileSync(file, 'utf8'));
    return isRecord(record) ? record : undefined;
  } catch {
    return undefined;
  }
}

/** Names and contents are framed by their lengths, so that no two sets of files look the same. */
function fingerprintProject(project: string, settings: SettingsRead): string {
  const own = settings === undefined ? readSettings(project) : settings;
  const roles = roleFiles(project).map((name) => frame(name, readWhole(path.join(project, name))));
  const frames = own === null ? roles : [frame(SETTINGS, own), ...roles];
  return sha256(`${frames.length}:${frames.join('')}`);
}

function frame(name: string, content: Uint8Array): string {
  return `${Buffer.byteLength(name)}:${name}${content.length}:${sha256(content)}`;
}

function readSettings(project: string): Uint8Array | null {
  return kindOfTarget(project, SETTINGS) === 'file' ? readWhole(path.join(project, SETTINGS)) : null;
}

function readWhole(file: string): Uint8Array {
  const { size } = statSync(file);
  if (size > FILE_LIMIT) throw new Fault('NotTrusted', `${visible(file)} is larger than 1 MiB`);
  return readFileSync(file);
}

function roleFiles(project: string): string[] {
  const walk = { project, folders: 0, found: [] as string[] };
  walkRoles(walk, 'agents', 0);
  return walk.found.sort();
}

// Links are followed as the reader of roles follows them; a circle of links ends at the depth limit.
function walkRoles(walk: { project: string; folders: number; found: string[] }, relative: string, depth: number): void {
  if (++walk.folders > FOLDER_LIMIT) throw new Fault('NotTrusted', 'agents/ holds too many folders to check');
  for (const entry of listEntries(path.join(walk.project, relative))) {
    const name = path.join(relative, entry.name);
    const isLink = entry.isSymbolicLink();
    if (ROLE_FILE.test(entry.name)) {
      if (entry.isFile() || (isLink && kindOfTarget(walk.project, name) === 'file')) walk.found.push(name);
    } else if (depth >= DEPTH_LIMIT || (depth > 0 && SKIPPED.has(entry.name))) continue;
    else if (entry.isDirectory() || (isLink && kindOfTarget(walk.project, name) === 'folder')) {
      walkRoles(walk, name, depth + 1);
    }
  }
}

function kindOfTarget(project: string, name: string): 'file' | 'folder' | 'other' {
  try {
    const target = statSync(path.join(project, name));
    if (target.isFile()) return 'file';
    return target.isDirectory() ? 'folder' : 'other';
  } catch {
    return 'other';
  }
}

function listEntries(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (isNotFound(error)) return [];
    throw new Fault('NotTrusted', `${visible(folder)} cannot be read`, { cause: error });
  }
}
