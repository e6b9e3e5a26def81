// The plan of a run: created with the first decision, replaced or patched afterwards, steps addressed by id.
import { Plan, type PlanOperation, type PlanUpdate } from '../model/action.ts';

export type PlanChange = { readonly ok: true; readonly plan: Plan } | { readonly ok: false; readonly problem: string };

/** Limits the user set; a plan may lower them, never raise them. */
export interface PlanLimits {
  readonly max_turns: number;
  readonly max_tool_calls: number;
  readonly max_script_runs: number;
}

export function changePlan(current: Plan | undefined, update: PlanUpdate, limits: PlanLimits): PlanChange {
  const next = update.mode === 'replace' ? { ok: true as const, plan: update.plan } : patchPlan(current, update.ops);
  return next.ok ? checkPlan(next.plan, limits) : next;
}

function patchPlan(current: Plan | undefined, operations: readonly PlanOperation[]): PlanChange {
  if (!current) return refuse('there is no plan yet; create one with mode "replace"');
  let draft: unknown = structuredClone(current);
  for (const operation of operations) {
    const applied = applyOperation(draft as Plan, operation);
    if (typeof applied === 'string') return refuse(`${operation.op} ${operation.path}: ${applied}`);
    draft = applied;
  }
  const checked = Plan.safeParse(draft);
  if (checked.success) return { ok: true, plan: checked.data };
  return refuse(checked.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '));
}

function applyOperation(plan: Plan, operation: PlanOperation): Plan | string {
  switch (operation.op) {
    case 'set':
      return setField(plan, operation.path.split('/').slice(1), operation.value);
    case 'add':
      return addItem(plan, operation);
    case 'remove':
      return removeItem(plan, operation.path.split('/').slice(1));
    case 'move':
      return moveStep(plan, operation);
  }
}

function setField(plan: Plan, [part = '', key = '', field = '']: string[], value: unknown): Plan | string {
  if ((part === 'goal' || part === 'assumptions') && key === '') return { ...plan, [part]: value } as Plan;
  if (part === 'constraints') return { ...plan, constraints: { ...plan.constraints, [key]: value } } as Plan;
  if (part === 'steps' && (field === 'title' || field === 'status')) {
    if (!hasStep(plan, key)) return `there is no step ${key}`;
    const steps = plan.steps.map((step) => (step.id === key ? { ...step, [field]: value } : step));
    return { ...plan, steps } as Plan;
  }
  return 'settable are /goal, /assumptions, /constraints/<name>, /steps/<id>/title and /steps/<id>/status';
}

function addItem(plan: Plan, { path, value, after }: PlanOperation & { op: 'add' }): Plan | string {
  if (path === '/assumptions') return { ...plan, assumptions: [...plan.assumptions, value as string] };
  if (after !== undefined && !hasStep(plan, after)) return `there is no step ${after}`;
  const at = after === undefined ? plan.steps.length : plan.steps.findIndex(({ id }) => id === after) + 1;
  return { ...plan, steps: plan.steps.toSpliced(at, 0, value as Plan['steps'][number]) };
}

function removeItem(plan: Plan, [part = '', key = '']: string[]): Plan | string {
  if (part === 'steps') {
    return hasStep(plan, key)
      ? { ...plan, steps: plan.steps.filter(({ id }) => id !== key) }
      : `there is no step ${key}`;
  }
  const index = Number(key);
  const exists = part === 'assumptions' && key !== '' && plan.assumptions[index] !== undefined;
  return exists
    ? { ...plan, assumptions: plan.assumptions.toSpliced(index, 1) }
    : 'removable are /steps/<id> and /assumptions/<index>';
}

function moveStep(plan: Plan, { path, after }: PlanOperation & { op: 'move' }): Plan | string {
  const id = path.replace(/^\/steps\//, '');
  const step = plan.steps.find((one) => one.id === id);
  if (!step) return `there is no step ${id}`;
  if (after === id || (after !== null && !hasStep(plan, after))) return `it cannot stand after ${after}`;
  const others = plan.steps.filter((one) => one.id !== id);
  const at = after === null ? 0 : others.findIndex((one) => one.id === after) + 1;
  return { ...plan, steps: others.toSpliced(at, 0, step) };
}

function checkPlan(plan: Plan, limits: PlanLimits): PlanChange {
  const ids = plan.steps.map(({ id }) => id);
  if (new Set(ids).size !== ids.length) return refuse('two steps have the same id');
  for (const name of ['max_turns', 'max_tool_calls', 'max_script_runs'] as const) {
    const wanted = plan.constraints[name];
    if (wanted !== undefined && wanted > limits[name])
      return refuse(`${name} may be lowered, not raised above ${limits[name]}`);
  }
  return { ok: true, plan };
}

function hasStep(plan: Plan, id: string): boolean {
  return plan.steps.some((step) => step.id === id);
}

function refuse(problem: string): { ok: false; problem: string } {
  return { ok: false, problem };
}
