// Puts a probe into every function of a source file: its body runs inside a frame that carries the name of the function.
import { isNode, parseSource, type SyntaxNode } from './source-tree.ts';

const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);

interface Insertion {
  readonly at: number;
  readonly text: string;
}

export function withProbes(file: string, text: string): string {
  const { nodes } = parseSource(file, text);
  const names = namesOf(nodes);
  const insertions = nodes
    .filter((node) => FUNCTIONS.has(node.type) && isNode(node.body) && canBeWrapped(node, names))
    .flatMap((node) => probe(node, text, `${file} ${names.get(node) ?? '(closure)'}`));
  return apply(insertions, text);
}

/** A generator cannot yield, and a constructor cannot call `super`, from inside another function. */
function canBeWrapped(node: SyntaxNode, names: ReadonlyMap<SyntaxNode, string>): boolean {
  return node.generator !== true && names.get(node) !== 'constructor';
}

function probe(node: SyntaxNode, text: string, place: string): Insertion[] {
  const { body } = node;
  if (!isNode(body)) return [];
  const [wait, inner] = node.async === true ? ['await ', 'async '] : ['', ''];
  const begin = `walkProbe(${JSON.stringify(place)}, ${inner}() => `;
  if (body.type === 'BlockStatement')
    return [
      { at: body.start + 1, text: `return ${wait}${begin}{` },
      { at: body.end - 1, text: '});' },
    ];
  const arrow = text.lastIndexOf('=>', body.start) + '=>'.length;
  return [
    { at: arrow, text: ` ${begin}(` },
    { at: node.end, text: '))' },
  ];
}

/** What a function is called: by itself, by the property, the method or the variable it is the value of. */
function namesOf(nodes: readonly SyntaxNode[]): Map<SyntaxNode, string> {
  const names = new Map<SyntaxNode, string>();
  for (const node of nodes) {
    const value = node.type === 'VariableDeclarator' ? node.init : node.value;
    const name = nameIn(node.id) ?? nameIn(node.key);
    if (name === undefined) continue;
    if (FUNCTIONS.has(node.type)) names.set(node, name);
    else if (isNode(value) && FUNCTIONS.has(value.type)) names.set(value, name);
  }
  return names;
}

function nameIn(node: unknown): string | undefined {
  return isNode(node) && typeof node.name === 'string' ? node.name : undefined;
}

/** From the end to the beginning; of two at one place the inner one, which begins later, comes first. */
function apply(insertions: readonly Insertion[], text: string): string {
  let result = text;
  for (const { at, text: inserted } of insertions.toReversed().toSorted((a, b) => b.at - a.at))
    result = result.slice(0, at) + inserted + result.slice(at);
  return result;
}
