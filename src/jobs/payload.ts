// The payload of a job as the queue stores it: one action of a skill, or a prompt for the agent.
import { Fault } from '../base/errors.ts';
import { isRecord, type Json, parseJson } from '../base/json.ts';
import { visible } from '../base/text.ts';
import { type Digest, isDigest } from '../base/value/digest.ts';
import { isListOf } from '../base/value/shape.ts';

export type JobTarget =
  | {
      readonly skill: string;
      readonly action: string;
      readonly params: Readonly<Record<string, Json>>;
      /** The lock entries of its packages, for a job that is pinned: only with these. */
      readonly environments?: readonly Digest[];
    }
  | { readonly prompt: string };

const SHOWN = 60;

export function writePayload(target: JobTarget): string {
  return JSON.stringify(target);
}

/** Throws a Fault for anything else. */
export function readPayload(text: string): JobTarget {
  const target = payloadIfOurs(text);
  if (target) return target;
  throw new Fault('InvalidJson', { en: 'the job is not one of ours', zh: '任务内容无法识别' });
}

/** A job that cannot be run can still be shown. */
export function payloadIfOurs(text: string): JobTarget | undefined {
  const value = jsonIn(text);
  if (!isRecord(value)) return undefined;
  const { prompt, skill, action, params, environments } = value;
  if (typeof prompt === 'string') return { prompt };
  if (typeof skill !== 'string' || typeof action !== 'string' || !isRecord(params)) return undefined;
  if (environments === undefined) return { skill, action, params };
  return isDigests(environments) ? { skill, action, params, environments } : undefined;
}

const isDigests = isListOf(isDigest);

function jsonIn(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** `role/skill`; the skill alone where no role asked for it. */
export function nameSkill(role: string, skill: string): string {
  return role === '' ? skill : `${role}/${skill}`;
}

/** For people: `role/skill action`, or the beginning of the prompt. */
export function nameTarget(role: string, target: JobTarget): string {
  if (!('prompt' in target)) return `${nameSkill(role, target.skill)} ${target.action}`.trimEnd();
  const words = visible(target.prompt.replace(/\s+/g, ' ').trim());
  return `${role}: ${words.length > SHOWN ? `${words.slice(0, SHOWN)}…` : words}`;
}
