// Changes that ordinary work executes: they need no question of their own, but nobody should overlook them.
import type { FileChange } from '../../workspace/change.ts';

const NAMES =
  /^(?:package\.json|(?:gnu)?makefile|justfile|taskfile\.ya?ml|conftest\.py|setup\.(?:py|cfg)|pyproject\.toml|sitecustomize\.py|noxfile\.py|tox\.ini|rakefile|gemfile|build\.(?:gradle|rs|zig)(?:\.kts)?|cmakelists\.txt|.*\.pth|.*\.config\.[cm]?[jt]s)$/i;

/** A file that builds and tests run by its name, a new program, or a link, which leads to another file than it says. */
export function isExecuted({ path: below, before, after }: FileChange): boolean {
  if (!after || after.kind === 'folder') return false;
  if (after.kind === 'link' || NAMES.test(below.slice(below.lastIndexOf('/') + 1))) return true;
  return (after.mode & 0o111) !== 0 && (before === undefined || (before.mode & 0o111) === 0);
}
