// Packages of a skill as needs that people are shown: where found, how sure, whether they are there, and the one command that prepares them.
import path from 'node:path';
import { type Diagnostic, diagnose } from '../../base/diagnostic.ts';
import { visible } from '../../base/text.ts';
import type { FoundPackages, NeededPackage, UnreadPackages } from '../../environment/need/mention.ts';
import type { Certainty, PackageConflict } from '../../environment/need/package-need.ts';
import { calledName } from '../../registry/called-name.ts';
import type { Sureness } from '../../skill/need/need.ts';
import type { Runtime } from '../runtime.ts';
import { findPresent, type PackagePresence } from './package-present.ts';
import type { ReadableSkill } from './sources.ts';
import type { JudgedNeed, NeedySkill } from './state.ts';
import { whyUnread } from './unread-text.ts';

/** Brings the packages of a skill. */
export function prepareCommand(skill: Parameters<typeof calledName>[0]): string {
  return `skillwright prepare ${calledName(skill)}`;
}

/** `mayStart`: whether Python may be started to ask it. */
export async function judgePackages(
  { needs }: FoundPackages,
  skill: NeedySkill,
  runtime: Runtime,
  { mayStart }: { mayStart: boolean },
): Promise<JudgedNeed[]> {
  const found = await findPresent(needs, skill, runtime, { mayStart });
  return needs.map((need, at) => judged(need, found[at] ?? { state: 'missing' }, prepareCommand(skill)));
}

const SURE: Readonly<Record<Certainty, Sureness>> = {
  declared: 'declared',
  imported: 'literal',
  stated: 'likely',
  guessed: 'likely',
};

function judged(need: NeededPackage, { state, version }: PackagePresence, command: string): JudgedNeed {
  const { name, certainty, ecosystem, spec, optional, foundIn } = need;
  return {
    kind: 'package',
    name,
    sure: SURE[certainty],
    places: foundIn.map((place) => ({ ...place, how: howFound(need) })),
    state,
    command: state === 'present' ? null : command,
    package: { ecosystem, spec, certainty, optional, ...(version !== undefined && { version }) },
  };
}

function howFound({ certainty, imports, name, foundIn: [first] }: NeededPackage): string {
  if (certainty === 'stated') return 'install line';
  return certainty === 'declared' ? path.posix.basename(first?.file ?? '') : `import ${imports[0] ?? name}`;
}

/** What was not read of its packages, and what cannot be had together. */
export function packageDiagnostics({ folder }: ReadableSkill, { conflicts, unread }: FoundPackages): Diagnostic[] {
  return [
    ...conflicts.map((conflict) => tellConflict(folder, conflict)),
    ...unread.map((one) => tellUnread(folder, one)),
  ];
}

function tellConflict(folder: string, { name, specs }: PackageConflict): Diagnostic {
  const named = specs.map(({ spec, foundIn: { file, line } }) => `${spec} (${file}:${line})`).map(visible);
  const [first] = specs;
  return diagnose({
    code: 'packages-conflict',
    severity: 'warning',
    path: path.join(folder, first?.foundIn.file ?? ''),
    line: first?.foundIn.line ?? 1,
    message: {
      en: `No version of ${visible(name)} is all of these: ${named.join(', ')}`,
      zh: `${visible(name)} 没有同时满足以下要求的版本: ${named.join('、')}`,
    },
  });
}

function tellUnread(folder: string, { file, line, kind, what }: UnreadPackages): Diagnostic {
  const why = whyUnread(kind);
  return diagnose({
    code: 'packages-not-read',
    severity: 'warning',
    path: path.join(folder, file),
    line,
    message: { en: `${visible(what)} ${why.en}`, zh: `${visible(what)} ${why.zh}` },
  });
}
