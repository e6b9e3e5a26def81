// Packages that the frontmatter declares: the steps of `metadata.openclaw.install`, and lists of packages in `requires` and `dependencies`.
import { isRecord } from '../../base/json.ts';
import type { Manifest } from '../../skill/skill.ts';
import { lineFinder, type PackageMention } from './mention.ts';
import type { Ecosystem } from './package-need.ts';
import { parseNpmWord, parseRequirement } from './requirement.ts';

const KINDS: Readonly<Record<string, Ecosystem>> = {
  pip: 'python',
  pipx: 'python',
  uv: 'python',
  python: 'python',
  node: 'node',
  npm: 'node',
};
const LISTS: readonly (readonly [string, Ecosystem])[] = [
  ['pip', 'python'],
  ['python_packages', 'python'],
  ['pythonPackages', 'python'],
  ['npm', 'node'],
  ['node_packages', 'node'],
  ['nodePackages', 'node'],
];

/** The text of SKILL.md tells the lines. */
export function readFrontmatter(manifest: Manifest, file: string, text: string): PackageMention[] {
  const { metadata = {}, unknown = {} } = manifest;
  const blocks = ['openclaw', 'clawdbot', 'clawdis'].map((key) => metadata[key]).filter(isRecord);
  const steps = blocks.flatMap(({ install }) => (Array.isArray(install) ? install : [])).filter(isRecord);
  const named = [
    ...steps.flatMap(ofStep),
    ...[unknown.requires, ...blocks.map(({ requires }) => requires)].flatMap((value) =>
      isRecord(value) ? ofLists(value) : [],
    ),
  ];
  const lineOf = lineFinder(text);
  return named.flatMap(({ word, ecosystem }): PackageMention[] => {
    const found = ecosystem === 'node' ? parseNpmWord(word) : parseRequirement(word);
    const line = lineOf(word);
    return found ? [{ ...found, ecosystem, certainty: 'declared', use: 'needed', file, line }] : [];
  });
}

interface NamedWord {
  readonly word: string;
  readonly ecosystem: Ecosystem;
}

function ofStep({ kind, ...step }: Record<string, unknown>): NamedWord[] {
  const ecosystem = typeof kind === 'string' && Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined;
  const words = [step.package, step.packages, step.formula].flatMap(texts);
  return ecosystem === undefined ? [] : words.map((word) => ({ word, ecosystem }));
}

function ofLists(requires: Record<string, unknown>): NamedWord[] {
  return LISTS.flatMap(([key, ecosystem]) => texts(requires[key]).map((word) => ({ word, ecosystem })));
}

function texts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string').slice(0, 100) : [];
}
