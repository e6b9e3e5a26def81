// What policy is asked about a call: the call itself, and what it has beyond its sandbox where that decides.
import type { Beyond } from '../../policy/asking.ts';
import { kindsOf, NO_REACH } from '../../policy/consent/reach.ts';
import type { AskedCall, Policy } from '../../policy/policy.ts';
import { type Consent, isOwnCode } from '../consent/consent.ts';
import type { Door } from '../door.ts';
import { isFromElsewhere, nameProgram } from '../named-program.ts';
import type { CallEffect, Work } from '../work.ts';

/** A call with what a person's grants let it reach. */
export interface ConsentedWork {
  readonly work: CallEffect | Work;
  readonly consent: Consent;
}

/** Which program it is, or which interpreter, is found out only where a list asks for it: for that a file is read. */
export async function askedOf(call: ConsentedWork, policy: Policy, door: Door): Promise<AskedCall> {
  const { work } = call;
  const asked = policy.effectsOnly === undefined ? work.asked : await withReach(call, door);
  if (!('program' in work)) return asked;
  const isNamed = namesPrograms(policy) || ('script' in work.program && hasPatterns(policy));
  const program = isNamed ? nameProgram(work.program, work.skill?.folder, door) : undefined;
  return program === undefined ? asked : { ...asked, program };
}

/** What it has beyond its sandbox, looked for only where that decides whether somebody is asked. */
async function withReach({ work, consent }: ConsentedWork, door: Door): Promise<AskedCall> {
  const { asked, skill, digest } = work;
  const beyond = 'program' in work ? beyondOf(work, consent, door) : [];
  const finding = skill !== undefined && digest !== '' && (await door.hasGraveFinding(skill, digest));
  return { ...asked, ...(beyond.length > 0 && { beyond }), ...(finding && { finding }) };
}

/** A text that only names the skill is let reach nothing where nobody says yes to it. */
function beyondOf(work: Work, consent: Consent, door: Door): Beyond[] {
  const declared: Beyond[] = work.secrets.length > 0 ? ['variables'] : [];
  const elsewhere: Beyond[] = isFromElsewhere(work.program, door) ? ['program'] : [];
  return [...new Set([...kindsOf(isOwnCode(work) ? consent.reach : NO_REACH), ...declared, ...elsewhere])];
}

function namesPrograms({ settings, project, caller }: Policy): boolean {
  return [settings, project, caller].some((layer) => layer?.programs !== undefined);
}

function hasPatterns({ role, skills = [], runtime }: Policy): boolean {
  const rules = [role, runtime, ...skills].flatMap((list) => list?.allowedTools ?? []);
  return rules.some(({ pattern }) => pattern !== undefined);
}
