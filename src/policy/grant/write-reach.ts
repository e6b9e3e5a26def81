// Which changes of a project a standing permission covers: all that are plain, those at and below given paths, or none.

export type WriteReach = boolean | readonly string[];

/** `path` is below the project. */
export function reaches(reach: WriteReach, path: string): boolean {
  if (typeof reach === 'boolean') return reach;
  return reach.some((one) => path === one || path.startsWith(`${one}/`));
}

/** What both cover. */
export function narrower(one: WriteReach, other: WriteReach): WriteReach {
  if (typeof one === 'boolean') return one && other;
  if (typeof other === 'boolean') return other && one;
  const both = [...one.filter((path) => reaches(other, path)), ...other.filter((path) => reaches(one, path))];
  return [...new Set(both)];
}
