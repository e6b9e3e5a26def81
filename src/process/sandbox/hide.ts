// Which files of a project no script gets to see: secrets people keep beside their code, and Skillwright's records.
import { type Dirent, readdirSync } from 'node:fs';
import path from 'node:path';

export interface Hidden {
  /** Absolute paths of files and folders. */
  readonly hide: readonly string[];
  /** False when the project is too large to be looked through; what lies deeper was not considered. */
  readonly complete: boolean;
}

const SECRET_NAME = new RegExp(
  `^(?:${[
    '\\.env.*|\\.netrc|\\.npmrc|\\.pypirc|\\.htpasswd|\\.git-credentials|\\.pgpass|\\.vault-token',
    '.*\\.(?:pem|key|p12|pfx|jks|keystore|kdbx|ppk|asc|gpg)',
    'id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?|.*service[-_]account.*\\.json|credentials(?:\\.json)?',
    '\\.ssh|\\.aws|\\.gnupg|\\.kube|\\.docker|\\.azure',
  ].join('|')})$`,
  'i',
);

// Relative to the project: remotes with tokens in their address, and records of runs.
const FIXED = ['.git/config', '.git/credentials', '.git/modules', '.agent/runs', '.agent/state'];

// Large, never written by hand, and not where people keep secrets.
const NOT_SEARCHED = new Set(['.git', 'node_modules', '.venv', '__pycache__']);

const FOLDER_LIMIT = 2000;

/** Nearest first, so that a limit cuts the depths. Links are not followed: what they lead to is hidden where it lies. */
export function findHidden(project: string, limit = FOLDER_LIMIT): Hidden {
  const hide = FIXED.map((entry) => path.join(project, entry));
  const folders = [project];
  for (const [index, folder] of folders.entries()) {
    if (index === limit) return { hide, complete: false };
    for (const entry of entriesOf(folder)) {
      const file = path.join(folder, entry.name);
      if (SECRET_NAME.test(entry.name)) hide.push(file);
      else if (entry.isDirectory() && !NOT_SEARCHED.has(entry.name)) folders.push(file);
    }
  }
  return { hide, complete: true };
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
