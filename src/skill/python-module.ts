// Finds the file that `python -m` would run, among the files of a skill: modules of anybody else are not run by its name.
import { Fault } from '../base/errors.ts';
import { didYouMean } from '../base/text/did-you-mean.ts';
import { visible } from '../base/text.ts';
import type { DigestFile } from './digest.ts';
import { isFileOf } from './file-of.ts';

/** Below the folder of the skill, in Python's order: a package before a module, a folder without `__init__.py` last. */
export function findModule(
  module: string,
  { name, folder }: { readonly name: string; readonly folder: string },
  files: readonly DigestFile[],
): string {
  const steps = module.split('.');
  const below = steps.join('/');
  const isThere = (file: string) => isFileOf({ folder, files }, file);
  const isPackage = isThere(`${below}/__init__.py`);
  const candidates = isPackage ? [`${below}/__main__.py`] : [`${below}.py`, `${below}/__main__.py`];
  const found = steps.every(isModuleName) ? candidates.find(isThere) : undefined;
  if (found !== undefined) return found;
  const modules = files.flatMap(({ path }) => moduleAt(path) ?? []);
  const list = modules.slice(0, MOST_NAMES).map(visible).join(', ');
  throw new Fault(
    'ScriptNotFound',
    { en: `${name} has no module ${visible(module)}`, zh: `${name} 没有模块 ${visible(module)}` },
    didYouMean(module, modules, {
      en: list === '' ? 'The skill has no Python modules.' : `Modules of ${name}: ${list}`,
      zh: list === '' ? '该技能没有 Python 模块。' : `${name} 的模块: ${list}`,
    }),
  );
}

const MOST_NAMES = 8;

function isModuleName(step: string): boolean {
  return /^[^\s/\\.]+$/.test(step);
}

/** The name behind `-m` of a file; undefined for one that has none. */
function moduleAt(path: string): string | undefined {
  const steps = path.replace(/(?:\/__main__)?\.py$/, '').split('/');
  return path.endsWith('.py') && !path.endsWith('__init__.py') && steps.every(isModuleName)
    ? steps.join('.')
    : undefined;
}
