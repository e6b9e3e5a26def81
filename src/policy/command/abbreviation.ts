// Long options as getopt reads them.

/** Any beginning of a long option may stand for it. */
export function isAbbreviation(name: string, option: string): boolean {
  return name === option || (name.startsWith('--') && name.length > 2 && option.startsWith(name));
}
