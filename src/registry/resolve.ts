// Resolves the skill a person or a model names: by folder first, then by name, with suggestions when nothing matches.
import { nearest } from '../base/text.ts';
import { SOURCES, type Source } from '../skill/skill.ts';
import type { Index, InvalidSkill, SkillEntry } from './discover.ts';
import { takesName } from './shadowing.ts';

export type Resolved =
  | { readonly found: SkillEntry }
  /** The name means a skill that cannot be used; a lower one of the same name never answers for it. */
  | { readonly damaged: InvalidSkill }
  | { readonly missing: string; readonly suggestions: readonly string[] };

interface Reference {
  readonly name: string;
  readonly source?: Source;
}

type Candidate = SkillEntry | InvalidSkill;
type Match = (skill: Candidate, name: string) => boolean;

// From exact to fuzzy; a folder is less ambiguous than a name.
const MATCHES: readonly Match[] = [
  (skill, name) => skill.folderName === name,
  (skill, name) => skill.name === name,
  (skill, name) => lastPart(skill.folderName) === name,
  (skill, name) => slug(skill.folderName) === slug(name),
  (skill, name) => slug(skill.name) === slug(name),
];

/**
 * Understands `name`, `@name`, `org/name`, `user:name` and `user:name@1.0`.
 * @example
 * const resolved = resolveSkill(runtime.index(), 'user:notes');
 * if ('found' in resolved) console.log(resolved.found.folder);
 */
export function resolveSkill(index: Index, written: string, options: { readonly source?: Source } = {}): Resolved {
  const reference = readReference(written, options.source);
  const all = listCandidates(index);
  const candidates = reference.source ? all.filter((skill) => skill.source === reference.source) : all;
  const [first, rest] = splitByName(candidates);
  const found = findMatch(first, reference) ?? findMatch(rest, reference);
  if (found) return isUsable(found) ? { found } : { damaged: found };
  const names = new Set(first.filter(isUsable).flatMap((skill) => [skill.name, skill.folderName]));
  return { missing: reference.name, suggestions: suggest(reference.name, names) };
}

/** Highest root first; the damaged ones of a root behind its others. */
function listCandidates({ skills, invalid, roots }: Index): readonly Candidate[] {
  if (invalid.length === 0) return skills;
  const ranks = new Map(roots.map(({ folder }, at) => [folder, at]));
  const rank = ({ root }: Candidate) => ranks.get(root) ?? -1;
  return [...skills, ...invalid].sort((a, b) => rank(a) - rank(b));
}

function isUsable(skill: Candidate): skill is SkillEntry {
  return 'manifest' in skill;
}

function readReference(written: string, asked: Source | undefined): Reference {
  const bare = written.trim().replace(/^@/, '');
  const prefix = SOURCES.find((source) => bare.startsWith(`${source}:`));
  const name = prefix ? bare.slice(prefix.length + 1) : bare;
  const source = asked ?? prefix;
  return source ? { name, source } : { name };
}

/** The candidates that own their name, and those that need folder or version to be addressed. */
function splitByName(candidates: readonly Candidate[]): [Candidate[], Candidate[]] {
  const owners = new Map<string, Candidate>();
  for (const skill of candidates) {
    const owner = owners.get(skill.name);
    if (!owner || takesName(skill, owner)) owners.set(skill.name, skill);
  }
  const isOwner = (skill: Candidate) => owners.get(skill.name) === skill;
  return [candidates.filter(isOwner), candidates.filter((skill) => !isOwner(skill))];
}

function findMatch(skills: readonly Candidate[], { name }: Reference): Candidate | undefined {
  if (name === '') return undefined;
  for (const matches of MATCHES) {
    const found = skills.find((skill) => matches(skill, name));
    if (found) return found;
  }
  const at = name.lastIndexOf('@');
  const version = name.slice(at + 1);
  return at > 0
    ? findMatch(
        skills.filter((skill) => isUsable(skill) && skill.manifest.version === version),
        { name: name.slice(0, at) },
      )
    : undefined;
}

/** Similar spellings, then names that contain the word. */
function suggest(name: string, names: ReadonlySet<string>): string[] {
  const near = nearest(name, names);
  const word = slug(name);
  const containing = word.length < 3 ? [] : [...names].filter((candidate) => slug(candidate).includes(word));
  return [...new Set([...near, ...containing])].slice(0, 3);
}

function lastPart(folderName: string): string {
  return folderName.slice(folderName.lastIndexOf('/') + 1);
}

function slug(name: string): string {
  return name
    .normalize('NFC')
    .toLowerCase()
    .replace(/[\s_]+/g, '-');
}
