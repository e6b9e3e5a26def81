// Types that nobody can import by their name, and that the types of the library are made of: found through its imports.
import path from 'node:path';
import { isNode, readSources, type SourceFile, type SyntaxNode } from '../source-tree.ts';
import type { Exported } from './exported.ts';

export interface TypeBehind {
  readonly name: string;
  readonly file: string;
  readonly code: string;
}

/** Of these rooms a program needs to know every type; of the others, what stands beside an export in its file. */
const WHOLE = /^src\/(?:app\/library|model|adapter)\//;
const TYPES = new Set(['TSInterfaceDeclaration', 'TSTypeAliasDeclaration']);

export function typesBehind(root: string, exported: readonly Exported[]): TypeBehind[] {
  const sources = new Map(readSources(root).map((source) => [source.file, source]));
  const reached = new Set(exported.map(({ file, local }) => keyOf(file, local)));
  const found: TypeBehind[] = [];
  const { whole = [], loose = [] } = Object.groupBy(exported, ({ file }) => (WHOLE.test(file) ? 'whole' : 'loose'));
  // The last one is followed first: what is reached from both is followed as of those that need all of it.
  const open = [
    ...loose.map(({ file, code }) => ({ file, code, isWhole: false })),
    ...whole.map(({ file, code }) => ({ file, code, isWhole: true })),
  ];
  for (let next = open.pop(); next; next = open.pop()) {
    const { isWhole } = next;
    const source = sources.get(next.file);
    for (const name of source ? typeNames(next.code) : []) {
      const place = source && placeOf(source, name);
      if (!place || (!isWhole && place.file !== source.file)) continue;
      if (reached.has(keyOf(place.file, place.name))) continue;
      reached.add(keyOf(place.file, place.name));
      const type = declarationOf(sources.get(place.file), place.name);
      if (!type) continue;
      found.push(type);
      open.push({ ...type, isWhole });
    }
  }
  return found.sort((a, b) => (keyOf(a.name, a.file) < keyOf(b.name, b.file) ? -1 : 1));
}

/** Words with a capital outside of comments and texts: what is no type has no declaration. */
function typeNames(code: string): Iterable<string> {
  return new Set(code.replace(/\/\*[\s\S]*?\*\/|'[^'\n]*'/g, '').match(/\b[A-Z]\w*\b/g));
}

/** Where a file has a name from: an import, else itself. */
function placeOf({ file, nodes }: SourceFile, name: string): Pick<TypeBehind, 'name' | 'file'> | undefined {
  for (const { type, source, specifiers } of nodes) {
    if (type !== 'ImportDeclaration' || !isNode(source) || !Array.isArray(specifiers)) continue;
    const one: unknown = specifiers.find((each) => isNode(each) && isNode(each.local) && each.local.name === name);
    if (!isNode(one)) continue;
    const from = String(source.value);
    if (!from.startsWith('.') || !isNode(one.imported)) return undefined;
    return { name: String(one.imported.name), file: path.posix.join(path.posix.dirname(file), from) };
  }
  return { name, file };
}

function declarationOf(source: SourceFile | undefined, name: string): TypeBehind | undefined {
  const isIt = ({ type, id }: SyntaxNode) => TYPES.has(type) && isNode(id) && id.name === name;
  const node = source?.nodes.find(isIt);
  return source && node && { name, file: source.file, code: source.text.slice(node.start, node.end) };
}

function keyOf(...parts: readonly string[]): string {
  return parts.join('#');
}
