// Gets the commits of a layer out of it: bundled where they were made, then checked beside the project's own objects.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { Text } from '../../base/language.ts';
import { readTextIfThere } from '../../base/read-file.ts';
import { visible } from '../../base/text.ts';
import type { Ended, ProjectView } from '../../process/order.ts';
import { makeRepository, type OwnRepository } from './own-repository.ts';
import { isObjectId } from './refs.ts';
import { type GitCalls, runGit } from './sandboxed-git.ts';
import type { BranchTip } from './tip.ts';

export interface CommitOrder extends Pick<OwnRepository, 'format'> {
  readonly project: string;
  /** The project as the layer shows it. */
  readonly shown: ProjectView;
  readonly tips: readonly BranchTip[];
  /** Every object that a ref of the project names. */
  readonly known: ReadonlySet<string>;
}

/** Checked, in the private folder of the calls. */
export interface CheckedCommits {
  /** Those of the tips that lead to commits the project does not have. */
  readonly branches: readonly BranchTip[];
  /** Newest first. */
  readonly commits: readonly CommitLine[];
  /** Every file that one of them changes. */
  readonly names: readonly string[];
  /** The pack of their objects: its name without ending, and the folder it lies in. */
  readonly pack: { readonly name: string; readonly folder: string };
}

export interface CommitLine {
  readonly id: string;
  readonly author: string;
  readonly subject: string;
}

/** `none`: the project has them all. */
export type GotCommits = { readonly checked: CheckedCommits } | { readonly refused: Text } | 'none';

/** More than anybody would look at. */
const MOST_COMMITS = 10_000;

export async function getCommits(order: CommitOrder, host: GitCalls): Promise<GotCommits> {
  const bundled = await bundle(order, host);
  if (bundled !== undefined) return bundled;
  const fetched = await fetchChecked(order, host);
  return 'refused' in fetched ? fetched : await describe(fetched, order, host);
}

const BUNDLE = 'commits.bundle';

function inWork({ work }: GitCalls, name: string): string {
  return path.join(work, name);
}

/** Undefined when the bundle is made. Only names of ours and plain object ids are given to git. */
async function bundle(
  { project, shown, tips, known, format }: CommitOrder,
  host: GitCalls,
): Promise<GotCommits | undefined> {
  const repository = inWork(host, 'layer.git');
  const refs = new Map(tips.map(({ branch, head }) => [`refs/heads/${branch}`, head]));
  makeRepository({ folder: repository, format, refs });
  const place = { repository, objects: path.join(project, '.git', 'objects'), project: shown };
  // A copy may be older than the project: what it lacks is not counted.
  const words = ['bundle', 'create', '-q', inWork(host, BUNDLE), '--ignore-missing', '--stdin'];
  const stdin = [...refs.keys(), ...[...known].map((id) => `^${id}`)].map((line) => `${line}\n`).join('');
  const ended = await runGit({ ...place, words, stdin }, host);
  if (isDone(ended)) return undefined;
  if (!/empty bundle/.test(errorText(ended))) return refusedBy(ended);
  const found = await runGit({ ...place, words: ['rev-list', '--max-count=1', ...refs.values()] }, host);
  return isDone(found) ? 'none' : refusedBy(found);
}

interface Fetched {
  readonly repository: string;
  readonly objects: string;
  readonly branches: readonly BranchTip[];
  readonly pack: CheckedCommits['pack'];
}

