// The skill a name stands for, or a failure that says why there is none: damaged, empty, or which name was meant.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { speak } from '../base/diagnostic.ts';
import { Fault } from '../base/errors.ts';
import { visible } from '../base/text.ts';
import type { Index, InvalidSkill, SkillEntry } from '../registry/discover.ts';
import { resolveSkill } from '../registry/resolve.ts';
import type { Source } from '../skill/skill.ts';

export function skillNamed(index: Index, written: string, source?: Source): SkillEntry {
  const resolved = resolveSkill(index, written, source ? { source } : {});
  if ('found' in resolved) return resolved.found;
  const { missing, suggestions } = resolved;
  const damaged = index.invalid.find(
    (one) => one.folderName === missing && (source === undefined || one.source === source),
  );
  if (damaged) throw damagedSkill(damaged);
  const empty = /^[\w.-]+$/.test(missing) && index.roots.find(({ folder }) => existsSync(path.join(folder, missing)));
  if (empty) throw withoutFile(path.join(empty.folder, missing));
  const list = suggestions.map(visible).join(', ');
  throw new Fault('SkillNotFound', visible(missing), {
    details: { skill: missing, suggestions },
    ...(list !== '' && { hint: { en: `Did you mean ${list}?`, zh: `您是否想找 ${list}？` } }),
  });
}

/** The first thing that keeps it from being a skill, and the command that names them all. */
export function damagedSkill({ file, diagnostics }: InvalidSkill): Fault {
  const first = diagnostics.find(({ severity }) => severity === 'error') ?? diagnostics[0];
  const place = visible(first?.line === undefined ? file : `${file}:${first.line}`);
  const detail = first ? `${place}: ${visible(first.message)}` : place;
  const command = `skillwright validate ${visible(path.dirname(file))}`;
  return new Fault('MetadataMissing', detail, {
    details: { diagnostics: speak(diagnostics, 'en') },
    hint: { en: `\`${command}\` says what to fix.`, zh: `\`${command}\` 说明需修正之处。` },
  });
}

function withoutFile(folder: string): Fault {
  const shown = visible(folder);
  return new Fault('MetadataMissing', shown, {
    hint: { en: `Put a SKILL.md into ${shown}.`, zh: `请在 ${shown} 中放入 SKILL.md。` },
  });
}
