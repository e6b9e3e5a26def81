// From what Python code imports to packages of the index: by the table, by what the skill declares, else by a guess, and never for its own modules.
import type { CodeModule } from '../../skill/need/code-facts.ts';
import type { PackageMention } from './mention.ts';
import type { OwnModules } from './own-module.ts';
import { packagesOfImport } from './python-names.ts';
import { normalName } from './requirement.ts';

export interface ImportSurroundings {
  readonly own: OwnModules;
  readonly standard: ReadonlySet<string>;
  /** Python packages that the skill declares or says to install. */
  readonly declared: DeclaredNames;
}

/** Names as they are declared, by themselves and by what they probably bring. */
export type DeclaredNames = ReadonlyMap<string, string>;

/** `python-x`, `pyx`, `x-python` and `x-sdk` often bring `x`. */
export function declaredNames(names: readonly string[]): DeclaredNames {
  const brought = (name: string) => name.replace(/^(?:python3?-|py-?)|(?:-python|-py|-sdk|-client|-api)$/g, '');
  return new Map([
    ...names.map((name) => [brought(name), name] as const),
    ...names.map((name) => [name, name] as const),
  ]);
}

export interface ImportingFile {
  readonly path: string;
  readonly text: string;
  readonly modules: readonly CodeModule[];
  /** What its own block declares; undefined where it has none. */
  readonly block?: DeclaredNames | undefined;
}

export interface ImportedPackage extends PackageMention {
  /** What of it code imports. */
  readonly module: string;
}

export function packagesOfImports(file: ImportingFile, around: ImportSurroundings): ImportedPackage[] {
  const found = file.modules.flatMap((module) =>
    wanted(module).flatMap((name) => packageOf(name, module, file, around) ?? []),
  );
  // Of each the first place, and one where it may not fail before others.
  const ordered = found.toSorted((a, b) => Number(a.use === 'optional') - Number(b.use === 'optional'));
  return [...Map.groupBy(ordered, ({ name, module }) => `${name} ${module}`).values()].flatMap(
    ([first]) => first ?? [],
  );
}

/** `from google.cloud import storage` is about `google.cloud.storage`, where the table knows that. */
function wanted({ name, names }: CodeModule): string[] {
  const longer = names
    .map((one) => `${name}.${one}`)
    .filter((one) => (packagesOfImport(one)?.name.length ?? 0) > name.length);
  return longer.length > 0 ? longer : [name];
}

function packageOf(
  module: string,
  { line, optional }: CodeModule,
  file: ImportingFile,
  around: ImportSurroundings,
): ImportedPackage | undefined {
  const [top = ''] = module.split('.');
  const known = packagesOfImport(module);
  if (around.standard.has(top) || around.own.has(top, file.path, known !== undefined)) return undefined;
  const isDeclared = (name: string) => around.declared.get(name) === name;
  const name = known ? (known.packages.find(isDeclared) ?? known.packages[0]) : unknownPackage(module, file, around);
  if (name === undefined) return undefined;
  const certainty = known || isDeclared(name) ? 'imported' : 'guessed';
  const use = optional ? 'optional' : 'needed';
  const place = { file: file.path, line };
  return {
    ecosystem: 'python',
    name,
    spec: '',
    extras: [],
    marker: '',
    certainty,
    use,
    ...place,
    module: known?.name ?? top,
  };
}

/** Several packages share these; the part behind says which. */
const SHARED: ReadonlySet<string> = new Set([
  'google',
  'azure',
  'zope',
  'snowflake',
  'backports',
  'jaraco',
  'sphinxcontrib',
]);
const STANDS_FOR_OTHERS =
  /^(?:your|my|some|example)_?(?:module|package|script|lib|library|app|project|code)?\d*$|^(?:foo|bar|baz|module|package)$/i;
/** What authors call folders of their own code. */
const OF_AUTHORS =
  /^(?:_.*|src|lib|libs|app|apps|scripts?|utils?|helpers?|common|core|config|settings|models?|tests?|shared|tools?|main|constants|types|schemas?)$/;
const OWN_PATH = /\bsys\.path\.(?:insert|append|extend)\b|\bsite\.addsitedir\b/;

function unknownPackage(
  module: string,
  { text, block }: ImportingFile,
  { declared }: ImportSurroundings,
): string | undefined {
  const [top = '', ...below] = module.split('.');
  const name = normalName(SHARED.has(top) ? [top, ...below.slice(0, 2)].join('-') : top);
  const alike = block?.get(name) ?? declared.get(name);
  if (alike !== undefined) return alike;
  // The block of a script declares all it needs: its packages bring modules of other names.
  if (block !== undefined && block.size > 0) return undefined;
  const isOfAuthor = STANDS_FOR_OTHERS.test(top) || OF_AUTHORS.test(top) || OWN_PATH.test(text);
  return isOfAuthor ? undefined : name;
}
