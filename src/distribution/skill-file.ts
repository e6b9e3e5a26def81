// Which files of a source define a skill: SKILL.md, or another spelling of it, as the registry accepts it.

const SKILL_FILE = 'SKILL.md';

interface Named {
  readonly path: string;
}

/** For one skill: SKILL.md, or else the file that only differs in case. */
export function findSkillFile<File extends Named>(files: readonly File[]): File | undefined {
  return files.find(({ path }) => path === SKILL_FILE) ?? files.find(({ path }) => isSpelling(path));
}

/**
 * The folders of a source that are skills, outermost only: deeper ones belong to them. Another spelling is accepted
 * where it is asked for, beside other skills, or where there is no SKILL.md at all; elsewhere it is some document.
 */
export function findSkillFolders(files: readonly Named[], names: readonly string[]): string[] {
  const exact = foldersWith(files, isExact);
  const parents = new Set(exact.map(parentOf));
  const isMeant = (folder: string) =>
    exact.length === 0 || folder === '' || parents.has(parentOf(folder)) || names.some((name) => isNamed(folder, name));
  return outermost([...new Set([...exact, ...foldersWith(files, isSpelling).filter(isMeant)])]);
}

function foldersWith(files: readonly Named[], matches: (name: string) => boolean): string[] {
  return files
    .filter(({ path }) => matches(path.slice(path.lastIndexOf('/') + 1)))
    .map(({ path }) => path.slice(0, -SKILL_FILE.length - 1));
}

function outermost(folders: readonly string[]): string[] {
  const leaves: string[] = [];
  for (const folder of folders.toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1))) {
    if (!leaves.some((above) => above === '' || folder.startsWith(`${above}/`))) leaves.push(folder);
  }
  return leaves.sort();
}

function isExact(name: string): boolean {
  return name === SKILL_FILE;
}

function isSpelling(name: string): boolean {
  return name.toLowerCase() === SKILL_FILE.toLowerCase();
}

function isNamed(folder: string, name: string): boolean {
  return folder === name || folder.endsWith(`/${name}`);
}

function parentOf(folder: string): string {
  return folder.includes('/') ? folder.slice(0, folder.lastIndexOf('/')) : '';
}
