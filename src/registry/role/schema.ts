// agent.yaml as people write it. Loaded only when a role is read: zod is not free.
import { z } from 'zod';
import zhCN from 'zod/v4/locales/zh-CN.js';
import { isRecord } from '../../base/json.ts';
import type { Text } from '../../base/language.ts';
import { nearest, visible } from '../../base/text.ts';
import { LABEL } from '../../store/queue.ts';

const NAME: Text = { en: 'letters, digits, - and _ are expected', zh: '须为字母、数字、- 与 _' };
const LABEL_SHAPE: Text = { en: 'letters, digits, dots, - and _ are expected', zh: '须为字母、数字、点、- 与 _' };
const VARIABLE: Text = { en: 'the name of an environment variable is expected', zh: '须为环境变量名' };

const name = z.string().regex(/^[\p{L}\p{N}_][\p{L}\p{N}_-]{0,63}$/u, NAME.en);
const text = z.string().max(10_000);
const variable = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, VARIABLE.en);

const roleSkill = z.strictObject({
  name,
  entry: z.string().min(1).max(1024).optional().describe('relative to the folder of the role'),
  description: text.optional(),
  timeout: z.number().positive().max(86_400).optional().describe('seconds'),
  network: z.boolean().optional(),
  deterministic: z.boolean().optional(),
  secrets: z.array(variable).optional().describe('those of the role unless given'),
  actions: z.unknown().optional().describe('as actions of a skill'),
});

const duration = z.union([z.string(), z.number()]).describe("seconds, or with a unit: '90s', '15m', '6h', '1d'");
const misfire = z.enum(['skip', 'once', 'all']);

const schedule = z.strictObject({
  id: name.optional(),
  name: text.optional(),
  cron: text.optional(),
  interval: duration.optional(),
  at: z.union([z.string(), z.array(z.string())]).optional(),
  timezone: text.optional(),
  skill: text.optional(),
  action: text.optional(),
  params: z.record(z.string(), z.unknown()).optional(),
  prompt: text.optional(),
  enabled: z.boolean().optional(),
  retry: z
    .union([
      z.int().min(0).max(100),
      z.strictObject({
        limit: z.int().min(0).max(100).optional(),
        delay: duration.optional(),
        max: duration.optional(),
      }),
    ])
    .optional(),
  overlap: z.enum(['skip', 'queue', 'parallel']).optional(),
  misfire: z
    .union([misfire, z.strictObject({ mode: misfire.optional(), limit: z.int().min(1).max(10_000).optional() })])
    .optional(),
  jitter: duration.optional(),
  follow: z
    .union([z.enum(['pinned', 'latest']), z.boolean()])
    .optional()
    .describe('true is latest'),
  timeout: z.number().positive().max(86_400).optional().describe('seconds'),
  labels: z
    .array(z.string().regex(LABEL, LABEL_SHAPE.en))
    .max(20)
    .optional()
    .describe('only a worker that has all of these takes it'),
});

const role = z.strictObject({
  name: text.optional(),
  role: text.optional(),
  title: text.optional(),
  description: text.optional(),
  version: z.union([z.string(), z.number()]).optional(),
  author: text.optional(),
  model: z.unknown().optional(),
  enabled: z.boolean().optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
  skills: z.array(z.union([name, roleSkill])).optional(),
  schedule: z.array(schedule).optional(),
  secrets: z.array(variable).optional(),
  allowed_tools: z.unknown().optional().describe('as allowed-tools of a skill'),
  max_turns: z.int().positive().optional(),
});

export function roleJsonSchema(): Record<string, unknown> {
  return z.toJSONSchema(role, { io: 'input' });
}

export type RoleFile = z.infer<typeof role>;
export type ScheduleEntry = z.infer<typeof schedule>;

export interface RoleIssue {
  /** The key the issue is about, to find its line. */
  readonly key: string;
  readonly message: Text;
  readonly fix?: Text;
}

export function checkRole(
  value: unknown,
): { readonly role: RoleFile } | { readonly issues: readonly [RoleIssue, ...RoleIssue[]] } {
  const checked = role.safeParse(value);
  if (checked.success) return { role: checked.data };
  const [first, ...more] = checked.error.issues.flatMap((issue) => explain(issue, value));
  return { issues: [first ?? { key: '', message: { en: 'cannot be read', zh: '无法读取' } }, ...more] };
}

function explain(issue: z.core.$ZodIssue, value: unknown): RoleIssue[] {
  const place = issue.path.join('.');
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => {
      const [near] = nearest(key, knownKeys(issue.path));
      const message = {
        en: visible(`unknown key ${key}${place === '' ? '' : ` in ${place}`}`),
        zh: visible(`未知的键 ${key}${place === '' ? '' : `（${place}）`}`),
      };
      if (near === undefined) return { key, message };
      return { key, message, fix: { en: `did you mean ${near}?`, zh: `您是否想写 ${near}？` } };
    });
  }
  if (issue.code === 'invalid_union') {
    // A map was meant as a map: an error inside it is more useful than "neither of two".
    const inner = isRecord(valueAt(value, issue.path)) ? issue.errors.at(-1) : issue.errors[0];
    return (inner ?? []).flatMap((one) => explain({ ...one, path: [...issue.path, ...one.path] }, value));
  }
  const key = String(issue.path.findLast((step) => typeof step === 'string') ?? '');
  const message = {
    en: visible(`${place || 'the file'}: ${issue.message}`),
    zh: visible(`${place || '文件'}: ${inChinese(issue, valueAt(value, issue.path))}`),
  };
  return [{ key, message }];
}

const { localeError } = zhCN();

/** Our own message, or that of the schema library. */
function inChinese(issue: z.core.$ZodIssue, input: unknown): string {
  const own = [NAME, LABEL_SHAPE, VARIABLE].find(({ en }) => en === issue.message);
  const said = own?.zh ?? localeError({ ...issue, input } as z.core.$ZodRawIssue) ?? issue.message;
  return typeof said === 'string' ? said : said.message;
}

function knownKeys([part]: readonly PropertyKey[]): string[] {
  if (part === 'skills') return Object.keys(roleSkill.shape);
  return Object.keys(part === 'schedule' ? schedule.shape : role.shape);
}

function valueAt(value: unknown, at: readonly PropertyKey[]): unknown {
  let part = value;
  for (const key of at) part = isRecord(part) || Array.isArray(part) ? Reflect.get(part, key) : undefined;
  return part;
}
