// The settings of a repository as a call sees them: git needs them, but neither credentials nor anything that runs.

/** What git needs to read a repository and to say whose work it is. */
const KEPT: Readonly<Record<string, readonly string[]>> = {
  core: [
    'repositoryformatversion',
    'filemode',
    'bare',
    'logallrefupdates',
    'ignorecase',
    'symlinks',
    'precomposeunicode',
  ],
  extensions: ['objectformat', 'refstorage'],
  user: ['name', 'email'],
  remote: ['url', 'fetch'],
  branch: ['remote', 'merge'],
};

/** Give the path below the project. */
export function isGitConfig(below: string): boolean {
  return /(?:^|\/)\.git\/config$/i.test(below);
}

/** Every line that is kept is written anew: what cannot be read for certain is left out. */
export function plainGitConfig(text: string): string {
  const lines: string[] = [];
  let kept: readonly string[] = [];
  for (const line of text.split('\n')) {
    const [, section = '', name] = /^\s*\[([a-z]+)(?: "([^"\\\]]*)")?\]\s*$/i.exec(line) ?? [];
    if (/^\s*\[/.test(line)) {
      kept = KEPT[section.toLowerCase()] ?? [];
      if (kept.length > 0) lines.push(name === undefined ? `[${section}]` : `[${section} "${name}"]`);
      continue;
    }
    const [, key = '', value = ''] = /^\s*([a-z]+)\s*=\s*([^#;"\\]*?)\s*$/i.exec(line) ?? [];
    if (kept.includes(key.toLowerCase())) lines.push(`\t${key} = ${withoutCredentials(value)}`);
  }
  return `${lines.join('\n')}\n`;
}

function withoutCredentials(value: string): string {
  return value.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/@]*@/i, '$1');
}
