// Environment variables that code reads, directly or through its own functions and constants.
import { type CodeFacts, type CodeString, READ_VARIABLE } from './code-facts.ts';
import type { FoundNeed } from './code-host.ts';
import { lastName, plainName, reachOf } from './flow.ts';
import { isOwnVariable } from './variable.ts';

const SHOUTED = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*$/;
/** Arguments and keys whose value is the name of a variable. */
const NAMES_ONE =
  /^(?:env_?vars?|env_?names?|env_?keys?|api_?key_?env(?:_?var)?|token_?env|key_?env|env|requires?_?env|required_?env.*)$/i;
/** Functions of others that read a variable of the name they are given. */
const READERS =
  /^(?:get_?env|require_?env|env|need_?env|env_?var|get_?env_?var|read_?env|must_?env|load_?env_?var|getRequiredEnv|config|decouple\.config)$/i;

export function variablesInCode(facts: CodeFacts): FoundNeed[] {
  const reach = reachOf(facts, (callee) => callee === READ_VARIABLE || READERS.test(lastName(callee)));
  return facts.strings.flatMap((one): FoundNeed[] => {
    if (!isOwnVariable(one.text)) return [];
    const isRead = one.call === READ_VARIABLE;
    if (!isRead && !isGiven(one, reach.has(one))) return [];
    const how = isRead ? 'environment' : one.call || one.names.at(-1) || 'string';
    return [{ kind: 'variable', name: one.text, line: one.line, sure: 'literal', how }];
  });
}

function isGiven({ text, names, call }: CodeString, isReached: boolean): boolean {
  if (!SHOUTED.test(text) || call.startsWith('@')) return false;
  return (isReached && text.length > 3) || (NAMES_ONE.test(plainName(names.at(-1))) && text.includes('_'));
}
