// Names as the Skills extension wants them: lowercase words with hyphens, each once.

const LONGEST = 64;

/** By the name in the registry; skills that would be called alike are numbered in its order. */
export function servedNames(names: readonly string[]): Map<string, string> {
  const taken = new Set(names.filter((name) => servedName(name) === name));
  const served = new Map<string, string>();
  for (const name of names) {
    const wanted = servedName(name);
    const own = wanted === name ? name : firstFree(wanted, taken);
    taken.add(own);
    served.set(name, own);
  }
  return served;
}

function servedName(name: string): string {
  const words = name
    .normalize('NFKD')
    .toLowerCase()
    .match(/[a-z0-9]+/g) ?? ['skill'];
  return words.join('-').slice(0, LONGEST).replace(/-$/, '');
}

function firstFree(wanted: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number++) {
    const end = number === 1 ? '' : `-${number}`;
    const name = `${wanted.slice(0, LONGEST - end.length).replace(/-$/, '')}${end}`;
    if (!taken.has(name)) return name;
  }
}
