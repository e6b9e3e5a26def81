// A virtual environment without anything of the folder it lies in: links to the interpreter, and scripts that find it beside them.
import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { makeFolder, makeLink, removeTree, setMode, writeNewFile } from '../../base/files.ts';
import { namesIfThere } from '../../base/read-file.ts';
import type { PythonMachine } from '../build/machine.ts';

/** In front of the programs of the system: nothing that a package brings. */
export const FIRST_FOLDER = 'first';
export const PYTHON = 'bin/python3';

/** As `python -m venv --without-pip` makes it. */
export function makeVirtual(tree: string, machine: PythonMachine): void {
  makeFolder(path.join(tree, 'bin'), 0o755);
  makeFolder(path.join(tree, FIRST_FOLDER), 0o755);
  makeFolder(path.join(tree, 'lib', `python${minorOf(machine)}`, 'site-packages'), 0o755);
  for (const [below, text] of ownLinks(machine)) makeLink(path.join(tree, below), text);
  writeConfig(tree, machine, false);
}

/** What leads to the interpreter, by its path in the tree. */
export function ownLinks(machine: Facts): ReadonlyMap<string, string> {
  return new Map([
    ['lib64', 'lib'],
    [PYTHON, machine.base],
    ['bin/python', 'python3'],
    [`bin/python${minorOf(machine)}`, 'python3'],
    [`${FIRST_FOLDER}/python`, '../bin/python3'],
    [`${FIRST_FOLDER}/python3`, '../bin/python3'],
  ]);
}

type Facts = Pick<PythonMachine, 'base' | 'version'>;

function minorOf({ version }: Facts): string {
  return version.split('.').slice(0, 2).join('.');
}

/** `isolated`: the packages of the machine are not seen. */
export function writeConfig(tree: string, machine: Facts, isolated: boolean): void {
  const file = path.join(tree, 'pyvenv.cfg');
  removeTree(file);
  writeNewFile(file, configText(machine, isolated), { mode: 0o644 });
}

export function configText({ base, version }: Facts, isolated = false): string {
  const lines = [`home = ${path.dirname(base)}`, `include-system-site-packages = ${!isolated}`, `version = ${version}`];
  return `${lines.join('\n')}\n`;
}

const BESIDE = `#!/bin/sh
'''exec' "$(dirname -- "$(realpath -- "$0")")/python3" "$0" "$@"
' '''
`;
/** As pip writes it, in one line or, where the path is long or has blanks, in three. */
const OWN_FIRST_LINES = /^#!(?:\/bin\/sh\n'''exec' [^\n]*python[^\n]*\n' '''\n|[^\n]*python[^\n]*\n)/;

/** The same bytes wherever it was built: scripts name no folder, and neither does what is recorded of them. */
export function freeScripts(tree: string): void {
  const bin = path.join(tree, 'bin');
  const changed = readdirSync(bin).filter((name) => freeScript(path.join(bin, name)));
  if (changed.length === 0) return;
  for (const folder of sitePackages(tree)) {
    const records = namesIfThere(folder).filter((name) => name.endsWith('.dist-info'));
    for (const name of records) correctRecord(path.join(folder, name, 'RECORD'), bin, changed);
  }
}

export function sitePackages(tree: string): string[] {
  const lib = path.join(tree, 'lib');
  return namesIfThere(lib).map((name) => path.join(lib, name, 'site-packages'));
}

function freeScript(file: string): boolean {
  if (!lstatSync(file).isFile()) return false;
  const text = readFileSync(file, 'latin1');
  if (!OWN_FIRST_LINES.test(text)) return false;
  rewrite(file, text.replace(OWN_FIRST_LINES, BESIDE), 0o755);
  return true;
}

function correctRecord(record: string, bin: string, changed: readonly string[]): void {
  if (!lstatSync(record, { throwIfNoEntry: false })?.isFile()) return;
  const lines = readFileSync(record, 'latin1').split('\n');
  const corrected = lines.map((line) => {
    const [, place, name] = /^((?:\.\.\/)+bin\/([^,"/]+)),sha256=/.exec(line) ?? [];
    if (place === undefined || name === undefined || !changed.includes(name)) return line;
    const bytes = readFileSync(path.join(bin, name));
    const end = line.endsWith('\r') ? '\r' : '';
    return `${place},sha256=${createHash('sha256').update(bytes).digest('base64url')},${bytes.length}${end}`;
  });
  const text = corrected.join('\n');
  if (text !== lines.join('\n')) rewrite(record, text, 0o644);
}

function rewrite(file: string, text: string, mode: number): void {
  removeTree(file);
  writeNewFile(file, Buffer.from(text, 'latin1'), { mode });
  setMode(file, mode);
}
