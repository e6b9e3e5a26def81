// The shape of the source in numbers, by its syntax trees: sizes, cycles, names. None may be worse than its goal; the
// places that make it so are named.
import { globSync } from 'node:fs';
import path from 'node:path';
import { findCycles } from './import-cycle.ts';
import { importsOf, isNode, readSources, type SourceFile, type SyntaxNode } from './source-tree.ts';

export interface Count {
  readonly title: string;
  readonly goal: number;
  readonly found: number;
  /** What makes up the number, the worst first. */
  readonly places: readonly string[];
}

const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);
const TYPES = new Set(['TSInterfaceDeclaration', 'TSTypeAliasDeclaration', 'TSEnumDeclaration', 'ClassDeclaration']);

if (import.meta.main) main(path.dirname(import.meta.dirname));

function main(root: string): void {
  const counts = measureShape(root);
  process.stdout.write(renderCounts(counts));
  for (const { title, found, goal, places } of counts) {
    if (found <= goal) continue;
    process.stdout.write(`✖ ${title}: ${found}, and no more than ${goal} are allowed\n  ${places.join('\n  ')}\n`);
    process.exitCode = 1;
  }
}

export function measureShape(root: string): Count[] {
  const sources = readSources(root);
  const tests = globSync('test/**/*.{ts,pl,sh,json}', { cwd: root, exclude: ['test/fixtures/**'] });
  return [
    ...countFolders(sources),
    most('test files in a folder', 25, sizes(tests)),
    ...countLines(sources),
    ...countFunctions(sources),
    countTwins(sources),
    ...countCycles(sources),
    countLoopholes(sources),
    all(
      'loose files in src/',
      2,
      sources.map(({ file }) => file).filter((file) => file.split('/').length === 2),
    ),
  ];
}

function countFolders(sources: readonly SourceFile[]): Count[] {
  const folders = sizes(sources.map(({ file }) => file));
  return [median('source files in a folder', 12, folders), most('source files in a folder', 25, folders)];
}

function countLines(sources: readonly SourceFile[]): Count[] {
  const files = sources.map(({ file, text }) => ({ place: file, size: linesOf(text) }));
  return [median('lines of a file', 90, files), most('lines of a file', 320, files)];
}

function countFunctions(sources: readonly SourceFile[]): Count[] {
  const functions = sources.flatMap((source) =>
    source.nodes
      .filter(({ type }) => FUNCTIONS.has(type))
      .map((node) => ({ place: placeOf(source, node), size: lengthOf(source, node) })),
  );
  const over = (limit: number) =>
    ranked(functions.filter(({ size }) => size > limit)).map(({ place, size }) => `${place}: ${size} lines`);
  return [all('functions over 60 lines', 4, over(60)), all('functions over 100 lines', 0, over(100))];
}

/** Of two exported types with one name, a reader cannot tell which is meant. */
function countTwins(sources: readonly SourceFile[]): Count {
  const declared = sources.flatMap(({ file, nodes }) => exportedTypes(nodes).map((name) => ({ name, file })));
  const twins = [...Map.groupBy(declared, ({ name }) => name)].filter(([, those]) => those.length > 1);
  const places = twins.map(([name, those]) => `${name}: ${those.map(({ file }) => file).join(', ')}`);
  return all('exported type names declared twice', 0, places);
}

function exportedTypes(nodes: readonly SyntaxNode[]): string[] {
  return nodes.flatMap(({ type, declaration }) => {
    if (type !== 'ExportNamedDeclaration' || !isNode(declaration) || !TYPES.has(declaration.type)) return [];
    return isNode(declaration.id) && typeof declaration.id.name === 'string' ? [declaration.id.name] : [];
  });
}

/** Imports on demand do not count: whoever loads a file later has begun already. */
function countCycles(sources: readonly SourceFile[]): Count[] {
  const imports = sources.flatMap(importsOf).filter(({ kind }) => kind !== 'dynamic');
  const cycles = (some: typeof imports) => findCycles(some).map((files) => files.join(' ↔ '));
  return [
    all('cycles of value imports', 0, cycles(imports.filter(({ kind }) => kind === 'value'))),
    all('cycles of value and type imports', 0, cycles(imports)),
  ];
}

/** Where the compiler was told to look away. */
function countLoopholes(sources: readonly SourceFile[]): Count {
  const isLoophole = ({ type, definite }: SyntaxNode) =>
    type === 'TSAnyKeyword' || type === 'TSNonNullExpression' || definite === true;
  const places = sources.flatMap((source) => source.nodes.filter(isLoophole).map((node) => placeOf(source, node)));
  return all('any and !', 0, places);
}

interface Sized {
  readonly place: string;
  readonly size: number;
}

function sizes(files: readonly string[]): Sized[] {
  return [...Map.groupBy(files, (file) => path.dirname(file))].map(([place, inside]) => ({
    place,
    size: inside.length,
  }));
}

function ranked(things: readonly Sized[]): Sized[] {
  return things.toSorted((a, b) => b.size - a.size);
}

function median(title: string, goal: number, things: readonly Sized[]): Count {
  const sorted = ranked(things);
  return { title: `${title}, median`, goal, found: sorted[Math.floor(sorted.length / 2)]?.size ?? 0, places: [] };
}

function most(title: string, goal: number, things: readonly Sized[]): Count {
  const sorted = ranked(things);
  const places = sorted.filter(({ size }) => size > goal).map(({ place, size }) => `${place}: ${size}`);
  return { title: `${title}, most`, goal, found: sorted[0]?.size ?? 0, places };
}

function all(title: string, goal: number, places: readonly string[]): Count {
  return { title, goal, found: places.length, places };
}

function linesOf(text: string): number {
  return text.split('\n').length - 1;
}

function lengthOf({ text }: SourceFile, { start, end }: SyntaxNode): number {
  return text.slice(start, end).split('\n').length;
}

function placeOf({ file, text }: SourceFile, { start }: SyntaxNode): string {
  return `${file}:${text.slice(0, start).split('\n').length}`;
}

function renderCounts(counts: readonly Count[]): string {
  const rows = counts.map(({ title, found, goal }) => {
    const note = found <= goal ? '' : 'over';
    return `${title.padEnd(38)} ${String(found).padStart(5)} ${`≤ ${goal}`.padStart(6)}  ${note}`.trimEnd();
  });
  return `${'shape of src/'.padEnd(38)} ${'now'.padStart(5)} ${'goal'.padStart(6)}\n${rows.join('\n')}\n`;
}
