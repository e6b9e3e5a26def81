// Where the entries of the lists in agent.yaml stand, so that a finding can name its line.

/** Lines from 1; fewer than entries where the file is not written one entry below the other. */
export interface RoleLines {
  readonly skills: readonly number[];
  readonly schedule: readonly number[];
}

export function linesOf(text: string): RoleLines {
  const lines = text.split(/\r?\n/);
  return { skills: entryLines(lines, 'skills'), schedule: entryLines(lines, 'schedule') };
}

function entryLines(lines: readonly string[], key: string): number[] {
  const at = lines.findIndex((line) => new RegExp(`^${key}\\s*:`).test(line));
  if (at < 0) return [];
  const after = lines.slice(at + 1);
  const end = after.findIndex((line) => /^[^\s#-]/.test(line));
  const inside = end < 0 ? after : after.slice(0, end);
  const dash = /^\s*- /.exec(inside.find((line) => /^\s*-\s/.test(line)) ?? '')?.[0];
  if (dash === undefined) return [];
  return inside.flatMap((line, index) => (line.startsWith(dash) ? [at + index + 2] : []));
}
