// Skills from a git repository: one commit, read from its objects; no working tree is ever created.
import path from 'node:path';
import { Fault } from '../../base/errors.ts';
import { makeFolder, removeTree } from '../../base/files.ts';
import { visible } from '../../base/text.ts';
import { checkName } from '../archive/name.ts';
import { ARCHIVE_LIMITS } from '../archive/type.ts';
import { checkFiles, isLeftOut, nameFolders } from './folder.ts';
import { type Git, type GitHost, openGit } from './git.ts';
import { groupSkills, type Offer, type OfferedFile, type OfferedSkill, type WantedSkills } from './offer.ts';
import { isPluginManifest } from './plugin-layout.ts';

export interface GitSource {
  readonly location: string;
  readonly ref?: string;
  /** Search only below this folder. */
  readonly path?: string;
}

interface TreeEntry {
  readonly mode: string;
  readonly type: string;
  readonly object: string;
  readonly size: number;
  readonly path: string;
}

const COMMIT = /^[0-9a-f]{40}$|^[0-9a-f]{64}$/;
const REGULAR = '100644';
const EXECUTABLE = '100755';
const MANIFEST_LIMIT = 100;
const LISTING_LIMIT = 64 * 1024 * 1024;

/** `work` is a private folder; what git needs there is removed afterwards. */
export async function openGitSource(
  source: GitSource,
  wanted: WantedSkills,
  work: string,
  host: GitHost,
): Promise<Offer> {
  checkSource(source);
  makeFolder(work);
  const folder = path.join(work, 'repository');
  const git = openGit(folder, protocolsOf(source.location), host);
  try {
    await git.run(['init', '--bare', '--quiet', '--template=', folder]);
    const commit = await fetchCommit(git, source);
    const entries = await listTree(git, commit, source.path);
    const found = groupSkills(await offerEntries(git, entries), wanted);
    const skills = nameFolders(found, source.path ?? source.location.replace(/(?:\.git)?\/*$/, ''));
    for (const skill of skills) checkFiles(skill);
    const chosen = await readFiles(git, skills, entries);
    const { location, ref, path: below } = source;
    const origin = { kind: 'git' as const, location, ...(ref !== undefined && { ref }), commit };
    return { origin, skills: below === undefined ? chosen : chosen.map((skill) => moveBelow(skill, below)) };
  } finally {
    removeTree(folder);
  }
}

// An argument that starts with a dash would be an option, to git or to ssh behind it.
function checkSource({ location, ref, path: below }: GitSource): void {
  const [, user = '', host = ''] = /^(?:[a-z+]+:\/\/)?([^/@]*@)?([^/:]*)/i.exec(location) ?? [];
  const isOption = [location, user, host].some((word) => decode(word).startsWith('-'));
  if (isOption || /[\0\n]/.test(location)) throw new Fault('ParamInvalid', visible(location));
  if (ref !== undefined && !/^(?!-)[\w./@+-]+$/.test(ref)) throw new Fault('ParamInvalid', visible(`ref ${ref}`));
  if (below !== undefined) checkName(below);
}

function decode(word: string): string {
  return word.replace(/%2d/gi, '-');
}

function protocolsOf(location: string): string[] {
  if (location.startsWith('https://')) return ['https'];
  if (/^http:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?\//.test(location)) return ['http'];
  if (path.isAbsolute(location) || location.startsWith('file://')) return ['file'];
  if (location.startsWith('ssh://') || /^[\w.-]+@[\w.-]+:/.test(location)) return ['ssh'];
  throw new Fault('ParamInvalid', visible(location), {
    hint: { en: 'https, ssh and local repositories can be read.', zh: '可读取 https、ssh 与本地仓库。' },
  });
}

async function fetchCommit(git: Git, { location, ref = 'HEAD' }: GitSource): Promise<string> {
  const shallow = ['fetch', '--quiet', '--depth=1', '--no-tags', '--no-write-fetch-head', '--no-recurse-submodules'];
  const into = `+${ref}:refs/skillwright/wanted`;
  await git.run([...shallow, '--end-of-options', location, into]).catch(async (error: unknown) => {
    // Not every server serves a commit by its hash; then everything is fetched and it is looked up.
    const isRefusal = error instanceof Fault && error.type === 'ExternalServiceError';
    if (!COMMIT.test(ref) || !isRefusal) throw error;
    await git.run(['fetch', '--quiet', '--no-tags', '--end-of-options', location, '+refs/*:refs/skillwright/all/*']);
    await git.run(['update-ref', 'refs/skillwright/wanted', ref]);
  });
  const resolved = await git.run(['rev-parse', '--verify', '--end-of-options', 'refs/skillwright/wanted^{commit}']);
  const commit = resolved.toString('utf8').trim();
  if (!COMMIT.test(commit)) throw new Fault('DataNotFound', visible(ref));
  return commit;
}

async function listTree(git: Git, commit: string, below: string | undefined): Promise<TreeEntry[]> {
  const tree = below === undefined ? commit : `${commit}:${below}`;
  const listing = await git
    .run(['ls-tree', '-r', '-l', '-z', '--full-tree', tree], { outputLimit: LISTING_LIMIT })
    .catch((error: unknown) => {
      if (below === undefined) throw error;
      throw new Fault('DataNotFound', visible(below), { cause: error });
    });
  return listing
    .toString('utf8')
    .split('\0')
    .filter((line) => line !== '')
    .map(readEntry)
    .filter((entry) => !isLeftOut(entry.path));
}

function readEntry(line: string): TreeEntry {
  const tab = line.indexOf('\t');
  const [mode = '', type = '', object = '', size = ''] = line.slice(0, tab).split(/ +/);
  return { mode, type, object, size: Number(size) || 0, path: line.slice(tab + 1) };
}

/** Only files that define skills are read already. */
async function offerEntries(git: Git, entries: readonly TreeEntry[]): Promise<OfferedFile[]> {
  const manifests = entries.filter((entry) => isPluginManifest(entry) && isPlain(entry)).slice(0, MANIFEST_LIMIT);
  const contents = await readObjects(git, manifests);
  const known = new Map(manifests.map(({ path: name }, at) => [name, contents[at]]));
  return entries.map(({ path: name, mode, size }) => {
    return { path: name, executable: mode === EXECUTABLE, size, read: () => known.get(name) ?? Buffer.alloc(0) };
  });
}

/** One batch request for all of them; git answers each with a line and the bytes. */
async function readFiles(
  git: Git,
  skills: readonly OfferedSkill[],
  entries: readonly TreeEntry[],
): Promise<OfferedSkill[]> {
  const byPath = new Map(entries.map((entry) => [entry.path, entry]));
  const entryOf = (skill: OfferedSkill, file: OfferedFile) =>
    byPath.get(skill.folder === '' ? file.path : `${skill.folder}/${file.path}`);
  const wanted = skills.flatMap((skill) => skill.files.map((file) => checkEntry(entryOf(skill, file), file)));
  checkTotal(wanted);
  const contents = await readObjects(git, wanted);
  let next = 0;
  return skills.map((skill) => ({
    ...skill,
    files: skill.files.map((file) => {
      const content = contents[next++] ?? Buffer.alloc(0);
      return { ...file, read: () => content };
    }),
  }));
}

async function readObjects(git: Git, wanted: readonly TreeEntry[]): Promise<Buffer[]> {
  if (wanted.length === 0) return [];
  const answer = await git.run(['cat-file', '--batch'], {
    stdin: wanted.map(({ object }) => `${object}\n`).join(''),
    outputLimit: ARCHIVE_LIMITS.totalBytes + 1024 * 1024,
  });
  return splitBatch(answer, wanted);
}

function checkEntry(entry: TreeEntry | undefined, file: OfferedFile): TreeEntry {
  if (entry && isPlain(entry)) return entry;
  throw new Fault('ARCHIVE_LINK', visible(file.path));
}

function isPlain({ type, mode }: TreeEntry): boolean {
  return type === 'blob' && (mode === REGULAR || mode === EXECUTABLE);
}

function checkTotal(entries: readonly TreeEntry[]): void {
  const total = entries.reduce((sum, { size }) => sum + size, 0);
  if (total > ARCHIVE_LIMITS.totalBytes || entries.length > ARCHIVE_LIMITS.entries)
    throw new Fault('ARCHIVE_LIMIT', { en: 'choose some of its skills by name', zh: '请按名称选择其中的技能' });
}

function splitBatch(answer: Buffer, wanted: readonly TreeEntry[]): Buffer[] {
  let at = 0;
  return wanted.map(({ object, size, path: name }) => {
    const end = answer.indexOf(10, at);
    if (answer.toString('latin1', at, end) !== `${object} blob ${size}`)
      throw new Fault('ExternalServiceError', visible(`git cat-file: ${name}`));
    const content = answer.subarray(end + 1, end + 1 + size);
    at = end + 2 + size;
    return content;
  });
}

function moveBelow(skill: OfferedSkill, below: string): OfferedSkill {
  return { ...skill, folder: skill.folder === '' ? below : `${below}/${skill.folder}` };
}
