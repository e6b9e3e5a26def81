// The refs of a repository, read as files: git is not asked, because it would obey the settings it finds there.

/** As `refs/heads/main`, with the object it names; symbolic refs other than HEAD are left out. */
export interface RepositoryRefs {
  readonly refs: ReadonlyMap<string, string>;
  readonly head: RefValue | undefined;
}

/** A name of another ref, or an object. */
export type RefValue = { readonly to: string } | { readonly id: string };

/** The files that refs are made of, by their path below `.git`. */
export interface RefFiles {
  /** Everything below `refs`. */
  readonly loose: readonly string[];
  /** Undefined where there is no such plain file. */
  read(path: string): string | undefined;
}

export function readRefs(files: RefFiles): RepositoryRefs {
  const refs = new Map(parsePackedRefs(files.read('packed-refs') ?? ''));
  for (const name of files.loose) {
    const value = parseRef(files.read(name) ?? '');
    if (value && 'id' in value) refs.set(name, value.id);
    else refs.delete(name);
  }
  return { refs, head: parseRef(files.read('HEAD') ?? '') };
}

const OBJECT_ID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

export function isObjectId(text: string): boolean {
  return OBJECT_ID.test(text);
}

function parseRef(text: string): RefValue | undefined {
  const line = text.trimEnd();
  if (isObjectId(line)) return { id: line };
  const [, to] = /^ref:\s*(refs\/.+)$/.exec(line) ?? [];
  return to === undefined ? undefined : { to };
}

/** Lines with `^` say what a tag leads to. */
function parsePackedRefs(text: string): [string, string][] {
  return text.split('\n').flatMap((line): [string, string][] => {
    const [, id = '', name = ''] = /^([0-9a-f]+) (refs\/.+)$/.exec(line) ?? [];
    return isObjectId(id) ? [[name, id]] : [];
  });
}
