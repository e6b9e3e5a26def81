// For which interpreter and platform packages are chosen, as a lock names them.
import { Fault } from '../../base/errors.ts';
import { isRecord, jsonIfValid } from '../../base/json.ts';
import { visible } from '../../base/text.ts';
import type { Interpreter } from '../../process/interpreter.ts';
import { plainLaunch } from '../../process/plain-launch.ts';
import { runProcess } from '../../process/run.ts';
import { programStamp } from '../store/program-stamp.ts';

export interface PackageMachine {
  readonly platform: string;
  /** As far as it decides which packages fit: `cpython-3.11`, `node-24`. */
  readonly interpreter: string;
  /** The very one. */
  readonly exact: string;
}

export interface PythonMachine extends PackageMachine {
  /** The program itself, not a link of a virtual environment. */
  readonly base: string;
  readonly version: string;
  readonly hasPip: boolean;
}

const FACTS = `import importlib.util as u, json, platform, sys, sysconfig
print(json.dumps({"version": platform.python_version(), "kind": sys.implementation.name, "platform": sysconfig.get_platform(),
"base": getattr(sys, "_base_executable", None) or sys.executable, "abi": sysconfig.get_config_var("SOABI") or "",
"libc": "-".join(platform.libc_ver()), "pip": u.find_spec("pip") is not None}))`;

const asked = new Map<string, Promise<PythonMachine>>();

/** Asked once in a process, as long as it is the same program; one without pip may get it meanwhile. */
export async function pythonMachine({ file }: Interpreter): Promise<PythonMachine> {
  const key = `${file} ${programStamp(file)}`;
  const answer = asked.get(key) ?? askPython(file);
  asked.set(key, answer);
  let isKept = false;
  try {
    const machine = await answer;
    isKept = machine.hasPip;
    return machine;
  } finally {
    if (!isKept) asked.delete(key);
  }
}

/** Like every interpreter before a sandbox is there: nothing of the user's or the project's is read. */
async function askPython(file: string): Promise<PythonMachine> {
  const launch = plainLaunch({ file, args: ['-I', '-B', '-c', FACTS], env: {}, cwd: '/' });
  const { stdout, stderr, exit } = await runProcess(launch, { timeoutMs: 15_000, outputLimit: 64 * 1024 });
  const facts = jsonIfValid(Buffer.from(stdout).toString('utf8'));
  if (exit !== 0 || !isRecord(facts))
    throw new Fault('RuntimeFailed', visible(`${file}: ${Buffer.from(stderr).toString('utf8').trim().slice(-200)}`));
  const text = (name: string) => (typeof facts[name] === 'string' ? facts[name] : '');
  const version = text('version');
  const minor = version.split('.').slice(0, 2).join('.');
  return {
    platform: text('platform'),
    interpreter: `${text('kind')}-${minor}`,
    exact: plain(`${text('kind')}-${version} ${text('abi')} ${text('platform')} ${text('libc')}`),
    base: text('base') || file,
    version,
    hasPip: facts.pip === true,
  };
}

/** Packages without scripts at installation are the same for all that one major version runs. */
export function nodeMachine(): PackageMachine {
  const [major = ''] = process.versions.node.split('.');
  const platform = `${process.platform}-${process.arch}`;
  return { platform, interpreter: `node-${major}`, exact: plain(`node-${major} ${platform} ${libc()}`) };
}

/** npm picks packages by it. */
function libc(): string {
  const { header } = process.report.getReport() as { readonly header?: { readonly glibcVersionRuntime?: string } };
  return header?.glibcVersionRuntime === undefined ? 'musl' : 'glibc';
}

function plain(text: string): string {
  return text
    .replaceAll(/[^\w. -]/g, '_')
    .trim()
    .slice(0, 128);
}
