// Variables of a shell script: which it sets itself, which of them stand for one text, and which come from its environment.
import type { SyntaxNode, Word } from 'unbash';
import { HOLE_START } from './host.ts';

export interface ShellVariables {
  /** What a name stands for, where it is set exactly once. */
  readonly values: ReadonlyMap<string, Word>;
  readonly assigned: ReadonlySet<string>;
}

interface Reading {
  readonly name: string;
  readonly pos: number;
  /** With a word for the case that it is not set. */
  readonly isGuarded: boolean;
  /** The variable that the value is for. */
  readonly into: string | undefined;
  readonly inFunction: boolean;
}

interface Visit {
  readonly sets: { readonly name: string; readonly pos: number; readonly value?: Word }[];
  readonly reads: Reading[];
}

type Each = (node: SyntaxNode, callback: (child: SyntaxNode) => void) => void;

const DECLARES = /^(?:local|declare|typeset|readonly|export)$/;

export function variablesInShell(
  script: SyntaxNode,
  { forEachChild }: { readonly forEachChild: Each },
): { variables: ShellVariables; read: { name: string; pos: number }[] } {
  const visit: Visit = { sets: [], reads: [] };
  collect(script, visit, forEachChild, { into: undefined, inFunction: false });
  const sets = Map.groupBy(visit.sets, ({ name }) => name);
  const values = new Map<string, Word>();
  for (const [name, all] of sets) if (all.length === 1 && all[0]?.value) values.set(name, all[0].value);
  const first = (name: string) => sets.get(name)?.[0]?.pos ?? Number.POSITIVE_INFINITY;
  const read = visit.reads.filter(({ name, pos, isGuarded, into, inFunction }) => {
    if (!sets.has(name)) return true;
    // `NAME="${NAME:-default}"`, and a look at it before the script sets it.
    return (into === name && isGuarded) || (pos < first(name) && !inFunction);
  });
  return { variables: { values, assigned: new Set(sets.keys()) }, read };
}

/** Whether a word is only known when it runs. */
export function isSetInside(word: string): boolean {
  return word.includes(HOLE_START);
}

interface Within {
  readonly into: string | undefined;
  readonly inFunction: boolean;
}

function collect(node: SyntaxNode, visit: Visit, each: Each, within: Within): void {
  const inside = step(node, visit, within);
  each(node, (child) => collect(child, visit, each, inside));
}

/** Sets of the node itself are noted behind it: its value is read before. */
function step(node: SyntaxNode, visit: Visit, within: Within): Within {
  switch (node.type) {
    case 'Function':
      return { ...within, inFunction: true };
    case 'Assignment': {
      const value = node.value.type === 'Word' ? { value: node.value } : {};
      visit.sets.push({ name: node.name, pos: node.end, ...value });
      return { ...within, into: node.name };
    }
    case 'For':
    case 'Select':
      visit.sets.push({ name: node.name.value, pos: node.pos });
      return within;
    case 'Command':
      noteCommand(node, visit);
      return within;
    case 'SimpleExpansion':
      visit.reads.push({ name: node.text.slice(1), pos: node.pos, isGuarded: false, ...within });
      return within;
    case 'ParameterExpansion': {
      const isGuarded = node.operation?.type === 'Default';
      if (node.prefix !== '!') visit.reads.push({ name: node.parameter, pos: node.pos, isGuarded, ...within });
      return within;
    }
    default:
      return within;
  }
}

function noteCommand(node: Extract<SyntaxNode, { type: 'Command' }>, visit: Visit): void {
  const name = node.name?.value ?? '';
  const words = node.args.flatMap((arg) => (arg.type === 'Word' ? [arg.value] : []));
  const set = (one: string) => visit.sets.push({ name: one, pos: node.pos });
  const names = words.filter((word) => /^[A-Za-z_]\w*$/.test(word));
  if (/^(?:read|mapfile|readarray|unset)$/.test(name) || (DECLARES.test(name) && name !== 'export')) names.forEach(set);
  if (name === 'getopts' && words[1] !== undefined) set(words[1]);
  if (name === 'printf' && words[0] === '-v' && words[1] !== undefined) set(words[1]);
}
