// Whether a name that Python code imports is a module of the skill itself.

export interface OwnModules {
  /** Beside the importing file or in a folder above it; anywhere in the skill, where no table knows the name. */
  has(name: string, file: string, isKnown: boolean): boolean;
}

/** `paths`: of all files of the skill. */
export function ownModules(paths: readonly string[]): OwnModules {
  const near = new Set<string>();
  const anywhere = new Set<string>();
  for (const path of paths.filter((one) => /\.(?:pyw?|pyi|so|pyd)$/.test(one))) {
    const parts = path.split('/');
    const name = (parts.pop() ?? '').replace(/\..*$/, '');
    near.add([...parts, name].join('/'));
    near.add(parts.join('/'));
    for (const one of [...parts, name]) anywhere.add(one);
  }
  return {
    has(name, file, isKnown) {
      if (!isKnown && anywhere.has(name)) return true;
      const folders = file.split('/').slice(0, -1);
      return folders.some((_, at) => near.has([...folders.slice(0, at + 1), name].join('/'))) || near.has(name);
    },
  };
}
