import assert from 'node:assert/strict';
import test from 'node:test';
import { changed } from '../../test/support/changed/changed-source.ts';
import { findHidden } from '../base/text.ts';
import { excerptOf } from './excerpt.ts';

// Colours, a link, the clipboard, an overwritten line and reversed text.
const TRICKS = 'ok\x1b[31m \x1b]8;;http://x\x07y\x1b]52;c;aGk=\x07 safe\rEVIL \u202egnp.exe\x9b2J';

test('threat 47 blocked: nothing in an excerpt can act on a terminal', () => {
  const shown = excerptOf(Buffer.from(TRICKS));
  assert.deepEqual(findHidden(shown), []);
  assert.ok(!shown.includes('\r'));
  assert.match(shown, /\\u\{1b\}\[31m.*\\u\{202e\}gnp\.exe/s);
});

test('threat 47 control: shown as it is, it would', async () => {
  const raw = await changed<typeof import('./excerpt.ts')>('src/process/excerpt.ts', {
    from: 'visibleLines(cut(line))',
    to: 'cut(line)',
  });
  assert.ok(raw.excerptOf(Buffer.from(TRICKS)).includes('\x1b]52;'));
});

test('a long text keeps its beginning and mostly its end, bounded in lines and columns', () => {
  const lines = Array.from({ length: 5000 }, (_, index) => `line ${index}`);
  const shown = excerptOf(Buffer.from(`${lines.join('\n')}\n`)).split('\n');
  assert.equal(shown.length, 21);
  assert.deepEqual([shown[0], shown[5], shown[20]], ['line 0', '…', 'line 4999']);
  assert.equal(excerptOf(Buffer.alloc(10_000_000, 'x')).length, 2 * 301 + 1);
  assert.equal(excerptOf(new Uint8Array()), '');
});
