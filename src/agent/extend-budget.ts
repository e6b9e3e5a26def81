// At the end of a budget: whoever is asked, or resumes the run, gives as much again; nothing else raises a limit.
import { BUDGET_NAMES, type BudgetName, type BudgetQuestion, NOTHING_SPENT, spend } from './budget.ts';
import { leftOf, limitsOf, plannedLimits } from './run-state.ts';
import type { Session } from './session.ts';

/** Whether a person lets the run go on; false where nobody can be asked. */
export async function mayGoOn(session: Session, budget: BudgetName): Promise<boolean> {
  const question = questionOf(session, budget);
  if (question.more <= 0 || !(await session.goOn?.(question))) return false;
  extend(session, question, 'answer');
  return true;
}

/** Whoever resumes a run that has used up a budget means it to go on. */
export function renewBudget(session: Session): void {
  const left = leftOf(session.state);
  for (const budget of BUDGET_NAMES.filter((name) => left[name] <= 0)) {
    const question = questionOf(session, budget);
    if (question.more > 0) extend(session, question, 'resume');
  }
  delete session.state.refused;
}

/** As much again as there was at first, as often as what was spent beyond it takes. */
function questionOf({ state }: Session, budget: BudgetName): BudgetQuestion {
  const limit = limitsOf(state)[budget];
  const amount = plannedLimits(state)[budget];
  const beyond = Math.max(0, state.spent[budget] - limit);
  return { budget, limit, more: amount === 0 ? 0 : amount * (Math.floor(beyond / amount) + 1) };
}

function extend({ state, run }: Session, { budget, more }: BudgetQuestion, by: 'answer' | 'resume'): void {
  state.extended = spend(state.extended ?? NOTHING_SPENT, { [budget]: more });
  run.record({ type: 'budget-extended', budget, more, by });
}
