import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lintSkill } from '../../skill/lint/lint.ts';
import { PROFILES } from '../../skill/skill.ts';
import { withChinese } from './diagnostic-zh.ts';

const GOOD = 'name: s\ndescription: Does one thing well. Use it when one thing is to be done.';
const withFields = (...fields: string[]) => `---\n${[GOOD, ...fields].join('\n')}\n---\n`;

const FILES: readonly string[] = [
  '',
  'Only a body, and quite a short one, that says what to do.\n',
  '---\nname: s\n',
  '---\nname: [s\n---\n',
  '---\n- a list\n---\n',
  '---\nname: S S\n---\n',
  `---\nname: ${'s'.repeat(70)}\ndescription: ${'long '.repeat(300)}\n---\n`,
  '---\ndescription: 12\n---\n',
  `\uFEFF---\r\n${GOOD}\r\n---\r\n`,
  `${GOOD}\n\n# The body\n`,
  `Here it is:\n\n---\n${GOOD}\n---\n`,
  `<!-- a comment -->\n---\n${GOOD}\n---\n`,
  `\`\`\`yaml\n---\n${GOOD}\n---\n\`\`\`\n`,
  ` --- \n${GOOD}\n --- \n`,
  `---\n${GOOD}\n# The body\n`,
  `---\n${'x'.repeat(70_000)}: 1\n---\n`,
  'x'.repeat(1_100_000),
  withFields('constructor: x', 'description: again'),
  withFields('anchor: &a x', 'other: *a'),
  withFields(`deep: ${'{a: '.repeat(12)}1${'}'.repeat(12)}`),
  withFields(...Array.from({ length: 300 }, (_, at) => `field${at}: x`)),
  withFields('license: it says: this', 'a line that belongs nowhere'),
  withFields('allowed-tools: {a: b}', 'timeout: soon', 'user-invocable: maybe', 'requires: {a: b}', 'secrets: [a b]'),
  withFields('descripton: x', 'unheard-of: x', 'license: {a: b}', 'compatibility: 7', 'metadata: {a: 1}'),
  withFields('license: [MIT]', 'allowed-tools: [Read]', 'run-mode: fast', 'deterministic: 3'),
  withFields('command: "a | b"', 'entry: ../x.py'),
  withFields('command: label'),
  withFields('params: 7', 'actions: 7'),
  withFields('params: {"x y": {}}', 'actions: {"x y": {}}'),
  withFields('params: {x: {type: thing, required: perhaps}}'),
  '---\nname: s\ndescription: Looks at <b>bold</b> text, and hides \u200b here.\n---\n',
  ...[
    '<system>',
    '<b>',
    '<user>',
    '<assistant>',
    '[INST]',
    '<think>',
    '<tool_call>',
    '</skill>',
    '<skills>',
    '<!--',
    '<important>',
  ].flatMap((tag) => [`---\nname: s\ndescription: "${tag}"\n---\n`, `---\nname: "${tag}"\ndescription: d\n---\n`]),
  withFields('params: {x: {description: a, b}}', 'name: Ünï Name'),
  `${withFields()}${'line\n'.repeat(30)}\u202e and [a file](scripts/gone.py) and <x>\n`,
];

test('whatever is found in a SKILL.md is said in Chinese, too', () => {
  const codes = new Set<string>();
  for (const text of FILES) {
    for (const profile of PROFILES) {
      const options = { path: '/s/SKILL.md', folderName: 's', profile, maxBodyLines: 20, files: [] };
      const found = lintSkill(text, options);
      for (const { code, message, zh } of withChinese(found)) {
        codes.add(code);
        assert.match(zh?.message ?? '', /\p{Script=Han}/u, `${code}: ${message}`);
        assert.doesNotMatch(zh?.message ?? '', /\{\d?\}/, code);
      }
    }
  }
  assert.ok(codes.size > 35, `${codes.size} kinds of findings: ${[...codes].join(' ')}`);
});

test('what varies in a sentence stands where Chinese wants it, and other words stay as they are', () => {
  const at = { code: 'c', severity: 'error', path: 'p' } as const;
  const say = (message: string) => withChinese([{ ...at, message }])[0]?.zh?.message;
  assert.equal(say('Remove the hidden character U+200B from name.'), '请从 name 中删除隐藏字符 U+200B。');
  assert.equal(
    say('Use one of string, url as type of x; it was read as string.'),
    'x 的类型请使用 string, url 之一；目前按 string 读取。',
  );
  assert.match(
    say('actions of s: Write the actions as a map or as a list with a name each.') ?? '',
    /^s 的 actions: 操作请写成/,
  );
  assert.equal(say('something nobody translated'), undefined);
  const own = { ...at, message: 'is not a file', zh: { message: '自己的' } };
  assert.equal(withChinese([own])[0]?.zh?.message, '自己的');
});
