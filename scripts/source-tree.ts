// The source as syntax trees, by the parser that also builds the product: every node of a file, and what it imports.
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseAst } from 'rolldown/parseAst';

export interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

export interface SourceFile {
  /** Below the root, with forward slashes. */
  readonly file: string;
  readonly text: string;
  readonly nodes: readonly SyntaxNode[];
}

export interface Import {
  readonly from: string;
  readonly to: string;
  readonly kind: 'value' | 'type' | 'dynamic';
}

const known = new Map<string, readonly SourceFile[]>();

/** Everything below src/ that ships as code; templates are text for us. Parsed once: nobody changes it meanwhile. */
export function readSources(root: string): readonly SourceFile[] {
  const sources = known.get(root) ?? parseSources(root);
  known.set(root, sources);
  return sources;
}

function parseSources(root: string): SourceFile[] {
  const files = globSync('src/**/*.ts', { cwd: root, exclude: ['src/cli/templates/**', 'src/**/*.test.ts'] });
  return files.sort().map((file) => parseSource(file, readFileSync(path.join(root, file), 'utf8')));
}

export function parseSource(file: string, text: string): SourceFile {
  return { file, text, nodes: nodesBelow(parseAst(text, { lang: 'ts' })) };
}

/** The imports of other files of ours, also as types and on demand. */
export function importsOf({ file, nodes }: SourceFile): Import[] {
  return nodes.flatMap((node) => {
    const kind = importKind(node);
    const name = kind && isNode(node.source) ? node.source.value : undefined;
    if (!kind || typeof name !== 'string' || !name.startsWith('.')) return [];
    return [{ from: file, to: path.posix.join(path.posix.dirname(file), name), kind }];
  });
}

function importKind({ type, importKind, exportKind }: SyntaxNode): Import['kind'] | undefined {
  switch (type) {
    case 'ImportDeclaration':
    case 'ExportNamedDeclaration':
    case 'ExportAllDeclaration':
      return (importKind ?? exportKind) === 'type' ? 'type' : 'value';
    case 'TSImportType':
      return 'type';
    case 'ImportExpression':
      return 'dynamic';
    default:
      return undefined;
  }
}

function nodesBelow(value: unknown): SyntaxNode[] {
  if (Array.isArray(value)) return value.flatMap(nodesBelow);
  if (!isNode(value)) return [];
  return [value, ...Object.values(value).flatMap(nodesBelow)];
}

export function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}
