// A name as people may write it: its parts joined by a space, a hyphen or an underscore.

export function wordPattern(name: string): string {
  return name
    .split(/[\s_-]+/)
    .map((part) => part.replace(/[^\p{L}\p{N}]/gu, '\\$&'))
    .join('[ _-]');
}
