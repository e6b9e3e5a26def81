import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { changed } from '../../test/support/changed/changed-source.ts';
import { count } from '../../test/support/support.ts';
import { createRedactor, type Redactor } from './redact.ts';

const canary = 's3cret/Canary+Value é"\\ 9';

function formsOf(secret: string): Record<string, string> {
  const bytes = Buffer.from(secret);
  const shifted = (before: number) => Buffer.concat([Buffer.alloc(before, 'x'), bytes, Buffer.from('tail')]);
  const each = (spell: (code: number) => string) =>
    Array.from(secret, (one) => spell(one.codePointAt(0) ?? 0)).join('');
  const hex = bytes.toString('hex');
  return {
    plain: secret,
    upper: secret.toUpperCase(),
    lower: secret.toLowerCase(),
    json: JSON.stringify(secret).slice(1, -1),
    unicode: secret.replace(/./gs, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`),
    braced: each((code) => `\\u{${code.toString(16)}}`),
    wide: each((code) => `\\U${code.toString(16).padStart(8, '0')}`),
    html: each((code) => `&#${code};`),
    htmlHex: each((code) => `&#x${code.toString(16)};`),
    url: encodeURIComponent(secret),
    form: new URLSearchParams({ v: secret }).toString().slice(2),
    percent: [...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
    mail: [...bytes].map((byte) => `=${byte.toString(16).padStart(2, '0').toUpperCase()}`).join(''),
    octal: [...bytes].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join(''),
    python: [...bytes].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join(''),
    reversed: [...secret].toReversed().join(''),
    hex,
    HEX: hex.toUpperCase(),
    dump: hex.replace(/../g, '$& '),
    colons: hex.replace(/..(?!$)/g, '$&:'),
    array: hex.replace(/..(?!$)/g, '0x$&, '),
    decimal: [...bytes].join(' '),
    base64: bytes.toString('base64').replace(/=+$/, ''),
    base64url: bytes.toString('base64url'),
    shift1: shifted(1).toString('base64'),
    shift2: shifted(2).toString('base64'),
    wrapped: shifted(1).toString('base64').replace(/.{8}/g, '$&\n'),
  };
}

/** The part of an encoding that comes from the secret and nothing else. */
function core(name: string, text: string): string {
  if (!name.startsWith('shift') && name !== 'wrapped') return text;
  return text.replaceAll('\n', '').slice(4, 20);
}

test('threat 38 blocked: a secret is gone in every form, from text and from bytes', () => {
  const redactor = createRedactor([{ name: 'TOKEN', value: canary }]);
  for (const [name, form] of Object.entries(formsOf(canary))) {
    const wanted = core(name, form);
    const text = redactor.text(`before ${form} after`);
    const bytes = Buffer.from(redactor.bytes(Buffer.from(`before ${form} after`))).toString();
    for (const left of [text, bytes]) {
      assert.ok(!left.replaceAll('\n', '').includes(wanted), `${name}: ${left}`);
      assert.match(left, /^before .*\[redacted\].* after$/s, name);
    }
  }
});

test('threat 38 control: with only the plain form searched for, the encoded ones get through', async () => {
  const plainOnly = await without('...encodedNeedles(Buffer.from(piece))');
  for (const name of ['hex', 'base64', 'shift1', 'decimal']) {
    const form = formsOf(canary)[name] ?? '';
    assert.ok(plainOnly.text(form).includes(form), name);
  }
  const withoutPlain = await without('...plainNeedles(piece), ');
  for (const form of [canary, formsOf(canary).reversed ?? '']) assert.ok(withoutPlain.text(form).includes(form));
});

async function without(needles: string): Promise<Redactor> {
  const change = { file: 'src/base/redact/needle.ts', from: needles, to: '' };
  const module = await changed<typeof import('./redact.ts')>('src/audit/redact.ts', change);
  return module.createRedactor([{ name: 'TOKEN', value: canary }]);
}

// A `0x` at the begin of a number is no letter of it, backwards neither.
const secret = fc
  .string({ minLength: 8, maxLength: 60, unit: 'grapheme-ascii' })
  .filter((value) => (value.match(/[a-z0-9]/gi) ?? []).length >= 6 && !/0x|x0/i.test(value));

test('any secret is found in any form, in any surroundings', () => {
  fc.assert(
    fc.property(secret, fc.string(), fc.string(), (value, before, after) => {
      const redactor = createRedactor([{ name: 'S', value }]);
      for (const [name, form] of Object.entries(formsOf(value)))
        assert.ok(
          redactor.text(`${before}\n${form}\n${after}`).includes('[redacted]'),
          `${name}: ${JSON.stringify(value)}`,
        );
    }),
    { numRuns: count(2000, 100) },
  );
});

test('any secret is found with one separator between its characters, or broken into lines', () => {
  const separator = fc.constantFrom(
    ' ',
    '-',
    '.',
    ',',
    '\n',
    '\t',
    ':',
    '_',
    '/',
    '|',
    ', ',
    "', '",
    '","',
    '\0',
    ' - ',
  );
  fc.assert(
    fc.property(secret, separator, fc.integer({ min: 1, max: 7 }), (value, between, width) => {
      const redactor = createRedactor([{ name: 'S', value }]);
      const spaced = [...value].join(between);
      const lines = value.replace(new RegExp(`.{${width}}`, 'gs'), '$&\n    ');
      for (const form of [spaced, lines, [...value].toReversed().join(between)])
        assert.ok(redactor.text(`<${form}>`).includes('[redacted]'), JSON.stringify([value, form]));
    }),
    { numRuns: count(2000, 100) },
  );
});

test('any secret that is split over two streams is taken out of both', () => {
  // Without x: `0x` at the begin of a line is no letter of it.
  const words = fc.stringMatching(/^[a-wyzA-WYZ0-9]{12,40}$/);
  fc.assert(
    fc.property(words, fc.integer({ min: 3 }), fc.integer({ min: 1, max: 6 }), (value, at, chunk) => {
      const redactor = createRedactor([{ name: 'S', value }]);
      const cut = 3 + (at % (value.length - 5));
      const chunks = value.match(new RegExp(`.{1,${chunk}}`, 'g')) ?? [];
      const combed = [0, 1].map((odd) => chunks.filter((_, index) => index % 2 === odd).join('\n'));
      const ways = [[`a ${value.slice(0, cut)} b`, `c ${value.slice(cut)} d`], combed];
      for (const [first = '', second = ''] of [...ways, ...ways.map((way) => way.toReversed())]) {
        if (Math.min(first.length, second.length) < 3) continue;
        const [out, err] = redactor.streams([Buffer.from(`x\n${first}\ny`), Buffer.from(`z\n${second}\n`)]);
        for (const left of [out, err])
          assert.ok(Buffer.from(left).includes('[redacted]'), JSON.stringify([value, first, second]));
      }
    }),
    { numRuns: count(2000, 100) },
  );
});

test('told in pieces, no more than the first letters of a secret are shown', () => {
  const value = 'tr0ub4dor-and-3-more';
  const tell = createRedactor([{ name: 'S', value }]).inSequence();
  assert.equal(tell('half done'), 'half done');
  const shown = [...value].map(tell).join('').replaceAll('[redacted]', '');
  assert.ok(value.startsWith(shown) && shown.length <= 2, shown);
  assert.equal(tell('all done'), 'all done');
});

test('threat 38 blocked: a secret of any length is gone, and nothing that could be said about it spells it out', () => {
  for (const length of [255, 257, 4096, count(64 * 1024, 4500)]) {
    const value = [...createHash('shake256', { outputLength: length }).update('seed').digest()]
      .map((byte) => String.fromCharCode(33 + (byte % 90)))
      .join('');
    const redactor = createRedactor([
      { name: 'LONG', value },
      { name: 'OTHER', value: `${value}!` },
    ]);
    const said = JSON.stringify({ value, back: [...value].toReversed().join(''), coded: btoa(value) });
    for (const clean of [redactor.text(said), Buffer.from(redactor.bytes(Buffer.from(said))).toString('latin1')]) {
      // At the seams of its pieces an encoding keeps a character or two.
      const left = clean.replaceAll('[redacted]', '');
      assert.ok(left.length < 60 + length / 50, `${length}: ${left.length}`);
      assert.doesNotThrow(() => JSON.parse(clean));
    }
  }
});

test('a secret is found where two windows of a long text meet', () => {
  const redactor = createRedactor([{ name: 'TOKEN', value: canary }]);
  for (const before of [256 * 1024 - 9, 512 * 1024 - 1, 1024 * 1024]) {
    const left = redactor.bytes(Buffer.concat([Buffer.alloc(before, '.'), Buffer.from(canary), Buffer.alloc(9, '.')]));
    assert.equal(left.length, before + '[redacted]'.length + 9);
  }
});

test('a secret that begins like another leaves no rest', () => {
  const redactor = createRedactor([
    { name: 'A', value: 'abcdef12' },
    { name: 'B', value: 'abcdef12-and-more' },
  ]);
  assert.equal(redactor.text('x abcdef12-and-more y abcdef12 z'), 'x [redacted] y [redacted] z');
});

test('what is not secret stays byte for byte', () => {
  const redactor = createRedactor([{ name: 'A', value: canary }]);
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => assert.deepEqual(Buffer.from(redactor.bytes(bytes)), Buffer.from(bytes))),
  );
  assert.equal(createRedactor([]).text(canary), canary);
});

