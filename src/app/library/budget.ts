// The budget of a run as the library names it.
import type { Budget } from '../../agent/budget.ts';
import type { RunBudget } from './public/budget.ts';
import { wrongUse } from './wrong-use.ts';

const NAMES = {
  turns: 'turns',
  toolCalls: 'tool_calls',
  scriptRuns: 'script_runs',
  tokens: 'tokens',
  seconds: 'seconds',
  cost: 'cost',
} as const satisfies Record<keyof RunBudget, keyof Budget>;

/** Throws a Fault for what is no budget. */
export function readBudget(budget: RunBudget): Partial<Budget> {
  const read: Partial<Record<keyof Budget, number>> = {};
  for (const [written, amount] of Object.entries(budget)) {
    const name = isName(written) ? NAMES[written] : undefined;
    if (name === undefined) throw wrongUse(`budget.${written}`, `one of ${Object.keys(NAMES).join(', ')}`);
    if (typeof amount !== 'number' || !(amount >= 0)) throw wrongUse(`budget.${written}`, 'a number');
    read[name] = amount;
  }
  return read;
}

/** As a caller from code names it. */
export function budgetName(name: keyof Budget): keyof RunBudget {
  return Object.keys(NAMES).find(isNameOf(name)) ?? 'turns';
}

function isName(written: string): written is keyof RunBudget {
  return Object.hasOwn(NAMES, written);
}

function isNameOf(name: keyof Budget): (written: string) => written is keyof RunBudget {
  return (written): written is keyof RunBudget => isName(written) && NAMES[written] === name;
}
