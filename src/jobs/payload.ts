// What a job does, as the queue keeps it: one action of a skill, or a prompt for the agent.
import { Fault } from '../base/errors.ts';
import { isRecord, type Json, parseJson } from '../base/json.ts';
import { visible } from '../base/text.ts';

export type JobTarget =
  | { readonly skill: string; readonly action: string; readonly params: Readonly<Record<string, Json>> }
  | { readonly prompt: string };

const SHOWN = 60;

export function writePayload(target: JobTarget): string {
  return JSON.stringify(target);
}

/** Throws a Fault for what is no payload of ours. */
export function readPayload(text: string): JobTarget {
  const value = parseJson(text);
  if (isRecord(value) && typeof value.prompt === 'string') return { prompt: value.prompt };
  if (isRecord(value) && typeof value.skill === 'string' && typeof value.action === 'string' && isRecord(value.params))
    return { skill: value.skill, action: value.action, params: value.params as Record<string, Json> };
  throw new Fault('InvalidJson', { en: 'the job is not one of ours', zh: '任务内容无法识别' });
}

/** For people: `role/skill action`, or how the prompt begins. */
export function nameTarget(role: string, target: JobTarget): string {
  if (!('prompt' in target)) return `${role}/${target.skill} ${target.action}`;
  const words = visible(target.prompt.replace(/\s+/g, ' ').trim());
  return `${role}: ${words.length > SHOWN ? `${words.slice(0, SHOWN)}…` : words}`;
}
