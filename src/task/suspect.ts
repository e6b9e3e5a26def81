// Which installed skills are worth a second look: never used, there twice, hidden behind another, broken, or risky.
import path from 'node:path';
import type { Text } from '../base/language.ts';
import { visible } from '../base/text.ts';
import { absolutePath } from '../base/value/absolute-path.ts';
import type { Index, InvalidSkill, SkillEntry } from '../registry/discover.ts';
import type { Source } from '../skill/skill.ts';
import type { Usage } from '../store/store.ts';

export const REASONS = ['unused', 'duplicate', 'shadowed', 'invalid', 'risky'] as const;
export type Reason = (typeof REASONS)[number];

export interface Suspect {
  /** `source:folder`, as it is decided about; with its root where there are two of that name. */
  readonly item: string;
  readonly name: string;
  readonly folderName: string;
  readonly source: Source;
  readonly root: string;
  readonly folder: string;
  /** Empty where its files cannot be hashed. */
  readonly digest: string;
  readonly why: readonly { readonly reason: Reason; readonly detail: Text }[];
}

export interface Knowledge {
  readonly now: number;
  usageOf(skill: SkillEntry): Usage;
  /** When its files were last changed. */
  changedAt(folder: string): number;
  /** Empty where its files cannot be hashed. */
  digestOf(folder: string): string;
  /** What content inspection holds against it. */
  risksOf?(skill: SkillEntry): readonly string[];
}

const DAY_MS = 86_400_000;
/** A skill younger than this had no chance yet, one used since then is in use. */
const UNUSED_DAYS = 30;

/** Shipped skills are nobody's to remove; a prompt leaves no trace of its use, and is never called unused. */
export function findSuspects(index: Pick<Index, 'skills' | 'invalid'>, known: Knowledge): Suspect[] {
  const own = index.skills.filter(({ source }) => source !== 'builtin');
  const digests = new Map(own.map((skill) => [skill.folder, known.digestOf(skill.folder)]));
  const found = own.map((skill): Suspect => {
    const digest = digests.get(skill.folder) ?? '';
    const why = [
      ...unused(skill, known),
      ...duplicate(skill, own, digests),
      ...shadowed(skill),
      ...risky(skill, known),
    ];
    return { ...placeOf(skill), name: skill.name, digest, why };
  });
  const broken = index.invalid.filter(({ source }) => source !== 'builtin').map((skill) => invalid(skill, known));
  return [...found, ...broken].filter(({ why }) => why.length > 0).map(withOwnItem);
}

/** Two roots of one source may hold folders of the same name; each must be decidable by itself. */
function withOwnItem(suspect: Suspect, _at: number, all: readonly Suspect[]): Suspect {
  const isAlone = all.every((other) => other === suspect || other.item !== suspect.item);
  if (isAlone) return suspect;
  const root = suspect.root.split(path.sep).slice(-2).join('/');
  return { ...suspect, item: `${suspect.source}:${root}/${suspect.folderName}` };
}

type Why = Suspect['why'];

function placeOf({ source, folderName, root, folder }: Pick<SkillEntry, 'source' | 'folderName' | 'root' | 'folder'>) {
  return { item: `${source}:${folderName}`, source, folderName, root, folder };
}

function unused(skill: SkillEntry, { now, usageOf, changedAt }: Knowledge): Why {
  if (skill.kind === 'prompt') return [];
  const { count, lastUsed } = usageOf(skill);
  const days = Math.floor((now - Math.max(lastUsed ?? 0, changedAt(skill.folder))) / DAY_MS);
  if (days < UNUSED_DAYS) return [];
  const detail =
    count === 0
      ? { en: `never used in ${days} days`, zh: `${days} 天内从未使用` }
      : { en: `not used for ${days} days`, zh: `${days} 天未使用` };
  return [{ reason: 'unused', detail }];
}

/** The first of equal ones is the one that is found; the others are its copies. */
function duplicate(skill: SkillEntry, all: readonly SkillEntry[], digests: ReadonlyMap<string, string>): Why {
  const digest = digests.get(skill.folder);
  const first = all.find(({ folder }) => digests.get(folder) === digest);
  if (!digest || !first || first === skill) return [];
  const shown = visible(`${first.source}:${first.folderName}`);
  return [{ reason: 'duplicate', detail: { en: `the same files as ${shown}`, zh: `与 ${shown} 文件相同` } }];
}

function shadowed({ state, shadowedBy }: SkillEntry): Why {
  if (state !== 'shadowed') return [];
  const shown = visible(shadowedBy ?? '');
  return [{ reason: 'shadowed', detail: { en: `hidden behind ${shown}`, zh: `被 ${shown} 遮蔽` } }];
}

function risky(skill: SkillEntry, { risksOf }: Knowledge): Why {
  const risks = risksOf?.(skill) ?? [];
  const text = risks.map(visible).join(', ');
  return risks.length === 0 ? [] : [{ reason: 'risky', detail: { en: text, zh: text } }];
}

function invalid({ file, folderName, source, diagnostics }: InvalidSkill, { digestOf }: Knowledge): Suspect {
  const folder = absolutePath(path.dirname(file));
  const root = path.resolve(folder, ...folderName.split('/').map(() => '..'));
  const said = visible(diagnostics.find(({ severity }) => severity === 'error')?.message ?? 'SKILL.md');
  const why = [{ reason: 'invalid', detail: { en: said, zh: said } }] as const;
  return { ...placeOf({ source, folderName, root, folder }), name: folderName, digest: digestOf(folder), why };
}
