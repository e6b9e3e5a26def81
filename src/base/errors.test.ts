import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ERRORS, type ErrorType } from './error/catalogue.ts';
import type { ErrorKind } from './error/kind.ts';
import { Fault, findErrorType, nameOn, toFault } from './errors.ts';

const TYPES = Object.entries(ERRORS) as [ErrorType, ErrorKind][];

test('the catalogue covers every name of the seeds and of the specification', () => {
  const names = [
    ...['INVALID_JSON', 'UNKNOWN_ACTION', 'MISSING_PARAM', 'INVALID_PARAM', 'TIMEOUT', 'PERMISSION_DENIED'],
    ...['DATA_NOT_FOUND', 'EXTERNAL_SERVICE_ERROR', 'INTERNAL_ERROR'],
    ...['ScriptNotFound', 'InvalidArgs', 'RuntimeError', 'PermissionDenied'],
    ...['SkillNotFound', 'MetadataMissing', 'ParamMissing', 'RuntimeFailed', 'Timeout'],
    ...['ApprovalRequired', 'ApprovalDenied', 'OutputLimit', 'InvalidResponse', 'IntegrityMismatch', 'PathBlocked'],
    ...['BudgetExhausted', 'IdempotencyConflict', 'ARCHIVE_PATH', 'LIMIT_MEMORY'],
  ];
  for (const name of names) assert.ok(findErrorType(name), `${name} is not in the catalogue`);
});

test('codes are unique and every kind says what to do next in both languages', () => {
  const codes = TYPES.map(([, kind]) => kind.code);
  assert.equal(new Set(codes).size, codes.length);
  for (const [type, kind] of TYPES) {
    for (const text of [kind.summary, kind.hint]) {
      assert.ok(text.en.length > 0 && text.zh.length > 0, type);
    }
    assert.match(kind.summary.zh, /\p{Script=Han}|^\{detail\}$/u, type);
  }
});

test('003-35 an error carries the name of the surface that answers', () => {
  assert.equal(nameOn('invoke', 'ParamMissing'), 'ParamMissing');
  assert.equal(nameOn('call', 'ParamMissing'), 'MISSING_PARAM');
  assert.equal(nameOn('task', 'RuntimeFailed'), 'RuntimeError');
  assert.equal(nameOn('invoke', 'RuntimeFailed'), 'RuntimeFailed');
});

test('a fault fills the sentence of its kind and drops the colon when there is no detail', () => {
  assert.equal(new Fault('SkillNotFound', 'x').sentence.zh, '未安装技能: x');
  assert.equal(new Fault('PermissionDenied').sentence.zh, '权限不足');
  assert.equal(new Fault('ParamMissing', 'input_file').sentence.zh, '参数不足: 需要 input_file');
  assert.equal(new Fault('MetadataMissing').sentence.en, 'SKILL.md is damaged or missing');
});

test('anything thrown becomes a fault that keeps its cause', () => {
  const cause = new TypeError('odd');
  assert.equal(toFault(cause).type, 'Internal');
  assert.equal(toFault(cause).cause, cause);
  assert.equal(toFault('text').message, 'internal error: text');
  const fault = new Fault('Usage', 'x');
  assert.equal(toFault(fault), fault);
});
