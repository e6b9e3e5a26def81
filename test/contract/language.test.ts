// English and Chinese by one mechanism: texts with both languages, chosen by `inLanguage` or by the language as their key.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isNode, parseSource, readSources, type SourceFile, type SyntaxNode } from '../../scripts/source-tree.ts';
import { repository } from '../support/support.ts';

/** These hold the Chinese of users and of other programs, to be recognised; what they say themselves has both languages. */
const READERS = [
  'src/model/offline/',
  'src/registry/rank/',
  // What malware says in Chinese.
  'src/distribution/vet/rule/',
  // Answers of a person to a question.
  'src/policy/question/answer.ts',
  // Names that pass for the system, the model or the user.
  'src/skill/role-tag.ts',
  // The line that the scripts of bin/ print, and programs wait for.
  'src/task/printed.ts',
  // Examples of a request in Chinese.
  'src/cli/command/skill/search.ts',
  'src/cli/command/task/usage.ts',
];

const SOURCES = readSources(repository);

test('nobody compares the language with a literal: a text is chosen by it', () => {
  const found = SOURCES.filter(({ file }) => file !== 'src/base/language.ts').flatMap(comparisons);
  assert.deepEqual(found, []);
  const bad = "const a = language === 'zh' ? 1 : 2; if ('en' !== x.language) a; switch (l) { case 'zh': }";
  assert.equal(comparisons(parseSource('bad.ts', bad)).length, 3);
});

test('Chinese stands under zh, beside its English', () => {
  const found = SOURCES.filter(({ file }) => !READERS.some((reader) => file.startsWith(reader))).flatMap(looseChinese);
  assert.deepEqual(found, []);
  const good = "const t = { en: 'file', zh: `文件` }; const zh = '文件'; const read = /文件|file/;";
  assert.deepEqual(looseChinese(parseSource('good.ts', good)), []);
  const bad = "say('file', '文件'); const text = { chinese: `文件` };";
  assert.equal(looseChinese(parseSource('bad.ts', bad)).length, 2);
});

test('every reader of Chinese that is named is there and reads it', () => {
  const needless = READERS.filter(
    (reader) => !SOURCES.some((source) => source.file.startsWith(reader) && looseChinese(source).length > 0),
  );
  assert.deepEqual(needless, []);
});

function comparisons({ file, text, nodes }: SourceFile): string[] {
  return nodes
    .filter(({ type, operator, left, right, test: compared }) => {
      if (type === 'SwitchCase') return isLanguage(compared);
      return (
        type === 'BinaryExpression' && /^[!=]==?$/.test(String(operator)) && (isLanguage(left) || isLanguage(right))
      );
    })
    .map((node) => place(file, text, node));
}

function isLanguage(value: unknown): boolean {
  return isNode(value) && value.type === 'Literal' && (value.value === 'en' || value.value === 'zh');
}

/** Patterns are for reading: they may hold what people write. */
function looseChinese({ file, text, nodes }: SourceFile): string[] {
  const said = nodes.filter(isUnderZh);
  return nodes
    .filter((node) => (node.type === 'Literal' && !('regex' in node)) || node.type === 'TemplateElement')
    .filter(({ start, end }) => /\p{Script=Han}/u.test(text.slice(start, end)))
    .filter(({ start, end }) => !said.some((zh) => zh.start <= start && end <= zh.end))
    .map((node) => place(file, text, node));
}

function isUnderZh({ type, key, id }: SyntaxNode): boolean {
  const name = type === 'Property' ? key : type === 'VariableDeclarator' ? id : undefined;
  return isNode(name) && name.name === 'zh';
}

function place(file: string, text: string, { start, end }: SyntaxNode): string {
  return `${file}:${text.slice(0, start).split('\n').length} ${text.slice(start, end).slice(0, 60)}`;
}
