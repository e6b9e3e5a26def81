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
  return {
    plain: secret,
    json: JSON.stringify(secret).slice(1, -1),
    unicode: secret.replace(/./gs, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`),
    url: encodeURIComponent(secret),
    form: new URLSearchParams({ v: secret }).toString().slice(2),
    percent: [...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
    reversed: [...secret].toReversed().join(''),
    hex: bytes.toString('hex'),
    HEX: bytes.toString('hex').toUpperCase(),
    dump: bytes.toString('hex').replace(/../g, '$& '),
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
  const plainOnly = await searchingFor("['plain']");
  for (const name of ['reversed', 'hex', 'base64', 'shift1']) {
    const form = formsOf(canary)[name] ?? '';
    assert.ok(plainOnly.text(form).includes(form), name);
  }
  const withoutPlain = await searchingFor("['reversed', 'base64', 'hex']");
  assert.ok(withoutPlain.text(canary).includes(canary));
});

async function searchingFor(forms: string): Promise<Redactor> {
  const change = { from: "['plain', 'reversed', 'base64', 'hex']", to: forms };
  const module = await changed<typeof import('./redact.ts')>('src/audit/redact.ts', change);
  return module.createRedactor([{ name: 'TOKEN', value: canary }]);
}

test('any secret is found in any form, in any surroundings', () => {
  const secret = fc.string({ minLength: 6, maxLength: 40, unit: 'grapheme-ascii' });
  fc.assert(
    fc.property(secret, fc.string(), fc.string(), (value, before, after) => {
      const redactor = createRedactor([{ name: 'S', value }]);
      for (const [name, form] of Object.entries(formsOf(value))) {
        if (name === 'wrapped' || name.startsWith('shift')) continue;
        const left = redactor.text(`${before}\n${form}\n${after}`);
        assert.ok(left.includes('[redacted]'), `${name}: ${JSON.stringify(value)}`);
      }
    }),
    { numRuns: count(2000, 100) },
  );
});

test('threat 38 blocked: a secret of any length is gone, and nothing that could be said about it spells it out', () => {
  for (const length of [255, 257, 4096, count(64 * 1024, 6000)]) {
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

test('a secret that begins like another leaves no rest', () => {
  const redactor = createRedactor([
    { name: 'A', value: 'abcdef' },
    { name: 'B', value: 'abcdef-and-more' },
  ]);
  assert.equal(redactor.text('x abcdef-and-more y abcdef z'), 'x [redacted] y [redacted] z');
});

test('what is not secret stays byte for byte', () => {
  const redactor = createRedactor([{ name: 'A', value: canary }]);
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => assert.deepEqual(Buffer.from(redactor.bytes(bytes)), Buffer.from(bytes))),
  );
  assert.deepEqual(createRedactor([{ name: 'PIN', value: '123' }]).tooShort, ['PIN']);
  assert.equal(createRedactor([]).text(canary), canary);
});

test('what looks like a key is taken out of records only when that is wanted', () => {
  const keys = [`sk-${'a1'.repeat(20)}`, `ghp_${'a1'.repeat(18)}`, 'AKIAABCDEFGHIJKLMNOP'];
  const block = '-----BEGIN RSA PRIVATE KEY-----\nMIIabc\n-----END RSA PRIVATE KEY-----';
  for (const key of [...keys, block]) {
    assert.equal(createRedactor([], { keyShapes: true }).text(`x ${key} y`), 'x [redacted] y');
    assert.equal(createRedactor([]).text(key), key);
  }
});
