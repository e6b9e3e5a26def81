// pip as it is always started: from wheels only, from one index, without any settings of the user's, and its words told apart.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { assetPath } from '../../base/assets.ts';
import { Fault } from '../../base/errors.ts';
import { writeFileAtomic } from '../../base/files.ts';
import { once } from '../../base/once.ts';
import { readTextIfThere } from '../../base/read-file.ts';
import type { Interpreter } from '../../process/interpreter.ts';
import type { PythonMachine } from '../build/machine.ts';
import { installerFailed, refusePackages, wrongHash } from '../build/refusal.ts';
import { useTool, type Worked, type Workshop } from '../build/workshop.ts';
import type { IndexPlace } from '../index-place.ts';
import { makeVirtual, PYTHON } from './virtual.ts';

export interface PipOrder {
  readonly interpreter: Interpreter;
  readonly machine: PythonMachine;
  readonly index: IndexPlace;
  readonly words: readonly string[];
  /** One requirement a line. */
  readonly requirements: readonly string[];
}

const alone = once(() => readFileSync(assetPath('environment/python/pip-alone.py'), 'utf8'));

/** Throws a Fault that names the package where there is one to name. */
export async function runPip({ interpreter, machine, index, words, requirements }: PipOrder, workshop: Workshop) {
  if (!machine.hasPip) throw noPip(interpreter.file);
  const { folder } = workshop;
  const tree = path.join(folder, 'tree');
  makeVirtual(tree, machine);
  const [list, log] = [path.join(folder, 'requirements.txt'), path.join(folder, 'pip.log')];
  writeFileAtomic(list, `${requirements.join('\n')}\n`, { mode: 0o644 });
  const worked = await useTool(
    {
      argv: [path.join(tree, PYTHON), '-I', '-B', '-c', alone(), ...COMMON, ...words, '--log', log, '-r', list],
      env: { PIP_INDEX_URL: index.secretUrl, PIP_CONFIG_FILE: '/dev/null', PIP_KEYRING_PROVIDER: 'disabled' },
      readOnly: interpreter.readOnly,
      hosts: index.hosts,
    },
    workshop,
  );
  const said = readTextIfThere(log) ?? '';
  refuseYanked(`${worked.stdout}\n${worked.stderr}`);
  if (worked.exit !== 0) throw explain(worked, said);
  return { tree, version: /\bpip (\d[\w.]*)/.exec(said)?.[1] ?? '' };
}

const COMMON = [
  ...['install', '--only-binary', ':all:', '--ignore-installed', '--no-input', '--disable-pip-version-check'],
  // It starts a thread for each file.
  ...['--progress-bar', 'off'],
];

/** A version that is withdrawn is still installed by whoever names it exactly. */
function refuseYanked(said: string): void {
  const found = [...said.matchAll(/is a yanked version: '([^']+)' candidate \(version ([^ )]+)/g)];
  if (found.length > 0)
    throw refusePackages(
      'yanked',
      found.map(([, name, version]) => `${name}==${version}`),
    );
}

function explain({ stderr, stdout }: Worked, log: string): Fault {
  const said = `${stderr}\n${stdout}`;
  if (/DO NOT MATCH THE HASHES/.test(said)) return wrongHash(mismatched(said));
  const missing = /No matching distribution found for ([^\s(]+(?:[<>=!~][^\s(]*)?)/.exec(said)?.[1];
  if (missing !== undefined) return unfetched(missing, log) ?? refusePackages(whyMissing(missing, log), [missing]);
  if (/Hashes are required|all requirements must have their versions pinned/.test(said))
    return refusePackages('unhashed', [/^\s+(\S+==\S+)/m.exec(said)?.[1] ?? 'a package']);
  const conflict = /Cannot install (.+?) because these package versions have conflicting dependencies/.exec(said)?.[1];
  if (conflict !== undefined) return refusePackages('platform', conflict.split(/, | and /));
  if (/ProxyError|NewConnectionError|ConnectTimeout|ReadTimeout|SSLError|Max retries exceeded/.test(said))
    return refusePackages('unreachable', [/url: (\S+)/.exec(said)?.[1] ?? 'pip']);
  return whatWouldStart(said) ?? installerFailed('pip', said);
}

/** What pip tells an index of the machine; it goes on without. */
const ASKED_BY_THE_WAY = /^(?:.*\/)?(?:rustc|lsb_release|uname)$/;

/** The package that pip was at when it wanted to start something; only an address makes it, since indexes are asked for wheels alone. */
function whatWouldStart(said: string): Fault | undefined {
  const programs = [...said.matchAll(/^skillwright: not started: (.+)$/gm)].map(([, program = '']) => program);
  if (programs.every((program) => ASKED_BY_THE_WAY.test(program))) return undefined;
  const last = [...said.matchAll(/^\s*Collecting (.+?)(?: \(from .*)?$/gm)].at(-1)?.[1]?.trim();
  if (last === undefined) return undefined;
  return refusePackages(/@|:\/\//.test(last) ? 'address' : 'code', [last]);
}

function mismatched(said: string): string[] {
  const names = [...said.matchAll(/^\s{4}(\S+==\S+|\S+) from /gm)].map(([, name = '']) => name);
  return names.length > 0 ? [...new Set(names)] : ['pip'];
}

/** The log says of each file why it was not looked at. */
function whyMissing(requirement: string, log: string) {
  const name = /^[\w.-]+/.exec(requirement)?.[0] ?? '';
  const own = log.split('\n').filter((line) => line.includes('Skipping link') && isAbout(line, name));
  if (own.some((line) => /No sources permitted|Unsupported archive|No binaries permitted/i.test(line))) return 'code';
  if (own.some((line) => /wheel's tags|Requires-Python/i.test(line))) return 'platform';
  return 'missing';
}

/** To pip a page that it could not get is a package without versions; that an index knows no such page is the answer 404. */
function unfetched(requirement: string, log: string): Fault | undefined {
  const name = /^[\w.-]+/.exec(requirement)?.[0] ?? '';
  const failures = [...log.matchAll(/Could not fetch URL (https?:\/\/\S+): (?!4\d\d )(.*)/g)];
  const [, url = '', why = ''] = failures.find(([, page = '']) => isAbout(page, name)) ?? [];
  if (url === '') return undefined;
  return refusePackages(/certificate/i.test(why) ? 'untrusted' : 'unreachable', [new URL(url).host]);
}

function isAbout(line: string, name: string): boolean {
  const folded = (text: string) => text.toLowerCase().replaceAll(/[-_.]+/g, '-');
  return folded(line).includes(folded(name));
}

function noPip(file: string): Fault {
  return new Fault(
    'RuntimeFailed',
    { en: `${file} has no pip`, zh: `${file} 没有 pip` },
    {
      reason: 'missing-part',
      details: { missing: 'pip' },
      hint: {
        en: 'Install it (Debian, Ubuntu: apt install python3-pip; elsewhere: python3 -m ensurepip).',
        zh: '请安装 pip（Debian、Ubuntu：apt install python3-pip；其他系统：python3 -m ensurepip）。',
      },
    },
  );
}
