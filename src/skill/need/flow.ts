// Which strings reach a call of some kind, through names, records, parameters and results of functions; scopes are not told apart.
import type { CodeFacts, CodeString } from './code-facts.ts';

/** The last part of a path of names. */
export function lastName(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}

/** Without the mark of a key. */
export function plainName(name = ''): string {
  return name.startsWith(':') ? name.slice(1) : name;
}

export interface ReachedStrings {
  /** Whether the string is an argument of such a call, or a name it is given to ends in one. */
  has(string: CodeString): boolean;
}

const MOST_ROUNDS = 12;

/** `isSink` says of a call and its argument whether it is one of those; -1 is an argument given by its name. */
export function reachOf(facts: CodeFacts, isSink: (callee: string) => boolean): ReachedStrings {
  const names = new Set<string>();
  const sinks = new Map<string, Set<number>>();
  const made = Map.groupBy(facts.assigns, ({ name }) => name);
  const isInto = (callee: string, at: number) => isSink(callee) || sinks.get(lastName(callee))?.has(at) === true;
  for (let round = 0, before = -1; round < MOST_ROUNDS && names.size + sinks.size !== before; round++) {
    before = names.size + sinks.size;
    for (const { callee, args, keys } of facts.calls)
      args.forEach((mentioned, at) => {
        const byKey = at >= args.length - keys.length;
        if (isInto(callee, byKey ? -1 : at)) for (const name of mentioned) names.add(name);
      });
    for (const name of names) for (const { from } of made.get(name) ?? []) for (const one of from) names.add(one);
    for (const { name, params } of facts.functions) addParameters(sinks, name, params, names);
  }
  return {
    has: ({ call, at, names: given }) => isInto(call, at) || given.some((name) => names.has(name)),
  };
}

function addParameters(
  sinks: Map<string, Set<number>>,
  name: string,
  params: readonly string[],
  names: ReadonlySet<string>,
): void {
  const places = params.flatMap((param, at) => (names.has(param) ? [at] : []));
  if (places.length === 0) return;
  const known = sinks.get(name) ?? new Set<number>();
  for (const at of places) known.add(at);
  known.add(-1);
  sinks.set(name, known);
}
