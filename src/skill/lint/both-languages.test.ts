import assert from 'node:assert/strict';
import { test } from 'node:test';
import { speak } from '../../base/diagnostic.ts';
import { PROFILES } from '../skill.ts';
import { lintSkill } from './lint.ts';

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

test('whatever is found in a SKILL.md is said in English and in Chinese', () => {
  const codes = new Set<string>();
  for (const text of FILES) {
    for (const profile of PROFILES) {
      const found = lint(text, profile);
      for (const { code, message, zh } of found) {
        codes.add(code);
        assert.match(zh.message, /\p{Script=Han}/u, `${code}: ${message}`);
        assert.doesNotMatch(message, /\p{Script=Han}/u, code);
        assert.doesNotMatch(`${message}${zh.message}`, /undefined|\[object/, code);
      }
    }
  }
  assert.ok(codes.size > 35, `${codes.size} kinds of findings: ${[...codes].join(' ')}`);
});

test('what varies in a sentence stands where Chinese wants it', () => {
  const hidden = say('---\nname: "s\u200b"\ndescription: d\n---\n', 'name-hidden');
  assert.equal(hidden, '请从 name 中删除隐藏字符 U+200B。');
  const type = say(withFields('params: {x: {type: thing}}'), 'field-type');
  assert.match(type ?? '', /^x 的类型请使用 string, .* 之一；目前按 string 读取。$/);
});

test('a reader sees one language, and a corrected line in both', () => {
  const [found] = lint('---\nname: S S\ndescription: d\n---\n', 'lenient');
  assert.ok(found);
  const [english, chinese] = [speak([found], 'en'), speak([found], 'zh')].flat();
  assert.match(english?.message ?? '', /^Name the skill/);
  assert.match(chinese?.message ?? '', /^请让技能/);
  assert.deepEqual([english?.fix, chinese?.fix], ['name: s', 'name: s']);
  assert.deepEqual(Object.keys(english ?? {}), Object.keys(chinese ?? {}));
  assert.ok(english && !('zh' in english));
});

function lint(text: string, profile: (typeof PROFILES)[number]) {
  return lintSkill(text, { path: '/s/SKILL.md', folderName: 's', profile, maxBodyLines: 20, files: [] });
}

function say(text: string, wanted: string): string | undefined {
  return lint(text, 'lenient').find(({ code }) => code === wanted)?.zh.message;
}
