// The exports of an entry with what is written about each: followed to their declarations, through files that hand them on.
import path from 'node:path';
import { isNode, readSources, type SourceFile, type SyntaxNode } from '../source-tree.ts';

export interface Exported {
  /** As a program imports it. */
  readonly name: string;
  /** As its file calls it. */
  readonly local: string;
  readonly file: string;
  readonly kind: 'function' | 'class' | 'value' | 'type';
  /** What is written above it, without its examples. */
  readonly said: string;
  readonly examples: readonly string[];
  /** As it is declared, with the comments inside, and without what functions do. */
  readonly code: string;
}

interface Place {
  readonly name: string;
  readonly local: string;
  readonly file: string;
}

const DECLARED = 'ExportNamedDeclaration';

export function readExported(root: string, entry: string): Exported[] {
  const sources = new Map(readSources(root).map((source) => [source.file, source]));
  const sourceOf = (file: string): SourceFile => {
    const source = sources.get(file);
    if (!source) throw new Error(`there is no ${file}`);
    return source;
  };
  const declaredIn = (file: string, local: string): Exported | undefined => {
    const { text, nodes } = sourceOf(file);
    const node = nodes.find(
      ({ type, declaration }) => type === DECLARED && isNode(declaration) && names(declaration).includes(local),
    );
    return node && isNode(node.declaration)
      ? describe(text, node, node.declaration, { name: local, local, file })
      : undefined;
  };
  const find = ({ name, local, file }: Place): Exported => {
    const found = declaredIn(file, local);
    if (found) return { ...found, name };
    const next = handedOn(sourceOf(file)).find((one) => one.name === local);
    if (!next) throw new Error(`${file} exports no ${local}`);
    return { ...find(next), name };
  };
  const own = sourceOf(entry)
    .nodes.filter(({ type }) => type === DECLARED)
    .flatMap(({ declaration }) => (isNode(declaration) ? names(declaration) : []))
    .map((name) => ({ name, local: name, file: entry }));
  return [...own, ...handedOn(sourceOf(entry))].map(find);
}

/** The one line that a snapshot keeps: without comments, and of a value no more than how it begins. */
export function declaredOn({ code, kind }: Pick<Exported, 'code' | 'kind'>): string {
  const line = code
    .replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
    .replace(/\s+/g, ' ')
    .trim();
  return kind === 'value' ? line.slice(0, 80) : line;
}

/** `export { a, type B } from './c.ts'`. */
function handedOn({ file, nodes }: SourceFile): Place[] {
  return nodes
    .filter(({ type, source }) => type === DECLARED && isNode(source))
    .flatMap(({ source, specifiers }) => {
      const from = path.posix.join(path.posix.dirname(file), String(isNode(source) && source.value));
      return list(specifiers).map((one) => ({ name: nameOf(one.exported), local: nameOf(one.local), file: from }));
    });
}

function describe(text: string, node: SyntaxNode, declaration: SyntaxNode, place: Place): Exported {
  const { said, examples } = readComment(text.slice(0, node.start).trimEnd());
  return { ...place, kind: kindOf(declaration), said, examples, code: codeOf(text, declaration) };
}

/** Its examples, and those of its members. */
export function examplesOf({ examples, code }: Exported): string[] {
  const comments = code.match(/\/\*\*[\s\S]*?\*\//g) ?? [];
  return [...examples, ...comments.flatMap((comment) => readComment(comment).examples)];
}

function readComment(above: string): Pick<Exported, 'said' | 'examples'> {
  if (!above.endsWith('*/')) return { said: '', examples: [] };
  const lines = above.slice(above.lastIndexOf('/**') + 3, -2).split('\n');
  const [said = '', ...examples] = lines
    .map((line) => line.replace(/^\s*\* ?/, ''))
    .join('\n')
    .split(/^\s*@example\s*$/m)
    .map((part) => part.trim());
  return { said: said.replaceAll('\n', ' '), examples };
}

function kindOf({ type }: SyntaxNode): Exported['kind'] {
  if (type === 'FunctionDeclaration' || type === 'TSDeclareFunction') return 'function';
  if (type === 'ClassDeclaration') return 'class';
  return type === 'VariableDeclaration' ? 'value' : 'type';
}

function codeOf(text: string, declaration: SyntaxNode): string {
  const bodies = bodiesIn(declaration).filter((body) => body.start >= declaration.start);
  let code = '';
  let at = declaration.start;
  for (const { start, end } of bodies) {
    code += `${text.slice(at, start).trimEnd()};`;
    at = end;
  }
  return (code + text.slice(at, declaration.end)).trim();
}

/** What a function or the methods of a class do is nobody's business. */
function bodiesIn({ type, body }: SyntaxNode): SyntaxNode[] {
  if (!isNode(body)) return [];
  if (type === 'FunctionDeclaration') return [body];
  if (type !== 'ClassDeclaration') return [];
  return list(body.body).flatMap(({ value }) => (isNode(value) && isNode(value.body) ? [value.body] : []));
}

function names({ id, declarations }: SyntaxNode): string[] {
  return isNode(id) ? [nameOf(id)] : list(declarations).map((one) => nameOf(one.id));
}

function list(value: unknown): SyntaxNode[] {
  return Array.isArray(value) ? value.filter(isNode) : [];
}

function nameOf(node: unknown): string {
  return isNode(node) ? String(node.name) : '';
}
