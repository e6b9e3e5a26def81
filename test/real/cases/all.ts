// Every case from the repositories that were looked at while this was built.
import type { RealCase } from '../../support/real/case.ts';
import { ANTHROPICS } from './anthropics.ts';
import { AUDIT } from './audit.ts';
import { COMMAND_LINES } from './command-lines.ts';
import { OPENAI } from './openai.ts';
import { TRAIL } from './trail.ts';

export const CASES: RealCase[] = [...ANTHROPICS, ...OPENAI, ...TRAIL, ...AUDIT, ...COMMAND_LINES];
