// Which branches of a layer lead to commits that the project does not have, and the names they are taken under.
import type { RepositoryRefs } from './refs.ts';

/** A branch of the run, and the one of ours that takes its commits. */
export interface BranchTip {
  /** As `skillwright/<run>`. */
  readonly branch: string;
  /** As the run named it; absent where it stood on no branch. */
  readonly of?: string;
  readonly head: string;
}

export interface FoundTips {
  /** The first is the one the run stood on. */
  readonly tips: readonly BranchTip[];
  /** Refs of the run whose commits were taken before. */
  readonly taken: readonly string[];
  /** Refs of the run that differ from the project's and are not taken. */
  readonly left: readonly string[];
}

const HEADS = 'refs/heads/';
/** Branches that commits are taken into lie below this one. */
export const OWN_BRANCHES = 'skillwright';

/** The name of another branch of a run: `a` and `a/b` cannot both be branches, so that no two become one. */
function branchFor(run: string, of: string | undefined): string {
  return `${OWN_BRANCHES}/${run}${of === undefined ? '' : `--${of}`}`;
}

/** Whether a branch was made for a run. */
export function isBranchOf(run: string, branch: string): boolean {
  const main = branchFor(run, undefined);
  return branch === main || branch.startsWith(`${main}--`);
}

export function findTips(run: string, project: RepositoryRefs, layer: RepositoryRefs): FoundTips {
  const known = knownIds(project);
  const own = new Set([...project.refs].filter(([name]) => isBranchOf(run, shortName(name))).map(([, id]) => id));
  const changed = [...layer.refs].filter(([name, id]) => project.refs.get(name) !== id);
  const gone = [...project.refs.keys()].filter((name) => !layer.refs.has(name));
  const isFresh = ([name, id]: readonly [string, string]) => name.startsWith(HEADS) && !known.has(id);
  const fresh = changed.filter(isFresh).map(([name, head]) => ({ of: shortName(name), head }));
  const standing = standingOn(layer, known);
  const first = fresh.find(({ of }) => of === standing.branch) ?? standing.detached ?? fresh.find(isPlain) ?? fresh[0];
  const others = fresh.filter((one) => one !== first && isPlain(one));
  const named = first ? [{ ...first, branch: branchFor(run, undefined) }] : [];
  const tips = [...named, ...others.map((one) => ({ ...one, branch: branchFor(run, one.of) }))];
  const isTaken = ([name, id]: readonly [string, string]) => name.startsWith(HEADS) && own.has(id);
  const taken = changed.filter(isTaken).map(([name]) => name);
  const covered = new Set([...taken, ...tips.map(({ of }) => `${HEADS}${of}`)]);
  return { tips, taken, left: [...changed.map(([name]) => name), ...gone].filter((name) => !covered.has(name)) };
}

/** Every object that a ref of the project names. */
export function knownIds({ refs, head }: RepositoryRefs): ReadonlySet<string> {
  return new Set([...refs.values(), ...(head && 'id' in head ? [head.id] : [])]);
}

interface Standing {
  readonly branch?: string;
  /** On no branch, and on a commit that the project does not have. */
  readonly detached?: { readonly head: string; readonly of?: string };
}

function standingOn({ head }: RepositoryRefs, known: ReadonlySet<string>): Standing {
  if (!head) return {};
  if ('to' in head) return { branch: shortName(head.to) };
  return known.has(head.id) ? {} : { detached: { head: head.id } };
}

function shortName(ref: string): string {
  return ref.startsWith(HEADS) ? ref.slice(HEADS.length) : ref;
}

/** Letters, digits and what is usual between them: everything git takes, and nothing that means something else elsewhere. */
function isPlain({ of }: { readonly of: string }): boolean {
  const isStep = (step: string) => /^[\p{L}\p{N}_][\p{L}\p{N}\p{M}_.+=#@-]*$/u.test(step) && !/\.$|\.lock$/.test(step);
  return of.length <= 150 && !of.includes('..') && of.split('/').every(isStep);
}
