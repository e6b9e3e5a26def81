// The error catalogue as data. docs/errors.md is compared with it by a test.
import { GUARD_ERRORS } from './guard.ts';
import { REQUEST_ERRORS } from './request.ts';
import { SKILL_ERRORS } from './skill.ts';

export type ErrorType = keyof typeof ERRORS;

export const ERRORS = { ...REQUEST_ERRORS, ...SKILL_ERRORS, ...GUARD_ERRORS };