test('other text with the same letters stays', () => {
  const redactor = createRedactor([{ name: 'A', value: 'one-two-3' }]);
  for (const text of ['one: two; 3', 'none two 3', 'one/two-3, and one', 'onetwo3'])
    assert.equal(redactor.text(text), text);
});

test('short secrets are looked for as they are, and named', () => {
  const redactor = createRedactor([
    { name: 'PIN', value: '123' },
    { name: 'WORD', value: 'pass42' },
    { name: 'KEY', value: 'long-enough' },
  ]);
  assert.deepEqual(redactor.tooShort, ['PIN', 'WORD']);
  assert.equal(redactor.text('123 pass42 PASS42 p a s s 4 2'), '123 [redacted] PASS42 p a s s 4 2');
  assert.deepEqual(redactor.namesIn(Buffer.from('pass42 long-enough 123')), ['KEY']);
});

test('what looks like a key is taken out of records only when that is wanted', () => {
  const keys = [`sk-${'a1'.repeat(20)}`, `ghp_${'a1'.repeat(18)}`, 'AKIAABCDEFGHIJKLMNOP'];
  const block = '-----BEGIN RSA PRIVATE KEY-----\nMIIabc\n-----END RSA PRIVATE KEY-----';
  for (const key of [...keys, block]) {
    assert.equal(createRedactor([], { keyShapes: true }).text(`x ${key} y`), 'x [redacted] y');
    assert.equal(createRedactor([]).text(key), key);
  }
});
