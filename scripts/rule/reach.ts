// What a piece of test code leads to, through the functions of its file and of the other test modules: a process of
// the command line, the public library, or modules nobody outside can call.
import type { SyntaxNode } from '../source-tree.ts';
import { nameOf, nodesWithin, readModule, type TestModule, targetOf, textOf } from './module.ts';

/** `package`: files of the package are read as they are shipped, and no code of it runs. */
export type Surface = 'cli' | 'library' | 'package' | 'inner';

/** What package.json exports, as sources. */
const PUBLIC_MODULES = new Set([
  'src/index.ts',
  'src/protocol/sdk/define-skill.ts',
  'skillwright',
  'skillwright/skill',
]);
const COMMAND_LINE = /(?:^|\/)(?:bin\.ts|cli\.cjs|\.bin)$/;
const SHIPPED = /(?:^|\/)(?:package\.json|docs|skills|[A-Z]+\.md|docs\/.*\.md|LICENSE)$/;

interface Facts {
  startsProcess: boolean;
  namesCommandLine: boolean;
  usesLibrary: boolean;
  usesInner: boolean;
  readsShipped: boolean;
}

export interface Reader {
  moduleOf(file: string): TestModule | undefined;
  surfaceOf(module: TestModule, node: SyntaxNode): Surface;
}

export function openReader(root: string): Reader {
  const modules = new Map<string, TestModule | undefined>();
  const moduleOf = (file: string) => {
    if (!modules.has(file)) modules.set(file, readModule(root, file));
    return modules.get(file);
  };
  return { moduleOf, surfaceOf: (module, node) => surfaceOf(factsOf(module, node, moduleOf)) };
}

function surfaceOf(facts: Facts): Surface {
  if (facts.startsProcess && facts.namesCommandLine) return 'cli';
  if (facts.usesLibrary) return 'library';
  return facts.readsShipped && !facts.usesInner ? 'package' : 'inner';
}

function factsOf(module: TestModule, node: SyntaxNode, moduleOf: Reader['moduleOf']): Facts {
  const facts = {
    startsProcess: false,
    namesCommandLine: false,
    usesLibrary: false,
    usesInner: false,
    readsShipped: false,
  };
  const seen = new Set<SyntaxNode>();
  visit(module, node);
  return facts;

  function visit(within: TestModule, piece: SyntaxNode): void {
    if (seen.has(piece)) return;
    seen.add(piece);
    const inside = nodesWithin(within, piece);
    for (const name of namesUsed(inside)) follow(within, name);
    for (const one of inside) {
      const text = textOf(one, '/') ?? '';
      if (COMMAND_LINE.test(text)) facts.namesCommandLine = true;
      if (SHIPPED.test(text)) facts.readsShipped = true;
      if (one.type === 'ImportExpression') enter(targetOf(within.file, textOf(one.source, '') ?? ''), '*');
    }
  }

  function follow(within: TestModule, name: string): void {
    for (const piece of within.declared.get(name) ?? []) visit(within, piece);
    const imported = within.imports.get(name);
    if (imported) enter(imported.from, imported.name);
  }

  function enter(from: string, name: string): void {
    if (from === 'node:child_process') facts.startsProcess = true;
    else if (PUBLIC_MODULES.has(from)) facts.usesLibrary = true;
    else if (from.startsWith('src/') && !from.endsWith('.test.ts')) facts.usesInner = true;
    else if (/^(?:test|scripts)\//.test(from)) {
      const other = moduleOf(from);
      if (!other) return;
      const names = name === '*' ? [...other.declared.keys()] : [name];
      for (const one of names) follow(other, one);
    }
  }
}

/** Identifiers that stand for a value: not the names of properties. */
function namesUsed(nodes: readonly SyntaxNode[]): Set<string> {
  const labels = new Set<unknown>();
  for (const { type, computed, shorthand, property, key } of nodes) {
    if (computed === true) continue;
    if (type === 'MemberExpression') labels.add(property);
    if (type === 'Property' && shorthand !== true) labels.add(key);
  }
  const names = nodes.flatMap((node) => (node.type === 'Identifier' && !labels.has(node) ? (nameOf(node) ?? []) : []));
  return new Set(names);
}
