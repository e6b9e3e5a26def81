// The budget of a run. The user sets the limits; a plan can lower them; a person who is asked at their end can add to them.

export const BUDGET_NAMES = ['turns', 'tool_calls', 'script_runs', 'tokens', 'seconds', 'cost'] as const;
export type BudgetName = (typeof BUDGET_NAMES)[number];
export type Budget = Readonly<Record<BudgetName, number>>;

/** Asked at the end of one. */
export interface BudgetQuestion {
  readonly budget: BudgetName;
  readonly limit: number;
  /** What a yes adds to it. */
  readonly more: number;
}

export const NOTHING_SPENT: Budget = { turns: 0, tool_calls: 0, script_runs: 0, tokens: 0, seconds: 0, cost: 0 };

export function spend(spent: Budget, more: Partial<Budget>): Budget {
  return mapBudget((name) => spent[name] + (more[name] ?? 0));
}

/** The minimum of both, name by name. */
export function tightenBudget(limits: Budget, wish: Partial<Budget>): Budget {
  return mapBudget((name) => Math.min(limits[name], wish[name] ?? limits[name]));
}

export function remaining(limits: Budget, spent: Budget): Budget {
  return mapBudget((name) => Math.max(0, limits[name] - spent[name]));
}

/** The first exhausted part, so that the next step is not started. */
export function exhausted(
  limits: Budget,
  spent: Budget,
  needs: readonly BudgetName[] = BUDGET_NAMES,
): BudgetName | undefined {
  return needs.find((name) => spent[name] >= limits[name]);
}

function mapBudget(value: (name: BudgetName) => number): Budget {
  return Object.fromEntries(BUDGET_NAMES.map((name) => [name, value(name)])) as Record<BudgetName, number>;
}
