// Whether commits can be taken into the project's repository; if not, the reason, as it completes "commits were not taken: …".
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Text } from '../../base/language.ts';
import { readTextIfThere } from '../../base/read-file.ts';
import type { FileChange } from '../change.ts';
import { kindOf, statsAt } from '../entry.ts';
import { OWN_BRANCHES } from './tip.ts';

/** Undefined where nothing is in the way. `changes` are those of the run. */
export function whyNotTaken(project: string, changes: readonly FileChange[]): Text | undefined {
  const at = (below: string) => path.join(project, '.git', below);
  const kind = (below: string) => {
    const stats = statsAt(at(below));
    return stats && kindOf(stats);
  };
  const repository = kind('');
  if (repository === undefined) return isBare(project) ? IS_BARE : NO_REPOSITORY;
  if (repository === 'file') return IS_FILE;
  const broken = FOLDERS.find((below) => kind(below) !== 'folder') ?? replacedIn(changes);
  if (broken !== undefined) return notFolder(path.posix.join('.git', broken));
  if (ELSEWHERE.some((below) => existsSync(at(below))) || changes.some(isElsewhere)) return OBJECTS_ELSEWHERE;
  if (existsSync(at('shallow'))) return IS_PARTIAL;
  const config = readTextIfThere(at('config')) ?? '';
  if (/^\s*(?:promisor|partialclone\w*)\s*=/im.test(config)) return IS_PARTIAL;
  if (/^\s*refstorage\s*=\s*(?!files\s*$)/im.test(config)) return OTHER_REFS;
  const branches = kind(`refs/heads/${OWN_BRANCHES}`);
  const isPacked = new RegExp(` refs/heads/${OWN_BRANCHES}$`, 'm').test(readTextIfThere(at('packed-refs')) ?? '');
  return isPacked || (branches !== undefined && branches !== 'folder') ? BRANCH_IN_THE_WAY : undefined;
}

/** Whether a run wrote where the project's repository keeps its branches: in `.git`, or where that is none, elsewhere. */
export function touchesRefs(project: string, changes: readonly FileChange[]): 'own' | 'elsewhere' | undefined {
  const isAny = (pattern: RegExp) => changes.some(({ path: below }) => pattern.test(below));
  if (isAny(/^\.git\/(?:refs\/heads\/.|packed-refs$|HEAD$)/)) return 'own';
  const stats = statsAt(path.join(project, '.git'));
  const pattern = stats ? /^(?:[^/]+\/)*refs\/heads\/./ : /^refs\/heads\/./;
  return !stats?.isDirectory() && (stats || isBare(project)) && isAny(pattern) ? 'elsewhere' : undefined;
}

function isBare(project: string): boolean {
  return ['HEAD', 'objects', 'refs'].every((name) => existsSync(path.join(project, name)));
}

const FOLDERS = ['', 'objects', 'objects/pack', 'refs', 'refs/heads'];

/** What was a folder and is none in the layer. */
function replacedIn(changes: readonly FileChange[]): string | undefined {
  const names = new Set([...FOLDERS, 'objects/info'].map((below) => path.posix.join('.git', below)));
  const found = changes.find(
    ({ path: below, before, after }) => names.has(below) && before && after?.kind !== 'folder',
  );
  return found && path.posix.relative('.git', found.path);
}

/** With one of these, objects, refs or parents of commits are not where they seem to be. */
const ELSEWHERE = ['objects/info/alternates', 'objects/info/http-alternates', 'commondir'];

function isElsewhere({ path: below }: FileChange): boolean {
  return [...ELSEWHERE, 'shallow'].some((name) => below === `.git/${name}`);
}

/** As the settings of the repository name it. */
export function objectFormat(project: string): 'sha1' | 'sha256' {
  const config = readTextIfThere(path.join(project, '.git', 'config')) ?? '';
  return /^\s*objectformat\s*=\s*sha256\s*$/im.test(config) ? 'sha256' : 'sha1';
}

const NO_REPOSITORY: Text = {
  en: 'the project has no repository of its own',
  zh: '项目没有自己的仓库',
};
const IS_BARE: Text = {
  en: 'the project is a bare repository',
  zh: '项目是裸仓库',
};
const IS_FILE: Text = {
  en: '`.git` is a file, the repository lies elsewhere',
  zh: '`.git` 是文件，仓库位于别处',
};
const OBJECTS_ELSEWHERE: Text = {
  en: 'the repository takes objects from another one',
  zh: '仓库使用其他仓库的对象',
};
const IS_PARTIAL: Text = {
  en: 'the repository is shallow or a partial clone',
  zh: '仓库为浅克隆或部分克隆',
};
const OTHER_REFS: Text = {
  en: 'the repository keeps its branches in another format than files',
  zh: '仓库的分支不以文件形式存储',
};
const BRANCH_IN_THE_WAY: Text = {
  en: `something named \`${OWN_BRANCHES}\` is in the way of the branches below it: rename that branch`,
  zh: `名为 \`${OWN_BRANCHES}\` 的分支占用了其下分支的位置，请将其重命名`,
};

function notFolder(below: string): Text {
  return { en: `\`${below}\` is no plain folder`, zh: `\`${below}\` 不是普通目录` };
}
