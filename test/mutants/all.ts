// All mutants, and the rules that have none.
import { SEED_000_A } from './000-a.ts';
import { SEED_000_B } from './000-b.ts';
import { SEED_001 } from './001.ts';
import { SEED_002_A } from './002-a.ts';
import { SEED_002_B } from './002-b.ts';
import { SEED_003_A } from './003-a.ts';
import { SEED_003_B } from './003-b.ts';
import type { Mutant } from './mutant.ts';

const LISTS = [SEED_000_A, SEED_000_B, SEED_001, SEED_002_A, SEED_002_B, SEED_003_A, SEED_003_B];

export const MUTANTS: readonly Mutant[] = LISTS.flatMap(({ mutants }) => mutants);
export const RULES_WITHOUT_MUTANT: readonly string[] = LISTS.flatMap(({ open }) => open);
