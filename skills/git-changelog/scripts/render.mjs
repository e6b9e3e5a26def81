// Releases to Markdown. Messages and names are other people's text, so their markup is made harmless.

const TEXTS = {
  en: {
    title: 'Changelog',
    unreleased: 'Unreleased',
    none: 'No changes.',
    shallow: 'The clone is shallow: older changes are missing.',
    cut: 'Only the newest changes are listed.',
    counted: (changes, people, from) =>
      `${changes} ${changes === 1 ? 'change' : 'changes'} by ${people} ${people === 1 ? 'person' : 'people'}${from ? ` since ${from}` : ''}.`,
    authors: 'Contributors',
    breaking: 'Breaking changes',
    groups: {
      feat: 'Features',
      fix: 'Fixes',
      perf: 'Performance',
      refactor: 'Refactoring',
      docs: 'Documentation',
      test: 'Tests',
      build: 'Build',
      chore: 'Chores',
      revert: 'Reverts',
      other: 'Other changes',
    },
  },
  zh: {
    title: '更新日志',
    unreleased: '未发布',
    none: '没有变更。',
    shallow: '浅克隆：缺少更早的变更。',
    cut: '仅列出最新的变更。',
    counted: (changes, people, from) => `${from ? `自 ${from} 以来，` : ''}${people} 人提交 ${changes} 项变更。`,
    authors: '贡献者',
    breaking: '不兼容变更',
    groups: {
      feat: '新功能',
      fix: '修复',
      perf: '性能',
      refactor: '重构',
      docs: '文档',
      test: '测试',
      build: '构建',
      chore: '杂项',
      revert: '回滚',
      other: '其他变更',
    },
  },
};

const SHORT_HASH = 7;

export function renderChangelog(releases, { language, title, isShallow, withAuthors }) {
  const texts = TEXTS[language];
  const sections = releases.map((release) => renderRelease(release, texts, withAuthors));
  return `${[
    `# ${title ? plain(title) : texts.title}`,
    isShallow && `_${texts.shallow}_`,
    releases.length === 0 && texts.none,
    ...sections.flat(),
  ]
    .filter(Boolean)
    .join('\n\n')}\n`;
}

function renderRelease({ name, date, from, commits, isCut }, texts, withAuthors) {
  const people = countAuthors(commits);
  const breaking = commits.filter((commit) => commit.breaking !== undefined);
  return [
    `## ${name ? `${plain(name)} (${date})` : texts.unreleased}`,
    commits.length === 0 ? texts.none : texts.counted(commits.length, people.length, from && plain(from)),
    isCut && texts.cut,
    ...renderGroup(texts.breaking, breaking, ({ breaking: text }) => text),
    ...Object.entries(texts.groups).flatMap(([type, heading]) =>
      renderGroup(
        heading,
        commits.filter((commit) => commit.type === type),
        ({ text }) => text,
      ),
    ),
    ...(withAuthors && people.length > 0 ? [`### ${texts.authors}`, people.map(renderAuthor).join('\n')] : []),
  ];
}

function renderGroup(heading, commits, textOf) {
  if (commits.length === 0) return [];
  const lines = commits.map((commit) => {
    const scope = commit.scope ? `**${plain(commit.scope)}:** ` : '';
    return `- ${scope}${plain(textOf(commit))} (${commit.hash.slice(0, SHORT_HASH)})`;
  });
  return [`### ${heading}`, lines.join('\n')];
}

function renderAuthor([name, commits]) {
  return `- ${plain(name)} (${commits})`;
}

/** The most active first. */
function countAuthors(commits) {
  const counts = new Map();
  for (const { author } of commits) counts.set(author, (counts.get(author) ?? 0) + 1);
  return [...counts].sort(([a, most], [b, more]) => more - most || (a < b ? -1 : 1));
}

/** One line that shows what was written; code between backticks stays code. */
function plain(text) {
  return text
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
    .split(/(`[^`]+`)/)
    .map((part, index) =>
      index % 2 === 1 ? part : part.replace(/[\\*_[\]<>`#]/g, (mark) => (mark === '<' ? '&lt;' : `\\${mark}`)),
    )
    .join('');
}