/** Beside the project's own objects, which alone count as there already. */
async function fetchChecked(
  { project, tips, known, format }: CommitOrder,
  host: GitCalls,
): Promise<Fetched | { refused: Text }> {
  const repository = inWork(host, 'project.git');
  const objects = path.join(project, '.git', 'objects');
  const refs = new Map([...known].map((id, at) => [`refs/known/${at}`, id]));
  makeRepository({ folder: repository, format, refs });
  const ours = 'refs/heads/skillwright/*';
  const words = ['fetch', '-q', '--no-tags', '--no-write-fetch-head', inWork(host, BUNDLE), `${ours}:${ours}`];
  const fetched = await runGit({ repository, objects, words }, host);
  if (!isDone(fetched)) return refusedBy(fetched);
  const folder = path.join(repository, 'objects', 'pack');
  if (packsIn(folder).length === 0) {
    // Git fetches nothing where all objects lie in the project, even if no ref leads to them any more.
    const stdin = newOnes(tips, known);
    const packed = await runGit(
      { repository, objects, stdin, words: ['pack-objects', '-q', '--revs', path.join(folder, 'pack')] },
      host,
    );
    if (!isDone(packed)) return refusedBy(packed);
  }
  const [name, ...more] = packsIn(folder);
  if (name === undefined || more.length > 0) return refusedBy(fetched);
  // Before version 2.46 git does not check what it fetches from a bundle.
  const strict = ['index-pack', '--strict', '-o', inWork(host, 'checked.idx'), path.join(folder, `${name}.pack`)];
  const checked = await runGit({ repository, objects, words: strict }, host);
  if (!isDone(checked)) return refusedBy(checked);
  const branches = tips.filter(({ branch, head }) => readBranch(repository, branch) === head);
  return branches.length > 0 ? { repository, objects, branches, pack: { name, folder } } : refusedBy(fetched);
}

function packsIn(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => /^(pack-[0-9a-f]{40,64})\.pack$/.exec(name)?.[1] ?? []);
}

/** What git reads as: everything the tips lead to, and nothing the project's refs lead to. */
function newOnes(tips: readonly BranchTip[], known: ReadonlySet<string>): string {
  return [...tips.map(({ head }) => head), ...[...known].map((id) => `^${id}`)].map((line) => `${line}\n`).join('');
}

function readBranch(repository: string, branch: string): string | undefined {
  return readTextIfThere(path.join(repository, 'refs', 'heads', branch))?.trimEnd();
}

async function describe(
  { repository, objects, branches, pack }: Fetched,
  order: CommitOrder,
  host: GitCalls,
): Promise<GotCommits> {
  const stdin = newOnes(branches, order.known);
  const log = (...words: string[]) =>
    runGit({ repository, objects, stdin, words: ['log', '-z', '--stdin', ...words] }, host);
  const listed = await log(`--max-count=${MOST_COMMITS + 1}`, '--format=%H%x00%an <%ae>%x00%s');
  if (!isDone(listed)) return refusedBy(listed);
  const commits = parseLog(Buffer.from(listed.stdout).toString('utf8'));
  if (commits.length > MOST_COMMITS) return { refused: TOO_MANY };
  const changed = await log(
    '--format=',
    '--name-only',
    '--no-renames',
    '-m',
    '--root',
    '--no-ext-diff',
    '--no-textconv',
  );
  if (!isDone(changed)) return refusedBy(changed);
  const names = Buffer.from(changed.stdout).toString('utf8').split('\0');
  return { checked: { branches, commits, names: [...new Set(names)].filter((name) => name !== '').sort(), pack } };
}

const FIELDS = 3;

/** No field can contain the byte between them. */
function parseLog(text: string): CommitLine[] {
  const fields = text.split('\0').slice(0, -1);
  const lines = Array.from({ length: Math.floor(fields.length / FIELDS) }, (_, at) => fields.slice(at * FIELDS));
  return lines.flatMap(([id = '', author = '', subject = '']) => (isObjectId(id) ? [{ id, author, subject }] : []));
}

function isDone({ why, exit, unstarted }: Ended): boolean {
  return why === 'exit' && exit === 0 && unstarted === undefined;
}

function errorText({ stderr }: Ended): string {
  return Buffer.from(stderr).toString('utf8');
}

const TOO_MANY: Text = { en: `they are more than ${MOST_COMMITS}`, zh: `超过 ${MOST_COMMITS} 个` };

function refusedBy(ended: Ended): { readonly refused: Text } {
  if (ended.why !== 'exit')
    return { refused: { en: `git took too much (${ended.why})`, zh: `git 超出限制（${ended.why}）` } };
  const lines = errorText(ended)
    .split('\n')
    .filter((line) => /^(?:error|fatal): /.test(line));
  const said = visible(ended.unstarted ?? lines[0] ?? 'git gave no reason').slice(0, 300);
  return { refused: { en: `git refused them: ${said}`, zh: `git 拒绝: ${said}` } };
}
