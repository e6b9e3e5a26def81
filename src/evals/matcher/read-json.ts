// The JSON of an answer, with or without the fence that models like to put around it.
import { type Json, parseJson } from '../../base/json.ts';

export function readJson(text: string): Json | undefined {
  const fenced = /^\s*```(?:json)?\s*\n([\s\S]*?)\n\s*```\s*$/.exec(text)?.[1];
  try {
    return parseJson(fenced ?? text);
  } catch {
    return undefined;
  }
}
