// The error catalogue as data. docs/errors.md is compared with it by a test.
import { GUARD_ERRORS } from './guard.ts';
import { REQUEST_ERRORS } from './request.ts';
import { SKILL_ERRORS } from './skill.ts';

/** The name of an entry of the catalogue, as docs/errors.md lists them. */
export type ErrorType = keyof typeof ERRORS;

/**
 * Every failure once: its code, its other names, whether trying again can help, and what to do, in both languages.
 * @example
 * const { code, hint } = ERRORS.BudgetExhausted;
 */
export const ERRORS = { ...REQUEST_ERRORS, ...SKILL_ERRORS, ...GUARD_ERRORS };
