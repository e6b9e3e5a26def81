// A call that comes back from a store: checked before anything is done with it. Loaded on demand: zod is not free.
import { z } from 'zod';
import { isRecord } from '../base/json.ts';
import { SOURCES } from '../skill/skill.ts';
import type { Call } from './call.ts';

const text = z.string().optional();
const flag = z.boolean().optional();
const words = z.array(z.string());
const values = z.record(z.string(), z.json());

const base = {
  context: z.object({ request_id: z.string(), agent_id: text, user_id: text }),
  ...{ role: text, from: text, network: flag, byPerson: flag },
  timeoutSeconds: z.number().positive().optional(),
};
const source = z.enum(SOURCES).optional();
const ofSkill = { ...base, skill: z.string(), source };
const ofAnySkill = { ...base, skill: text, source, active: words.optional() };

/** A kind of call without a shape does not compile. */
const SHAPES: Readonly<Record<Call['kind'], z.ZodType>> = {
  run_script: z.object({ ...ofSkill, script: z.string(), asModule: flag, args: words, stdin: text }),
  run_command: z.object({ ...ofAnySkill, argv: words }),
  run_shell: z.object({ ...ofAnySkill, script: z.string() }),
  invoke: z.object({ ...ofSkill, input: text, params: values }),
  call: z.object({ ...ofSkill, action: z.string(), params: values, stdin: text, isTrial: flag }),
  use_tool: z.object({ ...ofAnySkill, tool: z.string(), args: values, layered: flag }),
  use_server: z.object({ ...ofAnySkill, server: z.string(), tool: z.string(), args: values }),
  prepare: z.object({
    ...ofSkill,
    ecosystem: z.enum(['python', 'node']),
    wanted: words,
    locked: z.json().optional(),
    withoutScripts: flag,
    changes: words.optional(),
  }),
  run_worker: z.object({ ...base, interpreter: z.string(), script: z.string(), args: words, stdin: text, tag: text }),
};

export function isCall(value: unknown): value is Call {
  if (!isRecord(value)) return false;
  const shape = Object.entries(SHAPES).find(([kind]) => kind === value.kind)?.[1];
  return shape?.safeParse(value).success === true;
}
