// Which packages a skill needs, out of the texts of its files: declared, stated and imported; nothing of it is run.

import type { SourceText } from '../../skill/need/read.ts';
import { type EmbeddedCode, readShell, type ShellParser } from '../../skill/need/shell.ts';
import type { Manifest } from '../../skill/skill.ts';
import {
  type DeclaredNames,
  declaredNames,
  type ImportedPackage,
  type ImportingFile,
  packagesOfImports,
} from './import-package.ts';
import { readInstallLines } from './install-text.ts';
import { readNodeImports } from './javascript-import.ts';
import { isLockFile, readLockFile } from './lock-file.ts';
import { type FoundPackages, type PackageMention, type UnreadPackages, unread } from './mention.ts';
import { mergeMentions } from './merge.ts';
import { readFrontmatter } from './openclaw.ts';
import { type OwnModules, ownModules } from './own-module.ts';
import { readPackageJson } from './package-json.ts';
import { type ReadManifest, readPyproject } from './pyproject.ts';
import { modulesInText } from './python-import.ts';
import { STANDARD } from './python-standard.ts';
import { readRequirementFiles } from './requirements-file.ts';
import { readScriptBlock } from './script-block.ts';

export interface FindOptions {
  readonly manifest: Manifest;
  /** Of all files of the skill, those too that are not read. */
  readonly paths: readonly string[];
  /** The standard library as the Python at hand names it. */
  readonly standard?: ReadonlySet<string> | undefined;
  /** Finds code of other languages inside shell scripts. */
  readonly shell?: ShellParser | undefined;
}

/** Never throws for what is in a file. */
export function findPackages(files: readonly SourceText[], options: FindOptions): FoundPackages {
  const declared = readDeclared(files, options.manifest);
  const stated = files.flatMap(({ path, kind, text }) => readInstallLines(path, kind, text));
  const said = [...declared.mentions, ...stated];
  const names = said.filter(({ ecosystem }) => ecosystem === 'python').map(({ name }) => name);
  const around = {
    own: withoutOwn(ownModules(options.paths), declared.own),
    standard: options.standard ? new Set([...options.standard, ...STANDARD]) : STANDARD,
    declared: declaredNames(names),
  };
  const codes = files.flatMap((file) => codesOf(file, options.shell));
  const python = codes.flatMap((code) =>
    'modules' in code ? packagesOfImports({ ...code, block: declared.blocks.get(code.path) }, around) : [],
  );
  const node = codes.flatMap((code) => ('modules' in code ? [] : nodeMentions(code, declared.own)));
  const locks = files.flatMap(({ path, text }) => readLockFile(path, text) ?? []);
  const found = mergeMentions({ mentions: [...said, ...python, ...node], constraints: declared.constraints, locks });
  const odd = files.filter(({ path }) => isLockFile(path) && !locks.some(({ file }) => file === path));
  return {
    ...found,
    unread: [...declared.unread, ...odd.map(({ path }) => unread(path, 1, 'not-understood', 'lock'))],
  };
}

interface Declared extends Omit<ReadManifest, 'own'> {
  readonly own: ReadonlySet<string>;
  readonly constraints: ReturnType<typeof readRequirementFiles>['constraints'];
  /** Python packages by the script whose block declares them. */
  readonly blocks: ReadonlyMap<string, DeclaredNames>;
}

function readDeclared(files: readonly SourceText[], manifest: Manifest): Declared {
  const ofKind = (shape: RegExp) => files.filter(({ kind, path }) => kind === 'packages' && shape.test(path));
  const lists = new Map(ofKind(/\.(?:txt|in)$/).map(({ path, text }) => [path, text]));
  const requirements = readRequirementFiles(lists);
  const manifests = [
    ...ofKind(/(?:^|\/)pyproject\.toml$/).map(({ path, text }) => readPyproject(path, text)),
    ...ofKind(/(?:^|\/)package\.json$/).map(({ path, text }) => readPackageJson(path, text)),
  ];
  const blocks = files.flatMap(({ path, kind, text }) => {
    const block = kind === 'python' ? readScriptBlock(path, text) : undefined;
    return block ? [{ path, ...block }] : [];
  });
  const own = manifests.flatMap((one) => one.own);
  const instructions = files.find(({ kind }) => kind === 'instructions');
  const mentions: PackageMention[] = [
    ...requirements.mentions,
    ...manifests.flatMap((one) => one.mentions),
    ...blocks.flatMap((one) => one.mentions),
    ...readFrontmatter(manifest, instructions?.path ?? 'SKILL.md', instructions?.text ?? ''),
  ];
  const left: UnreadPackages[] = [requirements, ...manifests, ...blocks].flatMap((one) => one.unread);
  return {
    mentions: mentions.filter(({ name }) => !own.includes(name)),
    unread: left,
    own: new Set(own),
    constraints: requirements.constraints,
    blocks: new Map(blocks.map((one) => [one.path, declaredNames(one.mentions.map(({ name }) => name))])),
  };
}

function withoutOwn(modules: OwnModules, own: ReadonlySet<string>): OwnModules {
  return { has: (name, file, isKnown) => own.has(name.replaceAll('_', '-')) || modules.has(name, file, isKnown) };
}

type NodeFile = Pick<ImportingFile, 'path' | 'text'> & { readonly offset: number };

function codesOf(
  { path, kind, text, facts }: SourceText,
  shell: ShellParser | undefined,
): (ImportingFile | NodeFile)[] {
  if (kind === 'python') return [{ path, text, modules: facts?.modules ?? modulesInText(text) }];
  if (kind === 'javascript') return [{ path, text, offset: 0 }];
  const inside = kind === 'shell' && shell ? readShell(text, shell).embedded : [];
  return inside.map((code) => embedded(path, code));
}

function embedded(path: string, { language, text, line }: EmbeddedCode): ImportingFile | NodeFile {
  if (language === 'javascript') return { path, text, offset: line - 1 };
  const modules = modulesInText(text).map((one) => ({ ...one, line: one.line + line - 1 }));
  return { path, text, modules };
}

function nodeMentions(
  { path, text, offset }: NodeFile,
  own: ReadonlySet<string>,
): (PackageMention & Pick<ImportedPackage, 'module'>)[] {
  return readNodeImports(text)
    .filter(({ name }) => !own.has(name))
    .map(({ name, spec, line, optional }) => ({
      ecosystem: 'node',
      name,
      spec,
      extras: [],
      marker: '',
      certainty: 'imported',
      use: optional ? 'optional' : 'needed',
      file: path,
      line: line + offset,
      module: name,
    }));
}
