// A skill as `--json` carries it: the names of the file formats, not those of the code.
import type { Config } from '../../config/value.ts';
import type { SkillEntry } from '../../registry/discover.ts';
import { describeControls } from '../../skill/controls.ts';
import type { Kind, Manifest } from '../../skill/skill.ts';

export function describeSkill(skill: SkillEntry) {
  const { manifest } = skill;
  return {
    skill_id: skill.skillId,
    name: skill.name,
    folder_name: skill.folderName,
    source: skill.source,
    kind: skill.kind,
    description: manifest.description,
    version: manifest.version ?? null,
    path: skill.file,
    controls: describeControls(manifest),
    state: skill.state,
    ...(skill.shadowedBy !== undefined && { shadowed_by: skill.shadowedBy }),
  };
}

export function describeManifest(manifest: Manifest): Record<string, unknown> {
  return Object.fromEntries(Object.entries(manifest).map(([key, value]) => [snakeCase(key), value]));
}

/** Seconds a skill of this kind may take; a command may only ask for less than the settings say. */
export function describeLimits(
  kind: Kind,
  { timeout }: Manifest,
  { timeoutSeconds, scriptSeconds, commandSeconds }: Config['limits'],
): { timeout: number | null } {
  if (kind === 'prompt') return { timeout: null };
  const limit = kind === 'protocol' ? (timeout ?? scriptSeconds) : Math.min(timeout ?? commandSeconds, commandSeconds);
  return { timeout: Math.min(limit, timeoutSeconds) };
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
