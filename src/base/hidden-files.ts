// Which files of a project nobody but its owner gets to see: secrets kept beside the code, and Skillwright's records.
import { type Dirent, readdirSync } from 'node:fs';
import path from 'node:path';

const SECRET_NAME = new RegExp(
  `^(?:${[
    '\\.env.*|\\.netrc|_netrc|\\.npmrc|\\.yarnrc\\.yml|\\.pypirc|\\.htpasswd|\\.git-credentials|\\.pgpass|\\.vault-token',
    '.*\\.(?:pem|key|p12|pfx|jks|keystore|kdbx|ppk|asc|gpg)',
    'id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?|.*service[-_]account.*\\.json|credentials(?:\\.json)?',
    '\\.ssh|\\.aws|\\.gnupg|\\.kube|\\.docker|\\.azure',
  ].join('|')})$`,
);

// Remotes keep tokens in their address.
const GIT_SECRETS = new Set(['config', 'config.worktree', 'credentials', 'modules']);

// Authors work on these; everything else in the project's `.agent` is a record.
const OPEN_RECORDS = new Set(['skills', 'evals']);

/** Large, never written by hand, and not where people keep secrets. */
export const SKIPPED_FOLDERS: ReadonlySet<string> = new Set(['.git', 'node_modules', '.venv', '__pycache__']);

const ENTRY_LIMIT = 20_000;

/** Give the path below the project. A file in a hidden folder is hidden. */
export function isHiddenFile(relativePath: string): boolean {
  const steps = relativePath.split('/').filter((step) => step !== '' && step !== '.');
  return steps.some((_, index) => isHiddenStep(steps, index));
}

/**
 * Absolute paths of the hidden files and folders there are, nearest first. Links are not followed: what they lead to
 * is hidden where it lies. What a very large project leaves unlooked at is hidden as a whole.
 */
export function findHiddenFiles(project: string, limit = ENTRY_LIMIT): string[] {
  const hidden: string[] = [];
  const folders: string[][] = [[]];
  let seen = 0;
  for (const steps of folders) {
    if (seen >= limit) {
      hidden.push(path.join(project, ...steps));
      continue;
    }
    for (const entry of entriesOf(path.join(project, ...steps))) {
      seen++;
      const below = [...steps, entry.name];
      if (isHiddenStep(below, steps.length)) hidden.push(path.join(project, ...below));
      else if (entry.isDirectory() && isSearched(below)) folders.push(below);
    }
  }
  return hidden;
}

// In .git only the level that holds the secrets is worth a look.
function isSearched(steps: readonly string[]): boolean {
  const name = plain(steps.at(-1) ?? '');
  return plain(steps.at(-2) ?? '') !== '.git' && (name === '.git' || !SKIPPED_FOLDERS.has(name));
}

function isHiddenStep(steps: readonly string[], index: number): boolean {
  const name = plain(steps[index] ?? '');
  const parent = index > 0 ? plain(steps[index - 1] ?? '') : '';
  if (parent === '.git') return GIT_SECRETS.has(name);
  if (index === 1 && parent === '.agent') return !OPEN_RECORDS.has(name);
  return SECRET_NAME.test(name);
}

// File systems that fold case or normalise must not open a second door.
function plain(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[. ]+$/, '');
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
