// Groups of files that reach each other by their imports (Tarjan's strongly connected components).
import type { Import } from './source-tree.ts';

interface Walk {
  readonly next: ReadonlyMap<string, readonly string[]>;
  readonly index: Map<string, number>;
  readonly low: Map<string, number>;
  readonly stack: string[];
  readonly cycles: string[][];
}

/** Each cycle as its files, sorted; a file that imports itself is one, too. */
export function findCycles(imports: readonly Import[]): string[][] {
  const next = new Map<string, string[]>();
  for (const { from, to } of imports) next.set(from, [...(next.get(from) ?? []), to]);
  const walk: Walk = { next, index: new Map(), low: new Map(), stack: [], cycles: [] };
  for (const file of next.keys()) if (!walk.index.has(file)) visit(file, walk);
  return walk.cycles;
}

function visit(file: string, walk: Walk): void {
  const { next, index, low, stack, cycles } = walk;
  const own = index.size;
  index.set(file, own);
  low.set(file, own);
  stack.push(file);
  for (const to of next.get(file) ?? []) {
    if (!index.has(to)) visit(to, walk);
    if (stack.includes(to)) low.set(file, Math.min(low.get(file) ?? own, low.get(to) ?? own));
  }
  if (low.get(file) !== own) return;
  const group = stack.splice(stack.indexOf(file));
  if (group.length > 1 || next.get(file)?.includes(file)) cycles.push(group.sort());
}
