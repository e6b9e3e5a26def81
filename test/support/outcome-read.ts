// Finds where a named key of an outcome's data is read: the data is told to others, and what code decides on has a field.
import { isNode, type SourceFile, type SyntaxNode } from '../../scripts/source-tree.ts';
import { nameOf, type Typed, Types, type Visit, visitTyped } from './declared-type.ts';

const OUTCOMES = ['Outcome', 'FlatOutcome'];
/** Whoever reads the data has to name it. */
const MENTIONED = /\bdata\b/;

/** Each as `file:line code`. */
export function findOutcomeReads(sources: readonly SourceFile[]): string[] {
  const found = new Set<string>();
  // A parameter that only its name describes.
  const types = new Types(sources, (name) => (name === 'outcome' ? types.declared('Outcome')[0] : undefined));
  const told = OUTCOMES.flatMap((name) => types.declared(name)).flatMap(
    (one) => types.members(one).get('data')?.type ?? [],
  );
  const isTold = (type: Typed | undefined) =>
    type !== undefined && (told.some((one) => isSame(one, type)) || isIndexed(type.node));
  const report = ({ file, node, lineOf, textOf }: Visit) => found.add(`${file}:${lineOf(node)} ${textOf(node)}`);
  visitTyped(
    sources.filter(({ text }) => MENTIONED.test(text)),
    types,
    (at) => {
      if (readsKey(at.node) && isTold(at.typeOf(objectOf(at.node)))) report(at);
    },
    (at, type) => {
      const { properties } = at.node;
      if (isTold(type) && Array.isArray(properties) && properties.some(namesKey)) report(at);
    },
  );
  return [...found];
}

/** `data.key`, `data[…]`, `'key' in data` and `data as {…}`. */
function readsKey({ type, operator }: SyntaxNode): boolean {
  return type === 'MemberExpression' || type === 'TSAsExpression' || (type === 'BinaryExpression' && operator === 'in');
}

function objectOf({ object, right, expression }: SyntaxNode): unknown {
  return object ?? right ?? expression;
}

function namesKey(part: unknown): boolean {
  return isNode(part) && part.type !== 'RestElement';
}

function isSame(a: Typed, b: Typed): boolean {
  return a.file === b.file && a.node.start === b.node.start;
}

/** `Outcome['data']`. */
function isIndexed({ type, objectType, indexType }: SyntaxNode): boolean {
  if (type !== 'TSIndexedAccessType' || !isNode(objectType) || !isNode(indexType)) return false;
  return OUTCOMES.includes(nameOf(objectType.typeName) ?? '') && nameOf(indexType.literal) === 'data';
}
