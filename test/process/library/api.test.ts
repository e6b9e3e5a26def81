// What the package exports, name by name with its type: a change of it is seen, and belongs into the CHANGELOG.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { isNode, readSources, type SyntaxNode } from '../../../scripts/source-tree.ts';
import { repository } from '../../support/support.ts';

const SNAPSHOT = path.join(repository, 'test/fixtures/library/api.txt');
const SOURCES = new Map(readSources(repository).map((source) => [source.file, source]));

interface Exported {
  /** As a user imports it. */
  readonly name: string;
  readonly file: string;
  /** What is written above it. */
  readonly comment: string;
  /** On one line, without comments and, of functions, without what they do. */
  readonly declared: string;
}

const EXPORTED = exportsOf('src/index.ts');

test('names and types are those of the snapshot; `node test/process/library/api.test.ts --update` takes the new ones', () => {
  const now = `${EXPORTED.map(({ name, declared }) => `${name}: ${declared}`).join('\n')}\n`;
  if (process.argv.includes('--update')) writeFileSync(SNAPSHOT, now);
  assert.equal(
    now,
    readFileSync(SNAPSHOT, 'utf8'),
    'the public API is another one: update the snapshot and say so in CHANGELOG.md',
  );
});

test('every export of the library says what it is for', () => {
  const ofLibrary = EXPORTED.filter(({ file }) => file.startsWith('src/app/library/'));
  assert.ok(ofLibrary.length > 50);
  const silent = ofLibrary.filter(({ comment }) => !comment.startsWith('/**')).map(({ name }) => name);
  assert.deepEqual(silent, []);
});

test('no name of the library is written with an underscore', () => {
  const ofLibrary = EXPORTED.filter(({ file }) => file.startsWith('src/app/library/'));
  const odd = ofLibrary.flatMap(({ name, declared }) =>
    [...declared.matchAll(/(?<=[{,;(] ?(?:readonly )?)([a-z]+_[a-z_]+)\??:/g)].map(([, word]) => `${name}.${word}`),
  );
  assert.deepEqual(odd, []);
});

function exportsOf(file: string): Exported[] {
  const { nodes } = sourceOf(file);
  return nodes
    .filter(({ type, source }) => type === 'ExportNamedDeclaration' && isNode(source))
    .flatMap((node) => {
      const from = path.posix.join(path.posix.dirname(file), String(isNode(node.source) && node.source.value));
      const specifiers = Array.isArray(node.specifiers) ? node.specifiers.filter(isNode) : [];
      return specifiers.map((one) => describe(nameOf(one.exported), nameOf(one.local), from));
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function describe(name: string, local: string, file: string): Exported {
  const { text, nodes } = sourceOf(file);
  const node = nodes.find(({ type, declaration }) => {
    return type === 'ExportNamedDeclaration' && isNode(declaration) && declares(declaration, local);
  });
  assert.ok(node && isNode(node.declaration), `${file} declares ${local}`);
  const above = text.slice(0, node.start).trimEnd();
  const comment = above.endsWith('*/') ? above.slice(above.lastIndexOf('/**')) : '';
  const { body } = node.declaration;
  const isFunction = node.declaration.type === 'FunctionDeclaration' && isNode(body);
  const end = isFunction && isNode(body) ? body.start : node.end;
  const declared = text
    .slice(node.declaration.start, end)
    .replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
    .replace(/\s+/g, ' ')
    .trim();
  return {
    name,
    file,
    comment,
    declared: node.declaration.type === 'VariableDeclaration' ? declared.slice(0, 80) : declared,
  };
}

function declares(declaration: SyntaxNode, name: string): boolean {
  const { id, declarations } = declaration;
  if (isNode(id)) return id.name === name;
  return (
    Array.isArray(declarations) && declarations.some((one) => isNode(one) && isNode(one.id) && one.id.name === name)
  );
}

function nameOf(node: unknown): string {
  return isNode(node) ? String(node.name) : '';
}

function sourceOf(file: string) {
  const source = SOURCES.get(file);
  assert.ok(source, file);
  return source;
}
