// How a call sees its packages: where they are shown, which programs come first and which last, and how Node finds them.
import { lstatSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { assetPath } from '../../base/assets.ts';
import { Fault } from '../../base/errors.ts';
import { visible } from '../../base/text.ts';
import { type AbsolutePath, absolutePath } from '../../base/value/absolute-path.ts';
import type { Mapped } from '../../process/order.ts';
import { FIRST_FOLDER, PYTHON } from '../python/virtual.ts';
import type { UsedPackages } from './used.ts';

/** The same in every call that has a root of its own, on every machine. */
const PLACE = '/run/skillwright';
const HOOK = 'resolve-hook.cjs';

export interface PackageView {
  readonly shown: readonly Mapped[];
  readonly env: Readonly<Record<string, string>>;
  /** What the interpreter of the packages is, in itself: it needs its own installation. */
  readonly programs: readonly AbsolutePath[];
  /** In front of the programs of the system: the interpreter alone. */
  readonly first: readonly string[];
  /** Behind them: what packages bring shadows nothing. */
  readonly last: readonly string[];
  /** The words of a process, started by the interpreter that has the packages. */
  started(argv: readonly string[]): readonly string[];
}

export interface PackageSeer {
  /** The call's file tree is its own, and anything can be shown anywhere in it. */
  readonly ownRoot: boolean;
  /** What answers installers, on this machine; absent for a call without a skill. */
  readonly shims?: string;
  /** As people call the skill. */
  readonly skill?: string;
  /** Installers may reach something. */
  readonly network: boolean;
}

export function viewPackages({ python, node }: UsedPackages, seer: PackageSeer): PackageView {
  const { ownRoot, shims, skill, network } = seer;
  const shimsAt = shims !== undefined && ownRoot ? `${PLACE}/shims` : shims;
  const place = (name: string, from: string, isOurs: boolean): string =>
    ownRoot && isOurs ? `${PLACE}/${name}` : from;
  const pythonAt = python && place('python', python.tree, python.isOurs);
  const nodeAt = node && place('node', node.tree, node.isOurs);
  const hook = assetPath(`environment/use/${HOOK}`);
  const hookAt = ownRoot ? `${PLACE}/${HOOK}` : hook;
  return {
    shown: [
      ...(python?.isOurs && pythonAt !== undefined ? [map(pythonAt, python.tree)] : []),
      ...(node?.isOurs && nodeAt !== undefined ? [map(nodeAt, node.tree)] : []),
      ...(node ? [map(hookAt, hook)] : []),
      ...(shims !== undefined && shimsAt !== undefined ? [map(shimsAt, shims)] : []),
    ],
    env: {
      ...(pythonAt !== undefined && { VIRTUAL_ENV: pythonAt }),
      ...(nodeAt !== undefined && nodeVariables(nodeAt, hookAt)),
      ...(shims !== undefined && { SKILL_PREPARE: `skillwright prepare ${skill ?? '<skill>'}` }),
      ...(shims !== undefined && network && { SKILL_NETWORK: '1' }),
    },
    programs: python ? interpreterOf(python.tree) : [],
    first: [
      ...(python && pythonAt !== undefined ? [path.join(pythonAt, python.isOurs ? FIRST_FOLDER : 'bin')] : []),
      ...(shimsAt === undefined ? [] : [shimsAt]),
    ],
    last: [
      ...(python?.isOurs && pythonAt !== undefined ? [path.join(pythonAt, 'bin')] : []),
      ...(nodeAt === undefined ? [] : [path.join(nodeAt, 'node_modules', '.bin')]),
    ],
    started: (argv) => (python && pythonAt !== undefined ? startedBy(argv, python, pythonAt) : argv),
  };
}

/** A virtual environment leads to it by a link. */
function interpreterOf(tree: string): AbsolutePath[] {
  const link = path.join(tree, PYTHON);
  const target = lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink() ? readlinkSync(link) : '';
  return path.isAbsolute(target) ? [absolutePath(target)] : [];
}

function map(at: string, from: string): Mapped {
  return { at: absolutePath(at), from: absolutePath(from) };
}

/** Modules obey no variable; the hook is there for them, and for what an older Node runs the variable is. */
function nodeVariables(at: string, hook: string): Record<string, string> {
  const quoted = `"${hook.replaceAll(/["\\]/g, '\\$&')}"`;
  return { NODE_PATH: path.join(at, 'node_modules'), NODE_OPTIONS: `--require=${quoted}` };
}

function startedBy(
  argv: readonly string[],
  { interpreter }: NonNullable<UsedPackages['python']>,
  at: string,
): readonly string[] {
  const [program = '', ...words] = argv;
  if (!/^python(?:3(?:\.\d+)?)?$/.test(path.basename(program))) return argv;
  if (interpreter !== undefined && interpreter !== program) throw otherInterpreter(interpreter, program);
  return [path.join(at, PYTHON), ...words];
}

function otherInterpreter(built: string, found: string): Fault {
  const [before, now] = [built, found].map(visible);
  return new Fault(
    'RuntimeFailed',
    {
      en: `its packages were built for ${before}, and Python is ${now} now`,
      zh: `其软件包为 ${before} 构建，而现在的 Python 为 ${now}`,
    },
    {
      reason: 'missing-part',
      hint: {
        en: '`skillwright prepare <skill>` builds them for this interpreter.',
        zh: '`skillwright prepare <技能>` 为此解释器构建。',
      },
    },
  );
}
