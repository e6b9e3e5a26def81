// Which tests say that they show which rule, and through which surface: by the ids in their names and by their code.
import { globSync } from 'node:fs';
import { isNode, type SyntaxNode } from '../source-tree.ts';
import { rulesIn } from './list.ts';
import { nameOf, nodesIn, type TestModule, textOf } from './module.ts';
import { openReader, type Reader, type Surface } from './reach.ts';

export interface Claim {
  readonly rules: readonly string[];
  /** As written, with … where a template puts something in. */
  readonly name: string;
  /** Finds the test by its name. */
  readonly pattern: string;
  readonly surface: Surface;
  /** The test files that run it. */
  readonly files: readonly string[];
}

/** The strongest first. */
const SURFACES: readonly Surface[] = ['cli', 'library', 'package', 'inner'];

export function readClaims(root: string): Claim[] {
  const reader = openReader(root);
  const files = globSync(['src/**/*.test.ts', 'test/**/*.test.ts'], { cwd: root }).sort();
  const runners = runnersOf(files, reader);
  return [...runners].flatMap(([file, those]) => {
    const module = reader.moduleOf(file);
    return module ? claimsIn(module, those, reader) : [];
  });
}

/** By rule: how it is best shown. */
export function surfacesOf(claims: readonly Claim[]): Map<string, Surface> {
  const best = new Map<string, Surface>();
  for (const surface of SURFACES.toReversed())
    for (const claim of claims.filter((one) => one.surface === surface))
      for (const rule of claim.rules) best.set(rule, surface);
  return best;
}

/** What is asked of the tests of a rule: those through a public surface, and others only where there is none. */
export function claimsOf(rule: string, claims: readonly Claim[]): Claim[] {
  const all = claims.filter(({ rules }) => rules.includes(rule));
  const open = all.filter(({ surface }) => surface !== 'inner');
  return open.length > 0 ? open : all;
}

function claimsIn(module: TestModule, files: readonly string[], reader: Reader): Claim[] {
  return module.nodes.flatMap((node) => {
    const title = titleOf(node);
    const rules = rulesIn(textOf(title, '…') ?? '');
    if (rules.length === 0) return [];
    const name = textOf(title, '…') ?? '';
    const pattern = textOf(title, '.*', escapeSigns) ?? '';
    return [{ rules, name, pattern, surface: reader.surfaceOf(module, node), files }];
  });
}

/** Tests are declared by a call, `test('…', …)` or a helper's, or by a record with a name. */
function titleOf({ type, arguments: given, properties }: SyntaxNode): SyntaxNode | undefined {
  if (type === 'CallExpression') return nodesIn(given).at(0);
  if (type !== 'ObjectExpression') return undefined;
  const named = nodesIn(properties).find(({ key }) => nameOf(key) === 'name');
  return isNode(named?.value) ? named.value : undefined;
}

function escapeSigns(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/** The modules of the tests, each with the test files that load it. */
function runnersOf(files: readonly string[], reader: Reader): Map<string, string[]> {
  const runners = new Map<string, string[]>();
  for (const file of files) {
    for (const module of modulesOf(file, reader)) runners.set(module, [...(runners.get(module) ?? []), file]);
  }
  return runners;
}

function modulesOf(file: string, reader: Reader, seen = new Set<string>()): Set<string> {
  if (seen.has(file) || !/^test\/|\.test\.ts$/.test(file) || !reader.moduleOf(file)) return seen;
  seen.add(file);
  const module = reader.moduleOf(file);
  for (const { from } of module?.imports.values() ?? []) modulesOf(from, reader, seen);
  return seen;
}
