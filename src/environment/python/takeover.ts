// What packages may not bring into a virtual environment: another interpreter, its settings, and code that runs whenever Python starts.
import { lstatSync, readFileSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { removeTree } from '../../base/files.ts';
import { entriesIfThere, namesIfThere, readTextIfThere } from '../../base/read-file.ts';
import type { PythonMachine } from '../build/machine.ts';
import { refusePackages } from '../build/refusal.ts';
import { configText, FIRST_FOLDER, ownLinks, sitePackages } from './virtual.ts';

/** Looked for beside an interpreter, or in front of the programs of the system. */
const OF_INTERPRETER = /^(?:python[\d.]*|pyvenv\.cfg|pybuilddir\.txt|.*\._pth)$/;
/** Imported by Python itself, before any script. */
const AT_START = /^(?:site|user)customize(?:\.|$)/;

/** Throws a Fault that names the package and its file. Returns the `.pth` files with code in them, which are removed. */
export function refuseTakeover(tree: string, machine: PythonMachine): string[] {
  const taken = [...strangers(tree, machine), ...changedOwn(tree, machine), ...startModules(tree)];
  if (taken.length > 0) {
    const named = taken.map((below) => `${ownerOf(tree, below)} (${below})`);
    throw refusePackages('takeover', [...new Set(named)]);
  }
  return startLines(tree).map((below) => {
    const named = `${path.basename(below)} (${ownerOf(tree, below)})`;
    removeTree(path.join(tree, below));
    return named;
  });
}

function strangers(tree: string, machine: PythonMachine): string[] {
  const own = ownLinks(machine);
  const beside = namesIfThere(path.join(tree, 'bin')).filter((name) => OF_INTERPRETER.test(name));
  const first = namesIfThere(path.join(tree, FIRST_FOLDER));
  const all = [...beside.map((name) => `bin/${name}`), ...first.map((name) => `${FIRST_FOLDER}/${name}`)];
  return all.filter((below) => !own.has(below));
}

/** An installer that writes over a link leaves a file. */
function changedOwn(tree: string, machine: PythonMachine): string[] {
  const links = [...ownLinks(machine)].filter(([below, text]) => linkText(path.join(tree, below)) !== text);
  const config = path.join(tree, 'pyvenv.cfg');
  const isOurs =
    lstatSync(config, { throwIfNoEntry: false })?.isFile() && readTextIfThere(config) === configText(machine);
  return [...links.map(([below]) => below), ...(isOurs ? [] : ['pyvenv.cfg'])];
}

function linkText(file: string): string | undefined {
  return lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() ? readlinkSync(file) : undefined;
}

function startModules(tree: string): string[] {
  return inSitePackages(tree, (name) => AT_START.test(name));
}

/** Python runs each line of them that begins with `import`, whatever it takes for a line. */
function startLines(tree: string): string[] {
  const named = inSitePackages(tree, (name) => /\.(?:pth|start)$/.test(name));
  return named.filter((below) => {
    const file = path.join(tree, below);
    if (!lstatSync(file).isFile()) return false;
    return below.endsWith('.start') || /import[ \t]/.test(readFileSync(file, 'latin1'));
  });
}

function inSitePackages(tree: string, isMeant: (name: string) => boolean): string[] {
  return sitePackages(tree).flatMap((folder) =>
    entriesIfThere(folder)
      .filter(({ name }) => isMeant(name))
      .map(({ name }) => path.relative(tree, path.join(folder, name))),
  );
}

/** The package whose record lists the file, as `name==version`. */
function ownerOf(tree: string, below: string): string {
  for (const folder of sitePackages(tree)) {
    const listed = path.relative(folder, path.join(tree, below));
    const isOwner = (info: string) =>
      (readTextIfThere(path.join(folder, info, 'RECORD')) ?? '')
        .split('\n')
        .some((line) => line.startsWith(`${listed},`) || line.startsWith(`${listed}/`));
    const info = namesIfThere(folder).find((name) => name.endsWith('.dist-info') && isOwner(name));
    if (info !== undefined) return info.replace(/\.dist-info$/, '').replace(/-([^-]+)$/, '==$1');
  }
  return 'a package';
}
