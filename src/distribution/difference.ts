// What an update would change: files, permissions of the skill, and its version.
import type { DigestFile } from '../skill/digest.ts';
import type { Manifest } from '../skill/skill.ts';

export interface FileChanges {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

/** One permission a skill asks for, as people read it: `tool Bash(git:*)`, `network`, `secret TOKEN`. */
export type Permission = string;

export interface PermissionChanges {
  readonly added: readonly Permission[];
  readonly removed: readonly Permission[];
}

export function compareFiles(before: readonly DigestFile[], after: readonly DigestFile[]): FileChanges {
  const old = new Map(before.map((file) => [file.path, file]));
  const now = new Map(after.map((file) => [file.path, file]));
  return {
    added: after.filter(({ path }) => !old.has(path)).map(({ path }) => path),
    changed: after.filter((file) => old.has(file.path) && !isSame(old.get(file.path), file)).map(({ path }) => path),
    removed: before.filter(({ path }) => !now.has(path)).map(({ path }) => path),
  };
}

export function comparePermissions(before: readonly Permission[], after: readonly Permission[]): PermissionChanges {
  return {
    added: after.filter((permission) => !before.includes(permission)),
    removed: before.filter((permission) => !after.includes(permission)),
  };
}

/** What it declares; policy decides about each when it is used. */
export function permissionsOf(manifest: Manifest): Permission[] {
  const { allowedTools, network, secrets = [], requires = [], command, entry } = manifest;
  const tools = allowedTools?.map(({ tool, pattern }) => `tool ${tool}${pattern === undefined ? '' : `(${pattern})`}`);
  return [
    ...(tools ?? ['tool *']),
    ...(command === undefined ? [] : [`command ${command}`]),
    ...(entry === undefined ? [] : [`entry ${entry}`]),
    ...(network ? ['network'] : []),
    ...secrets.map((name) => `secret ${name}`),
    ...requires.map((name) => `program ${name}`),
  ];
}

function isSame(a: DigestFile | undefined, b: DigestFile): boolean {
  return a?.sha256 === b.sha256 && a.mode === b.mode && a.size === b.size;
}
