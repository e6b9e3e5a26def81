import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseFormat, chooseLanguage, describeTerminal } from './global-options.ts';

const tty = { stdin: () => ({ isTTY: true }), stdout: { isTTY: true, columns: 90 } };
const pipe = { stdin: () => ({}), stdout: {} };

test('human is the format unless another is asked for', () => {
  assert.equal(chooseFormat({}), 'human');
  assert.equal(chooseFormat({ json: true, format: 'compact' }), 'json');
  assert.equal(chooseFormat({ format: 'compact' }), 'compact');
  assert.equal(chooseFormat({ format: 'xml' }), 'human');
});

test('the option chooses the language, else the locale', () => {
  assert.equal(chooseLanguage({ lang: 'zh' }, { LANG: 'en_US.UTF-8' }), 'zh');
  assert.equal(chooseLanguage({}, { LANG: 'zh_CN.UTF-8' }), 'zh');
  assert.equal(chooseLanguage({}, { LC_ALL: 'C', LANG: 'zh_CN.UTF-8' }), 'en');
  assert.equal(chooseLanguage({ lang: ['zh', 'python'] }, {}), 'zh');
  assert.equal(chooseLanguage({ lang: 'python' }, {}), 'en');
});

test('colour follows NO_COLOR, FORCE_COLOR and the terminal, in this order', () => {
  const color = (options: object, env: Record<string, string>, where: typeof tty | typeof pipe) =>
    describeTerminal({ ...options }, { ...where, env }).color;
  assert.equal(color({}, {}, tty), true);
  assert.equal(color({}, {}, pipe), false);
  assert.equal(color({}, { TERM: 'dumb' }, tty), false);
  assert.equal(color({}, { NO_COLOR: '1', FORCE_COLOR: '1' }, tty), false);
  assert.equal(color({}, { NO_COLOR: '' }, tty), true);
  assert.equal(color({}, { FORCE_COLOR: '1' }, pipe), true);
  assert.equal(color({}, { FORCE_COLOR: '0' }, tty), false);
  assert.equal(color({ 'no-color': true }, { FORCE_COLOR: '1' }, tty), false);
});

test('without a terminal nobody answers and nothing is cut', () => {
  assert.deepEqual(describeTerminal({}, { ...pipe, env: {} }), { interactive: false, color: false, width: Infinity });
  assert.equal(describeTerminal({}, { ...pipe, env: { COLUMNS: '40' } }).width, 40);
  assert.equal(describeTerminal({}, { ...tty, env: {} }).width, 90);
  assert.equal(describeTerminal({ 'non-interactive': true }, { ...tty, env: {} }).interactive, false);
});
