// The contract between core and model: exactly one action a turn, and an optional change of the plan.
import { z } from 'zod';
import { SOURCES } from '../skill/skill.ts';

/** What a model may say beside its text: that it waits for the user and for what, or that it gives up and why. */
export interface Aside {
  readonly pending?: Readonly<Record<string, unknown>>;
  readonly failed?: Readonly<Record<string, unknown>>;
}

const SkillRef = z
  .union([z.string().min(1), z.strictObject({ name: z.string().min(1), source: z.enum(SOURCES).optional() })])
  .transform((skill) => (typeof skill === 'string' ? { name: skill } : skill))
  .describe('A skill by name, with its source where several have that name.');

const SelectSkills = z.strictObject({
  type: z.literal('select_skills'),
  skills: z.array(SkillRef).min(1).describe('The skills whose instructions you want to read.'),
  reason: z.string().min(1).describe('Why these.'),
});

const LoadResource = z.strictObject({
  type: z.literal('load_resource'),
  skill: SkillRef,
  relative_path: z.string().min(1).describe('One text file inside the skill folder.'),
  section_hint: z.string().optional().describe('The heading of the one section you need.'),
});

const RunScript = z.strictObject({
  type: z.literal('run_script'),
  skill: SkillRef,
  relative_path: z.string().min(1).describe('A script of the skill, such as scripts/run.py.'),
  args: z.array(z.string()).default([]),
  stdin: z.string().optional().describe('What the script reads from standard input.'),
});

const InvokeSkill = z.strictObject({
  type: z.literal('invoke_skill'),
  skill: SkillRef,
  action: z.string().min(1).optional().describe('The action, for skills that have actions.'),
  params: z.record(z.string(), z.unknown()).default({}),
});

const UseTool = z.strictObject({
  type: z.literal('use_tool'),
  tool: z.string().min(1),
  args: z.record(z.string(), z.unknown()).default({}),
  skill: SkillRef.optional().describe('The skill on whose behalf the tool is used.'),
});

const SearchSkills = z.strictObject({
  type: z.literal('search_skills'),
  query: z.string().min(1),
});

const FinalAnswer = z.strictObject({
  type: z.literal('final_answer'),
  content: z.string(),
});

export const Action = z.discriminatedUnion('type', [
  SelectSkills,
  LoadResource,
  RunScript,
  InvokeSkill,
  UseTool,
  SearchSkills,
  FinalAnswer,
]);
export type Action = z.output<typeof Action>;
export type ActionType = Action['type'];

export const STEP_STATUSES = ['pending', 'in_progress', 'completed', 'failed', 'skipped'] as const;

const Step = z.strictObject({
  id: z.string().min(1).max(64),
  title: z.string().min(1),
  status: z.enum(STEP_STATUSES).default('pending'),
});

export const Plan = z.strictObject({
  goal: z.string().min(1),
  steps: z.array(Step).min(1).max(50),
  assumptions: z.array(z.string()).default([]),
  constraints: z
    .strictObject({
      max_turns: z.int().positive().optional(),
      max_tool_calls: z.int().nonnegative().optional(),
      max_script_runs: z.int().nonnegative().optional(),
    })
    .default({}),
});
export type Plan = z.output<typeof Plan>;

export const PlanOperation = z.discriminatedUnion('op', [
  z.strictObject({ op: z.literal('set'), path: z.string(), value: z.unknown() }),
  z.strictObject({
    op: z.literal('add'),
    path: z.enum(['/steps', '/assumptions']),
    value: z.unknown(),
    after: z.string().optional(),
  }),
  z.strictObject({ op: z.literal('remove'), path: z.string() }),
  z.strictObject({ op: z.literal('move'), path: z.string(), after: z.string().nullable() }),
]);
export type PlanOperation = z.output<typeof PlanOperation>;

export const PlanUpdate = z.discriminatedUnion('mode', [
  z.strictObject({ mode: z.literal('replace'), plan: Plan }),
  z.strictObject({ mode: z.literal('patch'), ops: z.array(PlanOperation).min(1).max(100) }),
]);
export type PlanUpdate = z.output<typeof PlanUpdate>;

export const Decision = z.strictObject({
  action: Action,
  plan_update: PlanUpdate.optional(),
});
export type Decision = z.output<typeof Decision>;

/** The contract as JSON Schema, for models and for readers. */
export function decisionSchemas(): Record<'decision' | 'actions' | 'plan', Readonly<Record<string, unknown>>> {
  const asSchema = (schema: z.ZodType) => z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return { decision: asSchema(Decision), actions: asSchema(Action), plan: asSchema(Plan) };
}
