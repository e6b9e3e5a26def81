// Finds where a bag of functions is spread: a copy keeps functions that act for the original, and runs its getters.
// A bag is a type with at least two functions that have to be there: a port, a runtime, a door. Optional callbacks make none.
import { isNode, type SourceFile } from '../../scripts/source-tree.ts';
import { type Typed, Types, visitTyped } from './declared-type.ts';

const FEWEST = 2;

/** Each as `file: ...what`. */
export function findBagSpreads(sources: readonly SourceFile[]): string[] {
  const isBag = (type: Typed) => {
    const functions = [...types.members(type).values()].filter(({ isFunction, optional }) => isFunction && !optional);
    return functions.length >= FEWEST;
  };
  // What most parameters of that name are.
  const types = new Types(sources, (_name, declared) => {
    const bags = declared.filter(isBag);
    return bags.length * 2 > declared.length ? bags[0] : undefined;
  });
  const found: string[] = [];
  visitTyped(sources, types, ({ file, node, typeOf, textOf }) => {
    if (node.type !== 'ObjectExpression' || !Array.isArray(node.properties)) return;
    for (const part of node.properties.filter(isNode)) {
      const type = part.type === 'SpreadElement' ? typeOf(part.argument) : undefined;
      if (type && isBag(type)) found.push(`${file}: ${textOf(part)}`);
    }
  });
  return found;
}
