// Reads commits and sorts each by the kind of change its message names.
import { askGit } from './git.mjs';

const FIELDS = ['hash', 'author', 'subject', 'body'];
const FORMAT = '%H%x00%aN%x00%s%x00%b%x00';
const MAX_COMMITS = 10_000;

const TYPES = {
  feat: ['feat', 'feature', 'features', 'add', '新增', '新功能', '功能', '特性'],
  fix: ['fix', 'fixes', 'bugfix', 'hotfix', '修复', '修正'],
  perf: ['perf', 'performance', '性能', '优化'],
  refactor: ['refactor', '重构'],
  docs: ['docs', 'doc', '文档'],
  test: ['test', 'tests', '测试'],
  build: ['build', 'deps', 'ci', '构建'],
  chore: ['chore', 'style', '杂项'],
  revert: ['revert', '回滚', '撤销'],
};
const TYPE_OF = new Map(Object.entries(TYPES).flatMap(([type, words]) => words.map((word) => [word, type])));

// `type(scope)!: text`, also with a full-width colon or parentheses, and with an emoji in front.
const CONVENTIONAL =
  /^(?:(?:\p{Extended_Pictographic}|\ufe0f|\s)+|:\w+:\s*)?(\p{L}+)(?:[(（]([^()（）]{0,100})[)）])?(!)?[:：]\s*(.+)$/u;
const BREAKING = /^BREAKING[ -]CHANGE:\s*([\s\S]*?)(?:\n\s*\n|\n[\w-]+: |$(?![\s\S]))/m;

/** The newest first, without merges; `isCut` when there were more than can be listed. */
export function readCommits({ range, path }) {
  const limit = ['--no-merges', `--max-count=${MAX_COMMITS + 1}`];
  const output = askGit('log', ...limit, `--format=${FORMAT}`, range, '--', ...(path ? [path] : []));
  if (output === undefined) throw new Error(`git cannot list ${range}`);
  const values = output.split('\0');
  const commits = [];
  for (let at = 0; at + FIELDS.length <= values.length; at += FIELDS.length) {
    const fields = FIELDS.map((name, index) => [name, values[at + index].trim()]);
    commits.push(classify(Object.fromEntries(fields)));
  }
  return { commits: commits.slice(0, MAX_COMMITS), isCut: commits.length > MAX_COMMITS };
}

export function classify({ hash, author, subject, body }) {
  const [, word, scope, mark, text] = CONVENTIONAL.exec(subject) ?? [];
  const type = TYPE_OF.get(word?.toLowerCase()) ?? (subject.startsWith('Revert "') ? 'revert' : 'other');
  const isNamed = type !== 'other' && text !== undefined;
  const breaking = BREAKING.exec(body)?.[1].replace(/\s+/g, ' ').trim();
  return {
    hash,
    author,
    type,
    scope: isNamed ? scope?.trim() || undefined : undefined,
    text: isNamed ? text : subject,
    breaking: breaking || (mark && isNamed ? text : undefined),
  };
}
