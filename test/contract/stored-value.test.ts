// What was stored or comes from outside is checked, never cast: JSON is parsed in one place, and what it gave, or a row
// of a database, gets its type from a check.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isNode, parseSource, readSources, type SourceFile, type SyntaxNode } from '../../scripts/source-tree.ts';
import { repository } from '../support/support.ts';

/** The only files that call JSON.parse; the kit is copied into skills, and stands alone. */
const PARSERS = ['src/base/json.ts', 'src/protocol/sdk/define-skill.ts'];

/** `as unknown as` for values of this process that were never stored, where a library's types say too little. */
const IN_MEMORY = ['src/config/layer.ts', 'src/distribution/archive/archive.ts', 'src/distribution/archive/tar.ts'];

/** What these return was stored or comes from outside. */
const READING = new Set(['parse', 'parseJson', 'jsonIfValid', 'rows', 'rowsNamed', 'laneOf']);
/** And so was a parameter of such a type. */
const STORED = /\b(?:Row|PgRow|Interrupt|Json)\b/;

const SOURCES = readSources(repository);

test('JSON is parsed in one place', () => {
  const found = SOURCES.filter(({ nodes }) => nodes.some(isJsonParse)).map(({ file }) => file);
  assert.deepEqual(found, PARSERS);
});

test('no value is cast by way of unknown, but what no library describes', () => {
  const found = SOURCES.filter(({ nodes }) => nodes.some(isDoubleCast)).map(({ file }) => file);
  assert.deepEqual(found, IN_MEMORY);
});

test('nothing that was read is cast', () => {
  assert.deepEqual(SOURCES.flatMap(castsOfRead), []);
});

test('a cast is found at the call, behind a variable, a field, a loop and a parameter', () => {
  const text = `
    const a = jsonIfValid(text) as Head;
    const b = (await database.rows(sql))[0]?.lane as string;
    const value = parseJson(text);
    const c = value.attempt as Attempt;
    const { state } = JSON.parse(text);
    const d = state as State;
    for (const row of database.rows(sql)) use(row.state as State);
    function e(row: PgRow) { return row.lane as string; }
    const f = ({ payload }: Interrupt) => payload as Call;
    const g = (saved: Interrupt | undefined) => saved?.payload as Call;
    const h = ['a', 'b'] as const;
    const i = jsonIfValid(text) as const;
    const j = (words: string[]) => words.map(String) as Word[];`;
  const found = castsOfRead(parseSource('src/a.ts', text)).map((line) => line.replace(/.*: /, ''));
  assert.deepEqual(found, [
    'jsonIfValid(text) as Head',
    '(await database.rows(sql))[0]?.lane as string',
    'value.attempt as Attempt',
    'state as State',
    'row.state as State',
    'row.lane as string',
    'payload as Call',
    'saved?.payload as Call',
  ]);
});

function isJsonParse({ type, object, property }: SyntaxNode): boolean {
  return type === 'MemberExpression' && nameOf(object) === 'JSON' && nameOf(property) === 'parse';
}

function isDoubleCast({ type, expression }: SyntaxNode): boolean {
  return type === 'TSAsExpression' && isNode(expression) && isCastTo(expression, 'TSUnknownKeyword');
}

function isCastTo({ type, typeAnnotation }: SyntaxNode, wanted: string): boolean {
  return type === 'TSAsExpression' && isNode(typeAnnotation) && typeAnnotation.type === wanted;
}

function castsOfRead({ file, text, nodes }: SourceFile): string[] {
  if (PARSERS.includes(file)) return [];
  const read = namesRead(nodes, text);
  return nodes
    .filter((node) => node.type === 'TSAsExpression' && !isConst(node, text))
    .filter(({ expression }) => isRead(expression, read))
    .map(({ start, end }) => `${file}: ${text.slice(start, end)}`);
}

function isConst({ typeAnnotation }: SyntaxNode, text: string): boolean {
  return isNode(typeAnnotation) && text.slice(typeAnnotation.start, typeAnnotation.end) === 'const';
}

/** Names that hold something read; those of one file together, which finds too much rather than too little. */
function namesRead(nodes: readonly SyntaxNode[], text: string): Set<string> {
  const names = new Set<string>();
  const add = (pattern: unknown) => {
    for (const name of namesIn(pattern)) names.add(name);
  };
  for (const { type, id, init, left, right, params } of nodes) {
    if (type === 'VariableDeclarator' && isRead(init, names)) add(id);
    if (type === 'ForOfStatement' && isRead(right, names)) add(left);
    for (const one of Array.isArray(params) ? params : []) if (isStored(one, text)) add(one);
  }
  return names;
}

function isStored(parameter: unknown, text: string): boolean {
  if (!isNode(parameter) || !isNode(parameter.typeAnnotation)) return false;
  return STORED.test(text.slice(parameter.typeAnnotation.start, parameter.typeAnnotation.end));
}

/** Whether an expression begins with a call that reads, or with a name of what one gave. */
function isRead(expression: unknown, names: ReadonlySet<string>): boolean {
  if (!isNode(expression)) return false;
  switch (expression.type) {
    case 'Identifier':
      return names.has(String(expression.name));
    case 'CallExpression':
      return READING.has(calledName(expression.callee));
    case 'MemberExpression':
      return isRead(expression.object, names);
    case 'LogicalExpression':
      return isRead(expression.left, names) || isRead(expression.right, names);
    case 'AwaitExpression':
      return isRead(expression.argument, names);
    default:
      return isRead(expression.expression, names);
  }
}

function calledName(callee: unknown): string {
  return isNode(callee) && callee.type === 'MemberExpression' ? nameOf(callee.property) : nameOf(callee);
}

function nameOf(node: unknown): string {
  return isNode(node) && typeof node.name === 'string' ? node.name : '';
}

function namesIn(pattern: unknown): string[] {
  if (!isNode(pattern)) return [];
  if (pattern.type === 'Identifier') return [nameOf(pattern)];
  const parts = [pattern.properties, pattern.elements, pattern.declarations]
    .filter((list) => Array.isArray(list))
    .flat();
  return [pattern.value, pattern.argument, pattern.left, pattern.id, ...parts].flatMap(namesIn);
}
