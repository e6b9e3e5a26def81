// What comes in several kinds is one record each: nobody outside of their folder knows one of them by its name.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isNode, parseSource, readSources, type SourceFile } from '../../scripts/source-tree.ts';
import { REMOTE_PROVIDERS } from '../../src/model/provider/providers.ts';
import { TIER_NAMES } from '../../src/process/sandbox/tiers.ts';
import { repository } from '../support/support.ts';

interface Kind {
  readonly what: string;
  /** The only folder in which their names may stand. */
  readonly folder: string;
  readonly names: readonly string[];
}

const KINDS: readonly Kind[] = [
  { what: 'tier', folder: 'src/process/sandbox/', names: TIER_NAMES },
  { what: 'provider', folder: 'src/model/provider/', names: REMOTE_PROVIDERS.map(({ name }) => name) },
];

const SOURCES = readSources(repository);

for (const kind of KINDS) {
  test(`a ${kind.what} is named in ${kind.folder} only: elsewhere its rank, its capabilities or its record are asked`, () => {
    assert.ok(kind.names.length > 1);
    assert.deepEqual(
      SOURCES.flatMap((file) => namedOutside(kind, file)),
      [],
    );
  });

  test(`the name of a ${kind.what} is found however it is compared`, () => {
    const [name = ''] = kind.names;
    const compared = [
      `export const a = (x: string) => x === '${name}';`,
      `export const a = (x: string) => \`${name}\` !== x;`,
      `export const a = (x: string) => ['${name}'].includes(x);`,
      `export const a = (x: string) => { switch (x) { case '${name}': return 1; } };`,
      `export type A = '${name}' | 'else';`,
      `export const a = { '${name}': 1 };`,
    ];
    for (const text of compared) {
      assert.equal(namedOutside(kind, parseSource('src/door/x.ts', text)).length, 1, text);
      assert.deepEqual(namedOutside(kind, parseSource(`${kind.folder}x.ts`, text)), [], text);
    }
    assert.deepEqual(namedOutside(kind, parseSource('src/door/x.ts', `export const a = 'no ${name} here';`)), []);
  });
}

function namedOutside({ folder, names }: Kind, { file, text, nodes }: SourceFile): string[] {
  if (file.startsWith(folder)) return [];
  return nodes
    .filter(({ type, value }) => {
      const said = type === 'TemplateElement' && value ? (value as { cooked?: unknown }).cooked : value;
      return (type === 'Literal' || type === 'TemplateElement') && !isNode(said) && names.some((name) => name === said);
    })
    .map(({ start }) => `${file}:${text.slice(0, start).split('\n').length}`);
}
