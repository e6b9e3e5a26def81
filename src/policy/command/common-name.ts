// The common name of a program: every version of Python is `python`, every spelling of Node is `node`.

/** python3, python3.12 and python2 all mean the one Python there is: version 3. */
export function commonName(program: string): string {
  const name = program.toLowerCase().replace(/\.exe$/, '');
  if (/^python[\d.]*$/.test(name)) return 'python';
  if (/^(?:nodejs|node)$/.test(name)) return 'node';
  return name.replace(/[\d.]+$/, '') || name;
}
