// One module of the tests as its declarations see each other: what stands at its top level, and what it imports.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isNode, parseSource, type SyntaxNode } from '../source-tree.ts';

/** A name of another module; '*' is all of it. */
export interface Imported {
  /** Below the root, or a package as it is called. */
  readonly from: string;
  readonly name: string;
}

export interface TestModule {
  readonly file: string;
  /** In the order of the text: a node stands before what it contains. */
  readonly nodes: readonly SyntaxNode[];
  readonly imports: ReadonlyMap<string, Imported>;
  /** The nodes that a name at the top level stands for; of a variable also the hooks that set it. */
  readonly declared: ReadonlyMap<string, readonly SyntaxNode[]>;
}

const HOOKS = new Set(['before', 'beforeEach']);

export function readModule(root: string, file: string): TestModule | undefined {
  const place = path.join(root, file);
  if (!file.endsWith('.ts') || !existsSync(place)) return undefined;
  const { nodes } = parseSource(file, readFileSync(place, 'utf8'));
  const statements = nodesIn(nodes[0]?.body);
  return { file, nodes, imports: importsIn(file, statements), declared: declaredIn(nodes, statements) };
}

export function nodesWithin({ nodes }: Pick<TestModule, 'nodes'>, { start, end }: SyntaxNode): SyntaxNode[] {
  return nodes.filter((node) => node.start >= start && node.end <= end);
}

/** The text of a string or a template; what a template puts in is `gap`. */
export function textOf(node: unknown, gap: string, quote = (text: string) => text): string | undefined {
  if (!isNode(node)) return undefined;
  if (node.type === 'Literal') return typeof node.value === 'string' ? quote(node.value) : undefined;
  if (node.type !== 'TemplateLiteral') return undefined;
  const parts = nodesIn(node.quasis).map(({ value }) => (value as { readonly cooked: string }).cooked);
  return parts.map(quote).join(gap);
}

export function nodesIn(value: unknown): SyntaxNode[] {
  return Array.isArray(value) ? value.filter(isNode) : [];
}

export function nameOf(node: unknown): string | undefined {
  return isNode(node) && typeof node.name === 'string' ? node.name : undefined;
}

function importsIn(file: string, statements: readonly SyntaxNode[]): Map<string, Imported> {
  const found = new Map<string, Imported>();
  for (const { source, specifiers, importKind, exportKind } of statements) {
    const given = textOf(source, '');
    if (given === undefined || (importKind ?? exportKind) === 'type') continue;
    const from = targetOf(file, given);
    for (const specifier of nodesIn(specifiers).filter((one) => one.importKind !== 'type')) {
      const local = nameOf(specifier.local) ?? '';
      // `export { local as name } from` is reached by its new name.
      if (specifier.type === 'ExportSpecifier') found.set(nameOf(specifier.exported) ?? '', { from, name: local });
      else found.set(local, { from, name: nameOf(specifier.imported) ?? '*' });
    }
  }
  return found;
}

export function targetOf(file: string, given: string): string {
  return given.startsWith('.') ? path.posix.join(path.posix.dirname(file), given) : given;
}

function declaredIn(nodes: readonly SyntaxNode[], statements: readonly SyntaxNode[]): Map<string, SyntaxNode[]> {
  const found = new Map<string, SyntaxNode[]>();
  const add = (name: string | undefined, node: SyntaxNode) => {
    if (name !== undefined) found.set(name, [...(found.get(name) ?? []), node]);
  };
  for (const statement of statements) {
    const declaration = isNode(statement.declaration) ? statement.declaration : statement;
    add(nameOf(declaration.id), declaration);
    for (const declarator of nodesIn(declaration.declarations))
      for (const name of boundBy({ nodes }, declarator.id)) add(name, declarator);
    for (const name of setByHook({ nodes }, statement)) add(name, statement);
  }
  return found;
}

/** The names a declaration binds, also where it takes a value apart. */
function boundBy(module: Pick<TestModule, 'nodes'>, target: unknown): string[] {
  if (!isNode(target)) return [];
  return nodesWithin(module, target).flatMap((node) => (node.type === 'Identifier' ? (nameOf(node) ?? []) : []));
}

function setByHook(module: Pick<TestModule, 'nodes'>, { type, expression, start, end }: SyntaxNode): string[] {
  if (type !== 'ExpressionStatement' || !isNode(expression) || !HOOKS.has(nameOf(expression.callee) ?? '')) return [];
  const inside = nodesWithin(module, { type, start, end });
  return inside.flatMap((node) => (node.type === 'AssignmentExpression' ? boundBy(module, node.left) : []));
}
