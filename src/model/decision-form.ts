// The shorter forms in which models write a decision: the action alone, under its name, or with a whole plan as the update.
import { isRecord, type Json } from '../base/json.ts';
import { Action } from './action.ts';

type Fields = Readonly<Record<string, Json>>;

const ACTION_TYPES: readonly string[] = Action.options.map((option) => option.shape.type.value);

/** The form the contract checks; what is none of the known forms stays as it is. Only the top level is looked at. */
export function fullForm(value: Json): Json {
  if (!isRecord(value)) return value;
  const { plan_update, ...rest } = value;
  const decision = 'action' in rest ? rest : (withAction(rest) ?? rest);
  return plan_update === undefined ? decision : { ...decision, plan_update: fullUpdate(plan_update) };
}

function withAction(fields: Fields): Fields | undefined {
  if (typeof fields.type === 'string') return { action: fields };
  const [[name, payload] = [], ...others] = Object.entries(fields);
  if (name === undefined || others.length > 0 || !ACTION_TYPES.includes(name) || !isRecord(payload)) return undefined;
  return 'type' in payload ? undefined : { action: { type: name, ...payload } };
}

function fullUpdate(update: Json): Json {
  const isPlan = isRecord(update) && 'steps' in update && !('mode' in update);
  return isPlan ? { mode: 'replace', plan: update } : update;
}
