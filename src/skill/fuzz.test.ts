import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { count, isLong } from '../../test/support/support.ts';
import { fixSkill } from './lint/fix.ts';
import { lintSkill } from './lint/lint.ts';
import { parseSkill } from './manifest.ts';
import { FRONTMATTER_LIMIT } from './read/fence.ts';

const WHERE = { path: 'SKILL.md', folderName: 'a' };
const GOOD = [
  '---\nname: a\ndescription: b\nallowed-tools: Read, Bash(git:*)\n---\n\n# T\n',
  '---\nname: a\ndescription: >-\n  b\n  c\nmetadata:\n  x: [1, {y: z}]\nuser-invocable: false\n---\n',
  '---\nname: a\ndescription: "b"\nparams: {x: {required: true, type: file}}\ncommand: ./run.sh {x}\ntimeout: 30s\n---\n',
];
const PIECES = fc.constantFrom(
  ...['---\n', '\n---\n', '...\n', '```yaml\n', '<!--', '-->', '\ufeff', '\r\n', '\n', '\t', ' ', '  ', '#', '# T\n\n'],
  ...['name', 'description', 'allowed-tools', 'disable-model-invocation', 'user_invocable', 'network: true', 'command'],
  ...[
    ': ',
    ':',
    '- ',
    '? ',
    '| ',
    '>-\n',
    '[',
    ']',
    '{',
    '}',
    ',',
    '"',
    "'",
    '&a ',
    '*a',
    '!!js/function ',
    '<<: ',
    '%',
    '@',
    '`',
  ],
  ...[
    '__proto__: {x: 1}',
    'constructor',
    'prototype',
    'x: 1\n',
    '\u0000',
    '\u202e',
    '\u2028',
    '\ud800',
    '中文',
    '</skills>',
    '1.10',
  ],
);
const RANDOM = fc
  .array(fc.oneof(PIECES, fc.string({ unit: 'binary', maxLength: 8 })), { maxLength: 60 })
  .map((parts) => `---\n${parts.join('')}`);
const MUTATED = fc
  .tuple(fc.constantFrom(...GOOD), fc.array(fc.tuple(fc.nat(160), fc.nat(12), PIECES), { minLength: 1, maxLength: 4 }))
  .map(([text, edits]) =>
    edits.reduce((now, [at, gone, piece]) => now.slice(0, at) + piece + now.slice(at + gone), text),
  );

const ALLOWED_TOP = new Set([
  'name',
  'description',
  'metadata',
  'unknown',
  'allowedTools',
  'params',
  'actions',
  'requires',
  'secrets',
]);

test('threat 23 blocked: no input throws, hangs or reaches a prototype', () => {
  fc.assert(
    fc.property(fc.oneof(RANDOM, MUTATED), (text) => {
      const started = performance.now();
      const { manifest, diagnostics } = parseSkill(text, WHERE);
      assert.ok(performance.now() - started < 1000, 'a hang');
      assert.equal('x' in {}, false);
      if (manifest === undefined)
        assert.ok(diagnostics.some(({ severity, message }) => severity === 'error' && message !== ''));
      for (const [key, value] of Object.entries(manifest ?? {})) {
        if (typeof value === 'object' && value !== null) assert.ok(ALLOWED_TOP.has(key));
      }
      for (const part of [manifest?.metadata, manifest?.unknown])
        assert.ok(part === undefined || Object.getPrototypeOf(part) === null);
      for (const { line } of diagnostics)
        assert.ok(line !== undefined && line >= 1 && line <= text.split(/\r\n|\n|\r/).length);
    }),
    { numRuns: count(10_000, 500) },
  );
});

test('linting and fixing never throw; a fixed text needs no second fix', () => {
  fc.assert(
    fc.property(fc.oneof(RANDOM, MUTATED), (text) => {
      for (const profile of ['lenient', 'spec', 'strict'] as const) {
        lintSkill(text, { ...WHERE, profile, maxBodyLines: 500, files: ['SKILL.md'] });
      }
      const once = fixSkill(text, WHERE);
      assert.deepEqual(fixSkill(once.text, WHERE), { text: once.text, applied: [] }, JSON.stringify(text));
    }),
    { numRuns: count(10_000, 500) },
  );
});

const SEEDS = [
  ...[
    '[',
    '{a: ',
    '- - - -',
    '- ',
    '? ',
    '&a ',
    '*a ',
    '"\n',
    "'\n",
    ': ',
    'a: b: ',
    'a: ',
    'a:\n',
    '!x ',
    '!!str ',
    '|\n',
  ],
  ...[
    '%a\n',
    '#',
    '\t\n',
    ' \n',
    '-\n',
    '--- \n',
    '...\n',
    'a: [\n',
    'a: {\n',
    '[a, ',
    '[? ',
    '&a &b ',
    '? - ',
    '&a\n',
    '"\\',
  ],
  ...[
    '\u2028',
    'allowed-tools: ',
    'description: a: b\n',
    '<!-- ',
    '<!---->',
    '```\n',
    '? a\n: ',
    'a:\n  ',
    '!!map\n',
    '<a',
    '中',
  ],
];
const FRAMES: [before: string, after: string][] = [
  ['---\n', '\n---\n'],
  ['---\nname: x\ndescription: ', '\n---\n'],
  ['---\nname: x\ndescription: d\nz: ', '\n---\n'],
  ['---\nname: x\ndescription: d\nallowed-tools: ', '\n---\n'],
  ['---\n', ''],
  ['', ''],
];

test('64 KiB of anything are read in time', (t) => {
  let slowest = { ms: 0, text: '' };
  for (const seed of SEEDS) {
    for (const [before, after] of FRAMES) {
      const filler = seed.repeat(Math.floor((FRONTMATTER_LIMIT - 200) / Buffer.byteLength(seed)));
      const ms = bestOf(count(3, 1), () => parseSkill(before + filler + after, WHERE));
      const text = JSON.stringify([before, seed, after]);
      if (ms > slowest.ms) slowest = { ms, text };
      assert.ok(ms <= (isLong() ? 50 : 1000), `${ms} ms for ${text}`);
    }
  }
  t.diagnostic(`slowest: ${slowest.ms.toFixed(1)} ms of processor time for ${slowest.text}`);
});

// Processor time, because other tests run on the same cores.
function bestOf(times: number, run: () => void): number {
  let best = Number.POSITIVE_INFINITY;
  for (let turn = 0; turn < times; turn++) {
    const started = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(started);
    best = Math.min(best, (user + system) / 1000);
  }
  return best;
}
