// A call, understood: which skill at which digest, what is asked of policy, what a person would be shown, how it runs.
import { Fault } from '../base/errors.ts';
import type { Json } from '../base/json.ts';
import { visible } from '../base/text.ts';
import type { GrantedCall } from '../policy/grant.ts';
import type { Allowance, AskedCall, Policy } from '../policy/policy.ts';
import type { Tier } from '../process/order.ts';
import type { SkillEntry } from '../registry/discover.ts';
import { digestSkill } from '../skill/digest.ts';
import type { Call, RunCommand, RunScript } from './call.ts';
import type { Door } from './door.ts';

export const SCRIPT_SECONDS = 300;
export const COMMAND_SECONDS = 60;

/** What is started: a script of the skill by its interpreter, or a program by its name. */
export type Program =
  | { readonly script: string; readonly args: readonly string[] }
  | { readonly argv: readonly [string, ...string[]] };

export interface Work {
  readonly tool: 'run_script' | 'run_command';
  readonly skill?: SkillEntry;
  /** Of the skill's files as they are now; empty without a skill. */
  readonly digest: string;
  /** The whole of the arguments: an approval is bound to them. */
  readonly args: Json;
  /** One entry is one word, as a person is shown it. */
  readonly words: readonly string[];
  readonly asked: AskedCall;
  readonly granted: Pick<GrantedCall, 'action' | 'params' | 'script' | 'argv'>;
  readonly allowances: readonly Allowance[];
  readonly program: Program;
  readonly cwd: 'work' | 'project';
  readonly stdin?: string;
  readonly seconds: number;
  readonly secrets: readonly string[];
  readonly network: boolean;
  readonly writes: boolean;
}

export function understand(call: Call, door: Door): Work {
  switch (call.kind) {
    case 'run_script':
      return understandScript(call, door);
    case 'run_command':
      return understandCommand(call, door);
  }
}

/** The policy of this very call. */
export function policyOf(work: Work, door: Door, tier: Tier): Policy {
  return { ...door.policy, skills: work.allowances, tier, places: door.places };
}

function understandScript(call: RunScript, door: Door): Work {
  const skill = door.resolve(call.skill, call.source);
  const script = checkScript(call.script, skill);
  const { network, writes } = wishes(call, skill);
  return {
    tool: 'run_script',
    skill,
    digest: digestSkill(skill.folder).digest,
    args: { script, args: [...call.args], stdin: call.stdin ?? null, secrets: secretsOf(skill) },
    words: [script, ...call.args, ...secretWords(skill)],
    asked: { tool: 'run_script', argv: [script, ...call.args], network, writes },
    granted: { script, argv: call.args },
    allowances: [allowanceOf(skill)],
    program: { script, args: call.args },
    cwd: 'work',
    ...(call.stdin !== undefined && { stdin: call.stdin }),
    seconds: secondsFor(call, skill, SCRIPT_SECONDS, door),
    secrets: secretsOf(skill),
    network,
    writes,
  };
}

function understandCommand(call: RunCommand, door: Door): Work {
  const [program, ...words] = call.argv;
  if (program === undefined || program === '') throw new Fault('InvalidArgs', { en: 'no program', zh: '缺少程序名' });
  const skill = call.skill === undefined ? undefined : door.resolve(call.skill, call.source);
  const active = skill ? [skill] : (call.active ?? []).map((name) => door.resolve(name));
  const { network, writes } = wishes(call, skill);
  return {
    tool: 'run_command',
    ...(skill && { skill }),
    digest: skill ? digestSkill(skill.folder).digest : '',
    args: { argv: [...call.argv] },
    words: call.argv,
    asked: { tool: 'run_command', argv: call.argv, network, writes },
    granted: { argv: call.argv },
    allowances: active.map(allowanceOf),
    program: { argv: [program, ...words] },
    cwd: 'project',
    seconds: secondsFor(call, skill, COMMAND_SECONDS, door),
    secrets: [],
    network,
    writes,
  };
}

/** Only what an author put there to be run: a file under scripts/, or the one that `entry` names. */
function checkScript(script: string, skill: SkillEntry): string {
  const plain = script.replace(/^\.\//, '');
  const steps = plain.split('/');
  const isPlain =
    !/[\\\0]/.test(plain) &&
    !plain.startsWith('/') &&
    !steps.some((step) => step === '' || step === '.' || step === '..');
  const isMeant = steps[0] === 'scripts' || plain === skill.manifest.entry?.replace(/^\.\//, '');
  if (isPlain && isMeant) return plain;
  const shown = visible(script);
  throw new Fault('PathBlocked', {
    en: `${shown} is not a script of ${skill.name}`,
    zh: `${shown} 不是 ${skill.name} 的脚本`,
  });
}

function wishes(call: Call, skill: SkillEntry | undefined): { network: boolean; writes: boolean } {
  return { network: call.network ?? skill?.manifest.network ?? false, writes: call.writes ?? false };
}

function allowanceOf({ name, manifest }: SkillEntry): Allowance {
  return { name, network: manifest.network, ...(manifest.allowedTools && { allowedTools: manifest.allowedTools }) };
}

// A skill and a caller can only lower the time; the user's own limit caps everything.
function secondsFor(call: Call, skill: SkillEntry | undefined, usual: number, door: Door): number {
  const wanted = [call.timeoutSeconds, skill?.manifest.timeout].filter((seconds) => seconds !== undefined);
  const allowed = call.kind === 'run_script' ? Math.max(usual, skill?.manifest.timeout ?? 0) : usual;
  return Math.min(door.limits.timeoutSeconds, allowed, ...wanted);
}

function secretsOf({ manifest }: SkillEntry): string[] {
  return [...(manifest.secrets ?? [])];
}

function secretWords(skill: SkillEntry): string[] {
  return secretsOf(skill).map((name) => `secret: ${name}`);
}
