import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parse } from 'yaml';
import { count } from '../../test/support/support.ts';
import { RESTRICTIVE } from './field.ts';
import { readFrontmatter } from './read/frontmatter.ts';
import { parseYaml } from './read/yaml.ts';

const GUARDS = [...RESTRICTIVE.keys()];

// Values on which YAML versions and parsers are known to differ, whole and broken ones.
const VALUE = fc.constantFrom(
  ...['true', 'True', 'TRUE', 'yes', 'no', 'on', 'off', 'null', '~', '', '"true"', "'false'", '"\\u0074rue"', 'tr ue'],
  ...[
    'Read',
    '[Read, Write]',
    '["Bash(git:*)", Read]',
    'Read, Write',
    '\n  - Read\n  - Write',
    '\n- Read',
    'Bash(git: *)',
  ],
  ...[
    '|\n  Read',
    '>-\n  Read\n  Write',
    '"a\n  b"',
    '"a\nb"',
    "'a\n\nb'",
    'a\n  b',
    'a\n b: c',
    '[a,\n b]',
    '[a,\nb]',
  ],
  ...[
    'true # c',
    '# c',
    '!!str true',
    '!!bool "true"',
    '!x y',
    '\ttrue',
    'true\t',
    'true\u0085',
    'true\u2028',
    'true\u00a0',
  ],
  ...['0', '30', '30s', '1e3', '0x1F', '0o17', '017', '.5', '1_000', '{a: b}', '{a: 1,\n b: 2}', '- - a', '? x'],
  ...['*', '&a true', '@x', '`x`', '%x', '"', "'", '[', '{', ']', '}', ':', '::', '- ', '--- ', '...', '<<', 'a: b'],
);
const KEY = fc.constantFrom(
  ...GUARDS,
  ...GUARDS.map((key) => `"${key}"`),
  ...GUARDS.map((key) => `? ${key}\n`),
  ...['name', 'description', 'x', 'metadata', '<<', '- a', ' x', '\tx', '#'],
);
const LINE = fc.tuple(KEY, fc.constantFrom(': ', ':', ' : ', ':\t', ':\n  '), VALUE).map((parts) => parts.join(''));
const DOCUMENT = fc.array(LINE, { minLength: 1, maxLength: 5 }).map((lines) => lines.join('\n'));

function parseElsewhere(text: string): Record<string, unknown> | undefined {
  try {
    // This parser stops at a value below a comment that has no blank behind its #, which YAML allows.
    return parse(text.replace(/^#(?=\S)/gm, '# '), {
      schema: 'core',
      maxAliasCount: 0,
      uniqueKeys: true,
      logLevel: 'error',
    });
  } catch {
    return undefined;
  }
}

test('what is read strictly another parser reads too, with the same guards', () => {
  let compared = 0;
  fc.assert(
    fc.property(DOCUMENT, (text) => {
      const parsed = parseYaml(text);
      if (!('values' in parsed)) return;
      const other = parseElsewhere(text);
      compared++;
      assert.ok(other, `only one parser reads ${JSON.stringify(text)}`);
      for (const key of GUARDS) assert.equal(JSON.stringify(parsed.values[key]), JSON.stringify(other[key]), text);
    }),
    { numRuns: count(50_000, 2_000) },
  );
  assert.ok(compared > 100);
});

test('where only the ladder reads, a guard that another parser sees is never read more generously', () => {
  const NARROW = { 'disable-model-invocation': true, 'user-invocable': false } as const;
  fc.assert(
    fc.property(DOCUMENT, (text) => {
      const { values } = readFrontmatter(`---\nname: a\ndescription: b\n${text}\n---\n`, 'SKILL.md');
      const other = parseElsewhere(`name: a\ndescription: b\n${text}`);
      if (values === undefined || other === undefined) return;
      for (const [key, restrictive] of Object.entries(NARROW)) {
        if (other[key] === restrictive) assert.equal(values[key], restrictive, JSON.stringify(text));
      }
      if ('allowed-tools' in other) assert.ok('allowed-tools' in values, JSON.stringify(text));
    }),
    { numRuns: count(20_000, 1_000) },
  );
});
