// The skill a name stands for, or a failure that says why there is none: damaged, empty, elsewhere, or which name was meant.

import { existsSync } from 'node:fs';
import path from 'node:path';
import { speak } from '../base/diagnostic.ts';
import { Fault } from '../base/errors.ts';
import { typedWord } from '../base/text/shell-word.ts';
import { visible } from '../base/text.ts';
import type { Source } from '../skill/skill.ts';
import type { Index, InvalidSkill, SkillEntry } from './discover.ts';
import { resolveSkill } from './resolve.ts';

export function skillNamed(index: Index, written: string, source?: Source): SkillEntry {
  const resolved = resolveSkill(index, written, source ? { source } : {});
  if ('found' in resolved) return resolved.found;
  if ('damaged' in resolved) throw damagedSkill(resolved.damaged);
  const { missing, suggestions } = resolved;
  const empty = findEmpty(index, missing, source);
  if (empty !== undefined) throw withoutFile(empty);
  throw unknownSkill(missing, withOtherSource(index, missing, suggestions));
}

/** The first thing that keeps it from being a skill, and the command that names them all. */
export function damagedSkill({ file, diagnostics }: InvalidSkill): Fault {
  const first = diagnostics.find(({ severity }) => severity === 'error') ?? diagnostics[0];
  const place = visible(first?.line === undefined ? file : `${file}:${first.line}`);
  const says = (message: string) => `${place}: ${visible(message)}`;
  const command = `skillwright validate ${typedWord(path.dirname(file))}`;
  return new Fault('MetadataMissing', first ? { en: says(first.message), zh: says(first.zh.message) } : place, {
    details: { diagnostics: speak(diagnostics, 'en') },
    hint: { en: `\`${command}\` says what to fix.`, zh: `\`${command}\` 说明需修正之处。` },
  });
}

/** A folder that has the name and no SKILL.md. */
function findEmpty({ roots }: Index, name: string, source: Source | undefined): string | undefined {
  if (!/^[\w.-]+$/.test(name)) return undefined;
  return roots
    .filter((root) => source === undefined || root.source === source)
    .map(({ folder }) => path.join(folder, name))
    .find((folder) => existsSync(folder) && !existsSync(path.join(folder, 'SKILL.md')));
}

function withoutFile(folder: string): Fault {
  const shown = visible(folder);
  return new Fault('MetadataMissing', shown, {
    hint: { en: `Put a SKILL.md into ${shown}.`, zh: `请在 ${shown} 中放入 SKILL.md。` },
  });
}

/** Who asks for one source is told which other has it. */
function withOtherSource(index: Index, name: string, suggestions: readonly string[]): readonly string[] {
  const elsewhere = resolveSkill(index, name);
  return 'found' in elsewhere ? [`${elsewhere.found.source}:${name}`] : suggestions;
}

function unknownSkill(missing: string, suggestions: readonly string[]): Fault {
  const list = suggestions.map(visible).join(', ');
  return new Fault('SkillNotFound', visible(missing), {
    details: { skill: missing, suggestions },
    ...(list !== '' && { hint: { en: `Did you mean ${list}?`, zh: `您是否想找 ${list}？` } }),
  });
}
