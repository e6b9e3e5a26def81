// Which files of a project nobody but its owner gets to see: secrets kept beside the code, and Skillwright's records.
import path from 'node:path';
import { Fault } from './errors.ts';
import { type NameVerdict, searchTree, type TreePlace } from './hidden/folder-index.ts';
import { holdsNoKey } from './hidden/private-key.ts';

const SECRET_NAME = new RegExp(
  `^(?:${[
    '\\.env.*|.*\\.env|\\.netrc|_netrc|\\.npmrc|\\.yarnrc\\.yml|\\.pypirc|\\.htpasswd|\\.git-credentials|\\.pgpass|\\.vault-token',
    '\\.dockercfg|\\.my\\.cnf|\\.mylogin\\.cnf|secrets\\.(?:ya?ml|json|toml)',
    // Terraform keeps passwords of what it made in its state, in plain text.
    '.*\\.tfstate(?:\\..*)?|.*\\.tfvars(?:\\.json)?',
    '.*\\.(?:p12|pfx|jks|keystore|kdbx|ppk)',
    'id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?|.*service[-_]account.*\\.json|credentials\\.json',
    '\\.ssh|\\.aws|\\.gnupg|\\.kube|\\.azure',
  ].join('|')})$`,
);

/** Shows which variables there are, and none of their values. */
const SAMPLE_NAME = /^\.env\.(?:.*\.)?(?:example|sample|template)$/;

/** Certificates, signatures and plain texts have these names as well as private keys: the content tells. */
const KEY_NAME = /\.(?:pem|key|asc|gpg)$/;

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

/** More than the largest repositories there are have of their own. */
const MOST_ENTRIES = 1_000_000;

/** By the path below the project alone: what its content could open stays hidden. A file in a hidden folder is hidden. */
export function isHiddenFile(relativePath: string): boolean {
  return judgePath(relativePath) !== 'leave';
}

/** The same for what lies at that path of a folder: its content is asked where the name does not tell. */
export function isHiddenIn(folder: string, relativePath: string): boolean {
  const verdict = judgePath(relativePath);
  return verdict === 'look' ? !holdsNoKey(path.join(folder, relativePath)) : verdict === 'pick';
}

export interface HiddenSearch {
  /** A file of our own in which it is remembered, so that only folders that changed are read again. */
  readonly memory?: string | undefined;
  /** A project with more entries is refused. */
  readonly mostEntries?: number | undefined;
  /** Folders of the project that are hidden as they are, and not looked through. */
  readonly leaveOut?: readonly string[] | undefined;
}

/**
 * Absolute paths of the hidden files and folders there are. Links are not followed: what they lead to is hidden where
 * it lies. Throws a Fault where there is too much to be looked through.
 */
export function findHiddenFiles(project: string, search: HiddenSearch = {}): string[] {
  const { memory, mostEntries = MOST_ENTRIES, leaveOut = [] } = search;
  const left = new Set(leaveOut);
  const found = searchTree(project, {
    judge: (place, isFolder) => (left.has(place.below) ? 'pick' : judgePlace(place, isFolder)),
    judgeFile: (file) => !holdsNoKey(file),
    // Of what nobody writes by hand only the first level is worth a look: there a secret may have been put.
    isSearched: (name) => !SKIPPED_FOLDERS.has(plain(name)),
    count: (entries) => {
      if (entries > mostEntries) throw tooLarge(mostEntries);
    },
    rules: `${JUDGEMENT} ${SECRET_NAME.source} ${JSON.stringify([...left].sort())}`,
    memory,
  });
  return found.map((below) => path.join(project, below));
}

function tooLarge(mostEntries: number): Fault {
  return new Fault(
    'LIMIT_PROJECT_FILES',
    { en: `more than ${mostEntries} files and folders`, zh: `文件和目录超过 ${mostEntries} 个` },
    { details: { limit: mostEntries } },
  );
}

/** Rises when the same name or content is judged otherwise: what was remembered counts no more then. */
const JUDGEMENT = 1;

/** Give the path below the project. Skillwright's own records there, as opposed to what people keep secret. */
export function isRecordFile(relativePath: string): boolean {
  const names = relativePath.split('/').map(plain);
  return names.some((name, depth) => names[depth - 1] === '.agent' && !OPEN_RECORDS.has(name));
}

/** A folder with the name of a key is closed: there is no content that could tell. */
function judgePlace({ name, parent, depth }: TreePlace, isFolder: boolean): NameVerdict {
  const verdict = judgeName(plain(name), plain(parent), depth);
  return verdict === 'look' && isFolder ? 'pick' : verdict;
}

function judgePath(relativePath: string): NameVerdict {
  const names = relativePath.split('/').filter((step) => step !== '' && step !== '.');
  const plainNames = names.map(plain);
  const verdicts = plainNames.map((name, depth) => judgeName(name, plainNames[depth - 1] ?? '', depth));
  if (verdicts.includes('pick') || verdicts.slice(0, -1).includes('look')) return 'pick';
  return verdicts.at(-1) ?? 'leave';
}

function judgeName(name: string, parent: string, depth: number): NameVerdict {
  if (isHiddenName(name, parent, depth)) return 'pick';
  return KEY_NAME.test(name) ? 'look' : 'leave';
}

function isHiddenName(name: string, parent: string, depth: number): boolean {
  // A bare repository is a folder `x.git`, and is what `.git` is in others.
  const kind = parent.endsWith('.git') ? '.git' : parent;
  if (SECRETS_OF.get(kind)?.has(name)) return true;
  if (depth >= 1 && parent === '.agent') return !OPEN_RECORDS.has(name);
  if (SAMPLE_NAME.test(name)) return false;
  return SECRET_NAME.test(name);
}

// File systems that fold case or normalise must not open a second door.
function plain(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[. ]+$/, '');
}
