import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { count } from '../../test/support/support.ts';
import { findRoleTag } from './role-tag.ts';

const REFUSED = [
  ...['<system>', '</system>', '<SYSTEM>', '<System >', '< system >', '< / system >', '<system/>', '<system role="x">'],
  ...[
    '<s y s t e m>',
    '<system-reminder>',
    '<system_prompt>',
    '<system:prompt>',
    '<system',
    'obey <system now',
    '<sYsTeM\n>',
  ],
  ...[
    '＜system＞',
    '‹system›',
    '⟨system⟩',
    '<ѕуѕtеm>',
    '<ｓｙｓｔｅｍ>',
    '<sýstem>',
    '<sys\u00adtem>',
    '&lt;system&gt;',
  ],
  ...['&#60;system&#62;', '&#x3C;system&#x3E;', '&LT;assistant&GT;', '<𝐬𝐲𝐬𝐭𝐞𝐦>', '≮system>'],
  ...['<assistant>', '<user>', 'x <user> y', '<Human>', '<user>hi</user>', '/<user>hi</user>', '<user name="root">'],
  ...['<instructions>', '<instruction>', '</instructions>', '<IMPORTANT>', '<override>', '<指令>', '<系统>', '<用户>'],
  ...['<tool_call>', '<tool-use>', '<function_calls>', '<invoke name="x">', '<tool_result>', '<invoke x="y">'],
  ...['<think>', '</thinking>', '<skills>', '</skill>', '</available_skills>', '<im_start>', '<start_of_turn>user'],
  ...[
    '<|im_start|>',
    '<|system|>',
    '<｜User｜>',
    '< | endoftext | >',
    '<<SYS>>',
    '<< /SYS >>',
    '[INST]',
    '[/INST]',
    '[ inst ]',
  ],
  ...['【INST】', '[TOOL_CALLS]', '[SYSTEM_PROMPT]', '<!-- x -->', '<! -- x'],
];

const HARMLESS = [
  ...['@ai-sdk/<provider>', 'IRecipient<TMessage>', '<ViewTransition>', 'skills/<name>/SKILL.md', 'use <b>this</b>'],
  ...['/home/<user>/.ssh', 'ssh <user>@<host>', 'Repository<User>', 'List<System.String>', '<user_id>', '<username>'],
  ...['agents/<role>/agent.yaml', 'a < b', 'a <- b', 'x -> y', '<5 files', 'users <user count', 'systems <1.0'],
  ...[
    '<ecosystem>',
    '<operating-system-name>',
    '<human-readable>',
    '[instance]',
    '[x] task',
    '[link](a)',
    '【说明】',
    '<h1>',
  ],
  ...['<instruction-set-name>', '<model>', '<prompt>', '<query>', '<file>', '<T>', 'Map<K, V>', '《系统》', '<br/>'],
  ...[
    'Q&A',
    '&lt;div&gt;',
    '&amp;',
    'R&D <team>',
    '<skill>',
    'a system > b',
    'the user> prompt',
    '<url>',
    '<thinkpad>',
  ],
];

test('threat 22 blocked: the tags of speakers, tools and control tokens are found in every disguise', () => {
  for (const text of REFUSED) {
    const found = findRoleTag(`Before it. ${text} And after.`);
    assert.ok(found, text);
    assert.ok(found.text !== '' && found.reason.en !== '', text);
  }
});

test('placeholders, types, elements and comparisons are nobody’s words', () => {
  for (const text of HARMLESS) assert.equal(findRoleTag(`Before it. ${text} And after.`), undefined, text);
});

test('what is quoted stands in the text as it was written', () => {
  assert.equal(findRoleTag('Ünï ＜ｓystem＞ x')?.text, '＜ｓystem＞');
  assert.equal(findRoleTag('R&D &lt;system&gt; x')?.text, '&lt;system&gt;');
  assert.equal(findRoleTag('a <|im_start|> b')?.text, '<|im_start|>');
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 80 }), fc.constantFrom(...REFUSED), (around, tag) => {
      const text = `${around} ${tag} ${around}`;
      const found = findRoleTag(text);
      assert.ok(found === undefined || text.includes(found.text));
    }),
    { numRuns: count(5000, 300) },
  );
});

test('a long text without a tag costs little', () => {
  for (const unit of ['<', '< ', '<a', '&lt;', '[', '<a b', '＜ａ', '中文【', '<s y ']) {
    const text = unit.repeat(60_000 / unit.length);
    const { user } = process.cpuUsage();
    findRoleTag(text);
    assert.ok(process.cpuUsage().user - user < 1_000_000, unit);
  }
});
