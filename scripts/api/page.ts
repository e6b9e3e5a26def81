// docs/api.md: every export of the package by its name, with its comment, its examples and its declaration.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type TypeBehind, typesBehind } from './behind.ts';
import { readEntries } from './entry.ts';
import { type Exported, readExported } from './exported.ts';

/** What programs begin with stands first in the contents. */
const FIRST = ['src/app/library/open.ts', 'src/app/library/public/skillwright.ts', 'src/app/library/public/'];

interface Section {
  readonly module: string;
  readonly exported: readonly Exported[];
}

export function renderApi(root: string, notice: string): string {
  const sections = readSections(root);
  const all = sections.flatMap(({ exported }) => exported);
  const behind = typesBehind(root, all);
  const names: Names = {
    known: new Set([...all, ...behind].map(({ name }) => name)),
    renamed: new Map(all.map(({ local, name }) => [local, name])),
  };
  const parts = [
    '# Every name of the library',
    notice,
    'Whatever a program can import, by name. [The library](library.md) is the page to read first; this one is to look things up.',
    contents(root, all),
    ...sections.flatMap((section) => renderSection(section, names)),
    '## Behind them',
    'What the types above are made of. These cannot be imported by their names.',
    ...behind.map((one) => renderBehind(one, names)),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** What two entries hand out is described once. */
function readSections(root: string): Section[] {
  const described = new Set<string>();
  return readEntries(root).map(({ module, file }) => {
    const exported = readExported(root, file).filter((one) => !described.has(`${one.file} ${one.local}`));
    for (const one of exported) described.add(`${one.file} ${one.local}`);
    return { module, exported: exported.sort((a, b) => a.name.localeCompare(b.name, 'en')) };
  });
}

/** By the files they come from, each of which says what it is about. */
function contents(root: string, exported: readonly Exported[]): string {
  const files = [...Map.groupBy(exported, ({ file }) => file)].sort(
    ([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : 1),
  );
  const rows = files.map(
    ([file, those]) => `| ${about(root, file)} | ${those.map(({ name }) => link(name)).join(' · ')} |`,
  );
  return `| about | names |\n|---|---|\n${rows.join('\n')}`;
}

function rank(file: string): number {
  const at = FIRST.findIndex((start) => file.startsWith(start));
  return at < 0 ? FIRST.length : at;
}

/** The first sentence of the file's own first line. */
function about(root: string, file: string): string {
  const [, said = ''] = /^\/\/ (.+)/.exec(readFileSync(path.join(root, file), 'utf8')) ?? [];
  return said.replace(/\. .*|[.:;,]$/, '').replaceAll('|', '\\|');
}

interface Names {
  /** What has an entry on the page. */
  readonly known: ReadonlySet<string>;
  /** As files call them, to what programs import. */
  readonly renamed: ReadonlyMap<string, string>;
}

function renderSection({ module, exported }: Section, names: Names): string[] {
  return exported.length === 0 ? [] : [`## From \`${module}\``, ...exported.map((one) => renderOne(one, names))];
}

function renderOne({ name, said, examples, code }: Exported, names: Names): string {
  return [`### ${name}`, said, ...examples.map(fenced), ...renderCode(name, code, names)].join('\n\n');
}

function renderBehind({ name, code }: TypeBehind, names: Names): string {
  return [`### ${name}`, ...renderCode(name, code, names)].join('\n\n');
}

function renderCode(name: string, code: string, { known, renamed }: Names): string[] {
  const shown = code.replace(/\b[A-Za-z]\w*\b/g, (word) => renamed.get(word) ?? word);
  const bare = shown.replace(/\/\*[\s\S]*?\*\/|'[^'\n]*'/g, '');
  const mentioned = [...new Set(bare.match(/\b[A-Z]\w*\b/g))].filter((word) => word !== name && known.has(word));
  return [fenced(shown), ...(mentioned.length > 0 ? [`With ${mentioned.map(link).join(', ')}.`] : [])];
}

function fenced(code: string): string {
  return `\`\`\`ts\n${code}\n\`\`\``;
}

function link(name: string): string {
  return `[${name}](#${name.toLowerCase()})`;
}
