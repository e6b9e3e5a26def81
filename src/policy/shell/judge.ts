// Judges a shell script: parsed as a whole, each command it can run is listed, and whatever is not understood is named.
import { parse } from 'unbash';
import { judgeWords, movesIn } from './command.ts';
import type { JudgedScript, ShellWord, Unjudged } from './script.ts';
import { hasPlainCharacters, opensTwice, SCRIPT_LIMIT } from './text.ts';
import { walkScript } from './walk.ts';
import type { Walk } from './walk-state.ts';

/** Scripts in scripts: each is for a shell of its own. */
const DEEPEST = 4;

export function judgeScript(script: string): JudgedScript {
  return judged(script, (walk) => readScript(script, walk));
}

/** The same for words that no shell reads: what a program starts through others is judged, too. */
export function judgeArgv(argv: readonly string[]): JudgedScript {
  return judged(argv.join(' '), (walk) => judgeWords(argv, 'program', { assigned: [], writes: [] }, walk));
}

function judged(source: string, read: (walk: Walk) => void): JudgedScript {
  const walk = openWalk(source, false, 0, { commands: [], writes: [], unjudged: [] });
  try {
    read(walk);
  } catch (error) {
    // Deeper than the stack: nobody wrote that by hand.
    if (!(error instanceof RangeError)) throw error;
    walk.report(source, 'syntax');
  }
  const { commands, writes, unjudged } = walk;
  return { commands, writes, unjudged, moves: movesIn(commands) };
}

interface Found extends Pick<Walk, 'commands' | 'writes'> {
  readonly unjudged: Unjudged[];
}

function openWalk(source: string, posix: boolean, depth: number, found: Found): Walk {
  const report: Walk['report'] = (text, why) => {
    found.unjudged.push({ text, why });
  };
  const walk: Walk = {
    source,
    posix,
    functions: new Set(),
    commands: found.commands,
    writes: found.writes as ShellWord[],
    unjudged: found.unjudged,
    report,
    script(nested, text) {
      if (nested) walkScript(nested, walk);
      else report(text, 'syntax');
    },
    inner(script, forPosix) {
      if (depth >= DEEPEST) report(script, 'wrapper');
      else readScript(script, openWalk(script, forPosix, depth + 1, found));
    },
  };
  return walk;
}

function readScript(script: string, walk: Walk): void {
  if (script.length > SCRIPT_LIMIT) walk.report(script, 'too-long');
  else if (!hasPlainCharacters(script)) walk.report(script, 'characters');
  else {
    if (opensTwice(script)) walk.report(script, 'arithmetic');
    walkScript(parse(script), walk, true);
  }
}
