// The commits a run made in its layer: found, checked, and ready to be taken into a branch of their own.
import path from 'node:path';
import { type Guarded, type Obeyed, openGuard } from '../../base/guarded-path.ts';
import type { Text } from '../../base/language.ts';
import { absolutePath } from '../../base/value/absolute-path.ts';
import { defaultLimits, withOwnLimits } from '../../process/limits.ts';
import { findProgram } from '../../process/program.ts';
import { openWorkFolder } from '../../process/work-folder.ts';
import type { ChangeSet, FileChange } from '../../workspace/change.ts';
import { explainedBy } from '../../workspace/git/explained.ts';
import { type CheckedCommits, type GotCommits, getCommits } from '../../workspace/git/made-commits.ts';
import { layerRefFiles, projectRefFiles } from '../../workspace/git/ref-files.ts';
import { type RepositoryRefs, readRefs } from '../../workspace/git/refs.ts';
import { objectFormat, touchesRefs, whyNotTaken } from '../../workspace/git/repository.ts';
import { planTaking, type TakingPlan } from '../../workspace/git/taking.ts';
import { type FoundTips, findTips, knownIds } from '../../workspace/git/tip.ts';
import type { ProjectLayer } from '../../workspace/layer.ts';
import type { Runtime } from '../runtime.ts';
import { guardedOf } from './guarded.ts';
import type { Judged } from './judge.ts';

/** Commits that can be taken. */
export interface MadeCommits extends Pick<CheckedCommits, 'branches' | 'commits'> {
  readonly state: 'made';
  /** What other tools obey among the files that they change. */
  readonly guarded: readonly { readonly path: string; readonly by: Obeyed }[];
  /** Refs of the run that are not taken: tags, and names nobody could type. */
  readonly left: readonly string[];
  readonly plan: TakingPlan;
  isExplained(change: FileChange): boolean;
}

export type RunCommits =
  | MadeCommits
  /** By an earlier apply. */
  | { readonly state: 'taken'; isExplained(change: FileChange): boolean }
  /** There are some, and they cannot be taken. */
  | { readonly state: 'refused'; readonly why: Text };

export interface CommitSearch {
  readonly run: string;
  readonly set: ChangeSet;
  readonly layer: ProjectLayer;
}

/** Undefined where the run made none. What is checked lies in a private folder until `use` has ended. */
export async function withCommits<Result>(
  search: CommitSearch,
  runtime: Runtime,
  use: (commits: RunCommits | undefined) => Promise<Result>,
): Promise<Result> {
  const touched = touchesRefs(runtime.project, search.set.changes);
  if (!touched) return await use(undefined);
  const { folder, close } = openWorkFolder(path.join(runtime.home, '.agent', 'work'));
  try {
    return await use(await findCommits(search, touched, folder, runtime));
  } finally {
    close();
  }
}

/** Changes that are told as commits are not told as files. */
export function withoutExplained(judged: readonly Judged[], commits: RunCommits | undefined): readonly Judged[] {
  if (!commits || commits.state === 'refused') return judged;
  return judged.filter(({ change }) => !commits.isExplained(change));
}

async function findCommits(
  { run, set, layer }: CommitSearch,
  touched: 'own' | 'elsewhere',
  work: string,
  runtime: Runtime,
): Promise<RunCommits | undefined> {
  const { project } = runtime;
  const why = whyNotTaken(project, set.changes) ?? whyHeld(set, layer);
  if (touched === 'elsewhere') return why && { state: 'refused', why };
  const files = projectRefFiles(project);
  const refs = readRefs(files);
  const found = findTips(run, refs, readRefs(layerRefFiles(files, set.changes, layer.content)));
  if (found.tips.length === 0) return takenBefore(found);
  if (why) return { state: 'refused', why };
  if (found.tips.length > MOST_BRANCHES) return { state: 'refused', why: TOO_MANY_BRANCHES };
  const got = await getChecked(found, refs, layer, work, runtime);
  if (got === 'none') return takenBefore(found);
  if ('refused' in got) return { state: 'refused', why: got.refused };
  return ready(got.checked, found, project, guardedOf(runtime));
}

/** Objects of git that hold the value of a variable. */
function whyHeld({ changes }: ChangeSet, layer: ProjectLayer): Text | undefined {
  const held = changes.filter(({ path: below }) => /(?:^|\/)\.git\//.test(below)).flatMap(layer.holds);
  const names = [...new Set(held)].join(', ');
  if (names === '') return undefined;
  return { en: `they hold the value of ${names}`, zh: `其中包含变量 ${names} 的值` };
}

function takenBefore({ taken, left }: FoundTips): RunCommits | undefined {
  return taken.length === 0 ? undefined : { state: 'taken', isExplained: explainedBy(taken, left.length === 0) };
}

async function getChecked(
  { tips }: FoundTips,
  refs: RepositoryRefs,
  layer: ProjectLayer,
  work: string,
  { project, env, config, sandbox: openSandbox }: Runtime,
): Promise<GotCommits> {
  const git = findProgram('git', { path: env.PATH ?? '', project });
  if (git === undefined) return { refused: NO_GIT };
  const sandbox = await openSandbox();
  if (!sandbox.can.files) return { refused: NO_SANDBOX };
  const shown = { folder: project, hide: layer.hidden, writable: false, layer: layer.shown };
  const limits = (timeoutMs: number) => withOwnLimits(defaultLimits(timeoutMs), config.limits);
  return await getCommits(
    { project, shown, tips, known: knownIds(refs), format: objectFormat(project) },
    { git, sandbox, work: absolutePath(work), limits },
  );
}

function ready(checked: CheckedCommits, found: FoundTips, project: string, guarded: Guarded): MadeCommits {
  const { taken, left, tips } = found;
  const { branches, commits, names } = checked;
  const guard = openGuard(guarded, () => []);
  const refs = [...taken, ...branches.flatMap(({ of }) => (of === undefined ? [] : [`refs/heads/${of}`]))];
  return {
    state: 'made',
    branches,
    commits,
    left,
    guarded: names.flatMap((name) => {
      const by = guard(name);
      return by ? [{ path: name, by }] : [];
    }),
    plan: planTaking(project, checked),
    isExplained: explainedBy(refs, left.length === 0 && branches.length === tips.length),
  };
}

const MOST_BRANCHES = 50;
const TOO_MANY_BRANCHES: Text = {
  en: `they are on more than ${MOST_BRANCHES} branches`,
  zh: `分布在超过 ${MOST_BRANCHES} 个分支上`,
};
const NO_GIT: Text = { en: 'git is not installed here', zh: '未安装 git' };
const NO_SANDBOX: Text = { en: 'there is no sandbox here to check them in', zh: '此处没有可用于检查的沙箱' };
