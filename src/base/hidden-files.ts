// Which files of a project nobody but its owner gets to see: secrets kept beside the code, and Skillwright's records.
import { type Dirent, readdirSync } from 'node:fs';
import path from 'node:path';

const SECRET_NAME = new RegExp(
  `^(?:${[
    '\\.env.*|.*\\.env|\\.netrc|_netrc|\\.npmrc|\\.yarnrc\\.yml|\\.pypirc|\\.htpasswd|\\.git-credentials|\\.pgpass|\\.vault-token',
    '\\.dockercfg|\\.my\\.cnf|\\.mylogin\\.cnf|secrets\\.(?:ya?ml|json|toml)',
    // Terraform keeps passwords of what it made in its state, in plain text.
    '.*\\.tfstate(?:\\..*)?|.*\\.tfvars(?:\\.json)?',
    '.*\\.(?:pem|key|p12|pfx|jks|keystore|kdbx|ppk|asc|gpg)',
    'id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?|.*service[-_]account.*\\.json|credentials\\.json',
    '\\.ssh|\\.aws|\\.gnupg|\\.kube|\\.azure',
  ].join('|')})$`,
);

// Folders that hold a secret among open files; remotes of git keep tokens in their address.
const SECRETS_OF = new Map([
  ['.git', new Set(['config', 'config.worktree', 'credentials', 'modules', 'worktrees'])],
  ['.cargo', new Set(['credentials', 'credentials.toml'])],
  ['.docker', new Set(['config.json'])],
]);

// Authors work on these; everything else in the project's `.agent` is a record.
const OPEN_RECORDS = new Set(['skills', 'evals']);

/** Large, never written by hand, and not where people keep secrets. */
export const SKIPPED_FOLDERS: ReadonlySet<string> = new Set(['.git', 'node_modules', '.venv', '__pycache__']);

const ENTRY_LIMIT = 20_000;

/** Give the path below the project. A file in a hidden folder is hidden. */
export function isHiddenFile(relativePath: string): boolean {
  const names = relativePath.split('/').filter((step) => step !== '' && step !== '.');
  const plainNames = names.map(plain);
  return plainNames.some((name, depth) => isHiddenName(name, plainNames[depth - 1] ?? '', depth));
}

/**
 * Absolute paths of the hidden files and folders there are, nearest first. Links are not followed: what they lead to
 * is hidden where it lies. What a very large project leaves unlooked at is hidden as a whole.
 */
export function findHiddenFiles(project: string, limit = ENTRY_LIMIT): string[] {
  const hidden: string[] = [];
  const folders = [{ at: project, name: '', depth: 0 }];
  let seen = 0;
  for (const folder of folders) {
    if (seen >= limit) {
      hidden.push(folder.at);
      continue;
    }
    for (const entry of entriesOf(folder.at)) {
      seen++;
      const name = plain(entry.name);
      if (isHiddenName(name, folder.name, folder.depth)) hidden.push(path.join(folder.at, entry.name));
      else if (entry.isDirectory() && isSearched(folder.name))
        folders.push({ at: path.join(folder.at, entry.name), name, depth: folder.depth + 1 });
    }
  }
  return hidden;
}

/** Give the path below the project. Skillwright's own records there, as opposed to what people keep secret. */
export function isRecordFile(relativePath: string): boolean {
  const names = relativePath.split('/').map(plain);
  return names.some((name, depth) => names[depth - 1] === '.agent' && !OPEN_RECORDS.has(name));
}

function isHiddenName(name: string, parent: string, depth: number): boolean {
  // A bare repository is a folder `x.git`, and is what `.git` is in others.
  const kind = parent.endsWith('.git') ? '.git' : parent;
  if (SECRETS_OF.get(kind)?.has(name)) return true;
  if (depth >= 1 && parent === '.agent') return !OPEN_RECORDS.has(name);
  return SECRET_NAME.test(name);
}

// Of what nobody writes by hand only the first level is worth a look: there a secret may have been put.
function isSearched(parent: string): boolean {
  return !SKIPPED_FOLDERS.has(parent);
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
