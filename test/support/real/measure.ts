// Runs one case both ways, and says what came of it: the same, different, or nothing that works by hand here.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { removeTree } from '../../../src/base/files.ts';
import type { Ran, RealCase } from './case.ts';
import { differences, type Result } from './compare.ts';
import { makeProject, readTree } from './project.ts';
import { byExec, byHand, byPerson, keepHome, type Way } from './start.ts';

/** What only a person may apply, what needs more than this machine has, and what no two runs by hand agree on, is shown but not counted. */
export type Kind = 'counted' | 'guarded' | 'not by hand' | 'never twice';

export interface Measured {
  readonly name: string;
  readonly kind: Kind;
  readonly differences: readonly string[];
}

/** A package, a program or the network that this machine does not have. */
const LACKING = [
  /ModuleNotFoundError|ERR_MODULE_NOT_FOUND|Cannot find (?:module|package)/,
  /command not found|not installed|not found on PATH|No such file or directory: '[\w-]+'|spawn \S+ ENOENT/,
  /\bnot found\. Installing|rustup could not choose/,
  /urlopen error|could not download|Could not resolve host|getaddrinfo|Temporary failure in name resolution|ECONNREFUSED|fetch failed/,
];

export async function measure(wanted: RealCase, root: string, folder: string): Promise<Measured> {
  const hand = await runAll(byHand, wanted, root, folder);
  const product = await runAll(wanted.guarded ? byPerson : byExec, wanted, root, folder);
  const found = differences(hand, product, wanted);
  const isLacking = wanted.needsNetwork || hand.ran.some(lacks);
  const settled = isLacking ? 'not by hand' : wanted.guarded ? 'guarded' : 'counted';
  const isTwice =
    found.length === 0 || differences(hand, await runAll(byHand, wanted, root, folder), wanted).length === 0;
  return { name: wanted.name, kind: isTwice ? settled : 'never twice', differences: found };
}

/** One line a case, what differs below it, and the sum. */
export function table(all: readonly Measured[]): {
  readonly text: string;
  readonly sum: string;
  readonly share: number;
} {
  const rows = all.map((one) => {
    const word = `${isSame(one) ? 'same' : 'DIFFERS'}${one.kind === 'counted' ? '' : ` (${one.kind})`}`;
    return [`${word.padEnd(22)} ${one.name}`, ...one.differences.slice(0, 8).map((it) => `    ${it}`)].join('\n');
  });
  const sums = (['counted', 'guarded', 'not by hand', 'never twice'] as const).map((kind) => {
    const those = all.filter((one) => one.kind === kind);
    return { kind, of: those.length, same: those.filter(isSame).length };
  });
  const [counted, ...others] = sums.map(({ kind, of, same }) => `${kind} ${same} of ${of}`);
  const { same = 0, of = 0 } = sums[0] ?? {};
  const sum = `${counted?.replace('counted', 'same')}; ${others.join(', ')}`;
  return { text: [...rows, sum].join('\n'), sum, share: of === 0 ? 1 : same / of };
}

function isSame({ differences }: Measured): boolean {
  return differences.length === 0;
}

async function runAll(way: Way, wanted: RealCase, root: string, folder: string): Promise<Result> {
  const home = path.join(folder, `home-${way === byHand ? 'hand' : 'exec'}`);
  removeTree(home);
  mkdirSync(home);
  const project = makeProject(path.join(folder, 'project'), root, wanted);
  if (wanted.keepsHome && way !== byHand) await keepHome(project, home);
  const ran: Ran[] = [];
  for (const step of wanted.steps) ran.push(await way(step, project, home));
  return { ran, tree: readTree(project.folder), home };
}

function lacks({ code, stdout, stderr }: Ran): boolean {
  if (code === null) return true;
  return code !== 0 && LACKING.some((part) => part.test(stderr) || part.test(stdout));
}
