// The state of a run as it comes back from its record: checked before anything goes on from it.
import { z } from 'zod';
import type { TextRef } from '../../audit/event.ts';
import { Fault } from '../../base/errors.ts';
import type { Json } from '../../base/json.ts';
import { Decision, Plan } from '../../model/action.ts';
import { SOURCES } from '../../skill/skill.ts';
import { isSkillId, type SkillId } from '../../skill/skill-id.ts';
import type { Budget } from '../budget.ts';
import type { LoadedSkill, RunState } from '../run-state.ts';

const text = z.string();
const texts = z.array(text);
const count = z.number();
const id = z.custom<SkillId>(isSkillId);

const SavedBudget: z.ZodType<Budget> = z.object({
  turns: count,
  tool_calls: count,
  script_runs: count,
  tokens: count,
  seconds: count,
  cost: count,
});

const SkillLimits = z.object({
  turns: count.exactOptional(),
  tool_calls: count.exactOptional(),
  script_runs: count.exactOptional(),
  tokens: count.exactOptional(),
  seconds: count.exactOptional(),
  cost: count.exactOptional(),
});

const SavedSkill: z.ZodType<LoadedSkill> = z.object({
  skill_id: id,
  name: text,
  source: z.enum(SOURCES),
  folder: text,
  sha256: text,
});

const SavedObservation = z.object({
  turn: count,
  of: text,
  state: text,
  text,
  cut: z.boolean(),
  ref: text.exactOptional(),
  at: z.tuple([count, count]).exactOptional(),
  sha256: text,
});

const SavedRule = z.object({ tool: text, pattern: text.exactOptional() });

const SavedText: z.ZodType<TextRef> = z.object({
  sha256: text,
  bytes: count,
  ref: text.exactOptional(),
  at: z.tuple([count, count]).exactOptional(),
  cut: z.boolean().exactOptional(),
});

const SavedRole = z.object({
  name: text,
  instructions: text.exactOptional(),
  allowed_tools: z.array(SavedRule).exactOptional(),
});

/** A field of the state without its shape does not compile. */
const SavedRun: z.ZodType<RunState> = z.object({
  request: z.object({
    text,
    normalized: text,
    named: z.array(id),
    source: z.enum(SOURCES).exactOptional(),
    input: text.exactOptional(),
    from: text.exactOptional(),
  }),
  model: text,
  role: SavedRole.exactOptional(),
  whereabouts: text.exactOptional(),
  servers: text.exactOptional(),
  skill_index: SavedText.exactOptional(),
  limits: SavedBudget,
  skill_limits: z.record(text, SkillLimits),
  extended: SavedBudget.exactOptional(),
  spent: SavedBudget,
  spent_by_skill: z.record(text, SavedBudget),
  plan: Plan.exactOptional(),
  loaded_skills: z.array(SavedSkill),
  observations: z.array(SavedObservation),
  forgotten: count,
  progress: z.object({ seen: texts, idle: count, failure: text, failures: count }),
  uncertain: z.array(z.object({ call: text, tool: text, skill: text.exactOptional(), args: text })),
  artifacts: texts,
  refused: z.enum(['tool_calls', 'script_runs']).exactOptional(),
  pending: Decision.exactOptional(),
  child: z.lazy(() => SavedRun).exactOptional(),
} satisfies Record<keyof RunState, z.ZodType>);

/** Throws a Fault for a state of another form, which an older or newer version may have written. */
export function readRunState(saved: Json, run: string): RunState {
  const read = SavedRun.safeParse(saved);
  if (read.success) return read.data;
  const field = read.error.issues[0]?.path.join('.') ?? '';
  throw new Fault(
    'StateUnusable',
    {
      en: `the state of ${run} has another form than expected (${field})`,
      zh: `${run} 的状态格式与预期不符 (${field})`,
    },
    {
      hint: {
        en: `Nothing was done. \`skillwright runs show ${run}\` tells what it did so far; start a new run for the rest.`,
        zh: `未执行任何操作。\`skillwright runs show ${run}\` 显示已完成的内容；其余请重新运行。`,
      },
    },
  );
}
