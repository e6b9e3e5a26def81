// The packages that a call sees: those prepared for its skill at this digest, found whole, or those of configured runtimes.
import { lstatSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../../base/errors.ts';
import { visible } from '../../base/text.ts';
import type { Digest } from '../../base/value/digest.ts';
import type { EnvironmentManifest } from '../store/manifest.ts';
import type { PreparedPart } from '../store/prepared.ts';
import { readPrepared } from '../store/prepared.ts';
import { isForProgram } from '../store/program-stamp.ts';
import { findSound, storeName, treeOf } from '../store/sound.ts';
import { holdStored, lastUse, markUsed } from '../store/store.ts';

export interface UsedPackages {
  readonly python?: {
    readonly tree: string;
    /** The only program it works with; absent for a runtime of the user's. */
    readonly interpreter?: string;
    /** Made by us: it may be shown anywhere. */
    readonly isOurs: boolean;
  };
  readonly node?: { readonly tree: string; readonly isOurs: boolean };
}

export interface UsedSearch {
  readonly home: string;
  readonly project: string;
  /** As people name it. */
  readonly skill: string;
  readonly digest: Digest;
  readonly now: number;
  /** Whether the settings want the packages of the machine out of sight. */
  readonly isolated: boolean;
  /** Until it is disposed of, nobody removes what was found. */
  readonly holds: DisposableStack;
}

const DAY_MS = 24 * 3_600_000;

/** Throws a Fault for one that is not as it was built, or is gone. */
export function findPrepared({ home, project, skill, digest, now, isolated, holds }: UsedSearch): UsedPackages {
  const parts = readPrepared(home, project, digest)?.parts ?? [];
  const used = parts.map((part) => {
    holds.defer(holdStored(home, part.name));
    const sound = findSound(home, part.name);
    if (!sound) throw isThere(treeOf(home, part.name)) ? unsound(part, skill) : gone(part, skill);
    if (!isForProgram(sound)) throw otherProgram(sound, skill);
    if (part.ecosystem === 'python' && storeName(part.entry, sound.exact, isolated) !== part.name)
      throw otherIsolation(isolated, skill);
    if (lastUse(home, part.name) + DAY_MS < now) markUsed(home, part.name, now);
    return { part, tree: treeOf(home, part.name) };
  });
  const python = used.find(({ part }) => part.ecosystem === 'python');
  const node = used.find(({ part }) => part.ecosystem === 'node');
  return {
    ...(python && { python: { tree: python.tree, interpreter: python.part.interpreter, isOurs: true } }),
    ...(node && { node: { tree: node.tree, isOurs: true } }),
  };
}

/** What the user's own settings name, where it is what it says. */
export function ofRuntimes({
  venv,
  nodeModules,
}: {
  readonly venv?: string;
  readonly nodeModules?: string;
}): UsedPackages {
  const isVirtual =
    venv !== undefined && isFile(path.join(venv, 'pyvenv.cfg')) && isThere(path.join(venv, 'bin/python3'));
  const isPackages = nodeModules !== undefined && path.basename(nodeModules) === 'node_modules' && isThere(nodeModules);
  return {
    ...(isVirtual && { python: { tree: venv, isOurs: false } }),
    ...(isPackages && { node: { tree: path.dirname(nodeModules), isOurs: false } }),
  };
}

function isThere(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
}

function isFile(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false })?.isFile() ?? false;
}

function otherProgram({ interpreter, exact }: EnvironmentManifest, skill: string): Fault {
  const [shown, file, built] = [skill, interpreter, exact.split(' ')[0] ?? ''].map(visible);
  return new Fault(
    'RuntimeFailed',
    {
      en: `the python packages of ${shown} were built for ${built}, and ${file} is another program now`,
      zh: `${shown} 的 python 软件包为 ${built} 构建，而 ${file} 现在是另一个程序`,
    },
    {
      reason: 'missing-part',
      hint: {
        en: `\`skillwright prepare ${shown}\` builds them for it.`,
        zh: `\`skillwright prepare ${shown}\` 为其构建。`,
      },
    },
  );
}

/** A yes to one way of seeing the machine is not silently taken for the other. */
function otherIsolation(isolated: boolean, skill: string): Fault {
  const shown = visible(skill);
  return new Fault(
    'RuntimeFailed',
    {
      en: `the python packages of ${shown} were prepared with environment.isolated: ${!isolated}, and your settings say ${isolated}`,
      zh: `${shown} 的 python 软件包在 environment.isolated: ${!isolated} 下准备，而您的配置为 ${isolated}`,
    },
    {
      reason: 'missing-part',
      hint: {
        en: `\`skillwright prepare ${shown}\` builds them that way.`,
        zh: `\`skillwright prepare ${shown}\` 按此方式构建。`,
      },
    },
  );
}

function gone({ ecosystem, name }: PreparedPart, skill: string): Fault {
  const shown = visible(skill);
  return new Fault(
    'RuntimeFailed',
    {
      en: `the ${ecosystem} packages of ${shown} were removed (${name.slice(0, 12)})`,
      zh: `${shown} 的 ${ecosystem} 软件包已被删除（${name.slice(0, 12)}）`,
    },
    {
      reason: 'missing-part',
      details: { environment: name },
      hint: {
        en: `\`skillwright prepare ${shown}\` builds them again from the lock.`,
        zh: `\`skillwright prepare ${shown}\` 按锁文件重新构建。`,
      },
    },
  );
}

function unsound({ ecosystem, name }: PreparedPart, skill: string): Fault {
  const shown = visible(skill);
  return new Fault(
    'IntegrityMismatch',
    {
      en: `the ${ecosystem} packages of ${shown} are not as they were built (${name.slice(0, 12)})`,
      zh: `${shown} 的 ${ecosystem} 软件包与构建时不同（${name.slice(0, 12)}）`,
    },
    {
      details: { check: 'environment-store', environment: name },
      hint: {
        en: `\`skillwright environments verify\` names the files; \`skillwright prepare ${shown}\` builds them again from the lock.`,
        zh: `\`skillwright environments verify\` 指出相关文件；\`skillwright prepare ${shown}\` 按锁文件重新构建。`,
      },
    },
  );
}
