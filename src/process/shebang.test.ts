import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { temporaryFolder } from '../../test/support/support.ts';
import { Fault } from '../base/errors.ts';
import { interpreterInShebang, interpreterOf } from './shebang.ts';

test('the first line names the interpreter in all its spellings', () => {
  const lines: [string, string | undefined][] = [
    ['#!/usr/bin/env python3', 'python'],
    ['#! /usr/bin/python3.12 -u', 'python'],
    ['#!/usr/bin/env -S deno run --allow-read', 'deno'],
    ['#!/usr/bin/env FOO=1 node', 'node'],
    ['#!/bin/bash', 'bash'],
    ['#!/usr/bin/env', undefined],
    ['#!', ''],
    ['import os', undefined],
  ];
  for (const [line, name] of lines) assert.equal(interpreterInShebang(line), name, line);
});

test('the first line decides, then the extension; no exec bit is needed', (t) => {
  const folder = temporaryFolder(t);
  const scripts: [string, string, string][] = [
    ['a.py', 'print(1)', 'python'],
    ['b.sh', '#!/bin/sh\n', 'sh'],
    ['c.sh', 'echo', 'bash'],
    ['d.ts', '#!/usr/bin/env bun\r\n', 'bun'],
    ['e.MJS', '', 'node'],
    ['f', '#!/usr/bin/env ruby\n', 'ruby'],
    ['g.py', '#!/usr/bin/env -S uv run --script\n', 'uv'],
    ['h.R', 'cat(1)', 'rscript'],
  ];
  for (const [name, text, expected] of scripts) {
    writeFileSync(path.join(folder, name), text);
    assert.equal(interpreterOf(path.join(folder, name)), expected, name);
  }
  assert.equal(interpreterOf(path.join(folder, 'g.py'), ['python']), 'python', 'uv runs Python');
});

test('an interpreter outside the list is refused and named', (t) => {
  const folder = temporaryFolder(t);
  const scripts: [string, string, string][] = [
    ['a.lua', 'print(1)', '.lua'],
    ['b', '#!/usr/bin/lua\n', 'lua'],
    ['c', '#!/usr/bin/curl -K\n', 'curl'],
    ['d', '\x7fELF', 'd'],
  ];
  for (const [name, text, named] of scripts) {
    writeFileSync(path.join(folder, name), text);
    const refused = (error: unknown) =>
      error instanceof Fault && error.type === 'PermissionDenied' && error.details?.interpreter === named;
    assert.throws(() => interpreterOf(path.join(folder, name)), refused, name);
  }
  writeFileSync(path.join(folder, 'e.py'), '');
  assert.throws(() => interpreterOf(path.join(folder, 'e.py'), ['node']), Fault);
  assert.equal(interpreterOf(path.join(folder, 'b'), ['lua']), 'lua');
});
