// Which commits belong to which release: from one tag to the next, or between two names a person gave.
import { askGit, findCommit } from './git.mjs';

/** `{name?, date?, from?, range}` for each release, the newest first; none when there is no commit yet. */
export function findReleases({ from, to, count }) {
  const end = findCommit(to);
  if (end === undefined && to === 'HEAD' && isEmpty()) return [];
  if (end === undefined) throw new Error(`there is no commit ${to} here`);
  if (from !== undefined && findCommit(from) === undefined) throw new Error(`there is no commit ${from} here`);
  if (from !== undefined) return [makeRelease(end, from, findCommit(from))];
  const releases = [];
  for (let commit = end; commit !== undefined && releases.length < count; ) {
    const tag = nearestTag(`${commit}^`);
    const tagged = tag === undefined ? undefined : findCommit(`refs/tags/${tag}`);
    releases.push(makeRelease(commit, tag, tagged));
    commit = tagged;
  }
  return releases;
}

export function isShallow() {
  return askGit('rev-parse', '--is-shallow-repository') === 'true';
}

function makeRelease(end, from, start) {
  return {
    name: askGit('describe', '--tags', '--exact-match', end),
    date: askGit('log', '-1', '--format=%cs', end),
    from,
    range: start === undefined ? end : `${start}..${end}`,
  };
}

function nearestTag(commit) {
  return askGit('describe', '--tags', '--abbrev=0', commit);
}

// A repository without a commit is fine; a folder that is none is not.
function isEmpty() {
  if (askGit('rev-parse', '--git-dir') === undefined) throw new Error('this folder is not in a git repository');
  return askGit('rev-list', '--all', '--max-count=1') === '';
}
