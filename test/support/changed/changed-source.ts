// Runs the product with a line of its source changed, in this process or in another: guards have no off switch, so
// a positive control takes the guard out of the text and shows that the attack then succeeds.
//
//   const { readArchive } = await changed<typeof import('./archive.ts')>('src/distribution/archive/archive.ts', {
//     from: 'if (isReserved(name)) throw new Fault(…);', to: '',
//   });
//   await runCli(['install', 'evil.zip'], { cwd, home, change: { file: 'src/…', from: '…', to: '…' } });
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { applyChange, assertApplicable, type Change, repository } from './change.ts';

export type { Change } from './change.ts';

/** Graphs in use, by the tag that the URLs of their modules end with. */
const graphs = new Map<string, readonly Change[]>();
const importsOf = new Map<string, readonly string[]>();
const TAG = /\?(changed=\d+)$/;

/**
 * The module `entry` with changes applied to it or to files it imports; a change without `file` is one of `entry`.
 * Modules that lead to a changed file are loaded anew, all others are the ones every test has: classes and state agree.
 */
export async function changed<Module>(
  entry: string,
  ...wanted: readonly (Omit<Change, 'file'> & { readonly file?: string })[]
): Promise<Module> {
  const changes = wanted.map((change) => ({ file: entry, ...change }));
  assertApplicable(changes);
  for (const { file } of changes) assert.ok(leadsTo(entry, [file]), `changed source: ${entry} does not import ${file}`);
  return (await import(`${urlOf(entry)}?${tagFor(changes)}`)) as Module;
}

/** How to start Node so that a whole process runs with the changes; without changes, with those of this process. */
export function changedProcess(changes: readonly Change[] = []): { nodeArgs: string[]; env: Record<string, string> } {
  const inherited = JSON.parse(process.env.CHANGED_SOURCE ?? '[]') as Change[];
  const all = [...inherited, ...changes];
  if (all.length === 0) return { nodeArgs: [], env: {} };
  assertApplicable(all);
  return {
    nodeArgs: ['--import', path.join(import.meta.dirname, 'changed-process.ts')],
    env: { CHANGED_SOURCE: JSON.stringify(all), ...compiledCodeOfChanged() },
  };
}

/** Apart from what true sources compile to: the changed text has the name of the true one, and would take its place. */
function compiledCodeOfChanged(): Record<string, string> {
  const folder = process.env.NODE_COMPILE_CACHE?.replace(/(?:-changed)?$/, '-changed');
  return folder ? { NODE_COMPILE_CACHE: folder } : { NODE_DISABLE_COMPILE_CACHE: '1' };
}

function tagFor(changes: readonly Change[]): string {
  const same = [...graphs].find(([, known]) => JSON.stringify(known) === JSON.stringify(changes));
  if (same) return same[0];
  if (graphs.size === 0) registerHooks({ resolve: passTagOn, load: loadTagged });
  const tag = `changed=${graphs.size + 1}`;
  graphs.set(tag, changes);
  return tag;
}

type Hooks = Required<Parameters<typeof registerHooks>[0]>;

const passTagOn: Hooks['resolve'] = (specifier, context, nextResolve) => {
  const resolved = nextResolve(specifier, context);
  const tag = TAG.exec(context.parentURL ?? '')?.[1] ?? '';
  const files = graphs.get(tag)?.map(({ file }) => file);
  if (!files || !resolved.url.startsWith(urlOf('src/'))) return resolved;
  return leadsTo(fileOf(resolved.url), files) ? { ...resolved, url: `${resolved.url}?${tag}` } : resolved;
};

const loadTagged: Hooks['load'] = (url, context, nextLoad) => {
  const loaded = nextLoad(url, context);
  const changes = graphs.get(TAG.exec(url)?.[1] ?? '')?.filter(({ file }) => file === fileOf(url)) ?? [];
  return changes.length > 0 ? { ...loaded, source: changes.reduce(applyChange, String(loaded.source)) } : loaded;
};

/** Whether one of the files is `from` or is imported from there, over however many modules. */
function leadsTo(from: string, files: readonly string[], seen = new Set<string>()): boolean {
  if (files.includes(from)) return true;
  seen.add(from);
  return importedBy(from).some((file) => !seen.has(file) && leadsTo(file, files, seen));
}

/** The relative imports of a source file that are left when types are stripped; literal dynamic ones, too. */
function importedBy(file: string): readonly string[] {
  const known = importsOf.get(file);
  if (known) return known;
  const text = file.endsWith('.ts') ? readFileSync(path.join(repository, file), 'utf8') : '';
  const imports = text.matchAll(
    /^(?:import|export)\s(?!type\s)(?:[^;'"]*?from )?'(\.[^']+)'|\bimport\('(\.[^']+)'\)/gm,
  );
  const found = [...imports].map(([, still, later]) => path.join(path.dirname(file), still ?? later ?? ''));
  importsOf.set(file, found);
  return found;
}

function urlOf(file: string): string {
  return pathToFileURL(path.join(repository, file)).href;
}

function fileOf(url: string): string {
  return path.relative(repository, fileURLToPath(url));
}
