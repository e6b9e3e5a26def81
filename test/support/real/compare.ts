// What differs between two ways of running a case: exit codes, both outputs, and the files that are left.
import { hostname } from 'node:os';
import type { Ran, RealCase } from './case.ts';
import type { Tree } from './project.ts';

export interface Result {
  readonly ran: readonly Ran[];
  readonly tree: Tree;
  /** The home it ran with; through `exec`, calls have a folder of their own in there. */
  readonly home: string;
}

/** What of a case two runs by hand do not settle either. */
type Settled = Pick<RealCase, 'varies' | 'anyOrder'>;

/** Process ids in the warnings of Node, who owns a file and how many links a folder has, the name of the machine, the private folder of a call or its home, and where git stops to look for a repository. */
const ALWAYS = [
  /\(node:\d+\)/g,
  /(?<=^[-dl][-rwxst]{9} +)\d+ +(?:root +root|skill +skill) */gm,
  new RegExp(`(?<=\\bHost: )(?:${hostname()}|skill)$`, 'gm'),
  /<home>(\/\.agent\/(work\/call-\w+|state\/[\w-]+\/layers\/[\w-]+\/homes\/\w+))?/g,
  /\(or any (?:of the parent directories\): \.git|parent up to mount point \S+\)\n.*_FILESYSTEM not set\)\.)/g,
];

export function differences(hand: Result, product: Result, { varies = [], anyOrder = false }: Settled): string[] {
  const clean = (text: string, { home }: Result) => {
    const told = [...ALWAYS, ...varies].reduce(
      (all, part) => all.replaceAll(part, '…'),
      text.replaceAll(home, '<home>'),
    );
    return anyOrder ? told.split('\n').sort().join('\n') : told;
  };
  return [...differentEnds(hand, product, clean), ...differentFiles(hand, product, clean)];
}

type Clean = (text: string, result: Result) => string;

function differentEnds(hand: Result, product: Result, clean: Clean): string[] {
  return hand.ran.flatMap((one, step) => {
    const other = product.ran[step];
    if (!other) return [`step ${step + 1}: not run`];
    const text = (part: 'stdout' | 'stderr') =>
      firstDifference(clean(one[part], hand), clean(other[part], product)).map((it) => `${part}: ${it}`);
    const code = one.code === other.code ? [] : [`exit ${one.code}, through exec ${other.code}`];
    return [...code, ...text('stdout'), ...text('stderr')].map((it) => `step ${step + 1}: ${it}`);
  });
}

function differentFiles(hand: Result, product: Result, clean: Clean): string[] {
  const [left, right] = [hand, product].map(
    (it) => new Map([...it.tree].map(([name, file]) => [clean(name, it), file])),
  );
  const names = [...new Set([...(left?.keys() ?? []), ...(right?.keys() ?? [])])].sort();
  return names.flatMap((name) => {
    const [one, other] = [left?.get(name), right?.get(name)];
    if (!one || !other) return [`${name}: only ${one ? 'by hand' : 'through exec'}`];
    if (one.mode !== other.mode) return [`${name}: mode ${one.mode}, through exec ${other.mode}`];
    if (one.content.equals(other.content)) return [];
    const [a, b] = [one.content, other.content].map((it) => it.toString('latin1'));
    return firstDifference(clean(a ?? '', hand), clean(b ?? '', product)).map((it) => `${name}: ${it}`);
  });
}

function firstDifference(one: string, other: string): string[] {
  if (one === other) return [];
  const [a, b] = [one.split('\n'), other.split('\n')];
  const at = a.findIndex((line, index) => line !== b[index]);
  const line = at < 0 ? a.length : at;
  const show = (all: readonly string[]) => JSON.stringify(all[line]?.slice(0, 200) ?? null);
  return [`line ${line + 1} ${show(a)}, through exec ${show(b)}`];
}
