// The commits of a run for people: how many, the branch they go to, their subjects, and what other tools obey in them.
import type { RunCommits } from '../../app/workspace/commits.ts';
import type { Language, Text } from '../../base/language.ts';
import { paint, type Terminal } from '../../base/text/terminal.ts';
import { visible } from '../../base/text.ts';

const MOST_SUBJECTS = 10;

/** One line for the commits, and indented ones for what is in them; nothing where there are none to decide about. */
export function listCommits(made: RunCommits | undefined, language: Language, terminal: Terminal): string[] {
  if (!made || made.state === 'taken') return [];
  if (made.state === 'refused') return [`  ${notTaken(made.why)[language]}`];
  const { branches, commits, guarded, left } = made;
  const names = branches.map(({ branch }) => visible(branch)).join(', ');
  const first = `  ${paint(countCommits(commits.length)[language], 'green', terminal)} → ${BRANCH[language]} ${names}`;
  const more = commits.length - MOST_SUBJECTS;
  return [
    first,
    ...commits.slice(0, MOST_SUBJECTS).map(({ id, subject }) => `    ${id.slice(0, 10)} ${visible(subject)}`),
    ...(more > 0 ? [`    ${{ en: `… and ${more} more`, zh: `… 另有 ${more} 个` }[language]}`] : []),
    ...guarded.map(({ path, by }) => `    ${inCommits(visible(path), by)[language]}`),
    ...(left.length > 0 ? [`    ${leftOut(left.map(visible).join(', '))[language]}`] : []),
  ];
}

export function countCommits(count: number): Text {
  return { en: `${count} ${count === 1 ? 'commit' : 'commits'}`, zh: `${count} 个提交` };
}

const BRANCH: Text = { en: 'branch', zh: '分支' };

function notTaken(why: Text): Text {
  return { en: `commits are not taken: ${why.en}`, zh: `未接收提交: ${why.zh}` };
}

function inCommits(path: string, by: Text): Text {
  return { en: `changes ${path} — obeyed by ${by.en}`, zh: `更改 ${path} — 由 ${by.zh} 执行` };
}

function leftOut(names: string): Text {
  return { en: `not taken: ${names}`, zh: `未接收: ${names}` };
}
