// The corpus of shell scripts: each with its entries of allowed-tools and the verdict that is right.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { decide } from '../../../src/policy/decide.ts';
import type { Effect, Policy } from '../../../src/policy/policy.ts';
import { judgeScript } from '../../../src/policy/shell/judge.ts';
import type { ToolRule } from '../../../src/skill/skill.ts';
import { repository } from '../support.ts';
import { placesAt } from '../world/places.ts';

export interface CorpusScript {
  readonly line: number;
  readonly rules: readonly ToolRule[];
  readonly verdict: Effect;
  readonly script: string;
}

export function readCorpus(): CorpusScript[] {
  const text = readFileSync(path.join(repository, 'test/fixtures/shell/corpus.txt'), 'utf8');
  let block: Pick<CorpusScript, 'rules' | 'verdict'> = { rules: [], verdict: 'deny' };
  return text.split('\n').flatMap((written, at): CorpusScript[] => {
    const heading = /^# (allow|ask|deny) \| (.*)$/.exec(written);
    if (heading) block = { verdict: heading[1] as Effect, rules: rulesIn(heading[2] ?? '') };
    if (heading || written === '' || written.startsWith('//')) return [];
    return [{ ...block, line: at + 1, script: written.startsWith('"') ? unquoted(written) : written }];
  });
}

/** A JSON string; what is none is a script that begins with a quoted word. */
function unquoted(written: string): string {
  try {
    return String(JSON.parse(written));
  } catch {
    return written;
  }
}

function rulesIn(written: string): ToolRule[] {
  return [...written.matchAll(/(\w+)(?:\(([^)]*)\))?/g)].map(([, tool = '', pattern]) => ({
    tool,
    ...(pattern !== undefined && { pattern }),
  }));
}

type Decide = typeof decide;
type Judge = typeof judgeScript;

/** Under the laxest settings there are: the list alone stands in the way. */
export function verdictOf({ rules, script }: CorpusScript, by: { decide?: Decide; judge?: Judge } = {}): Effect {
  const policy: Policy = {
    settings: { default: 'ask', requireApprovalFor: [] },
    skills: [{ name: 'writer', allowedTools: rules }],
    places: placesAt('/p', '/home/u', ['/p/mybox']),
  };
  const judged = (by.judge ?? judgeScript)(script);
  return (by.decide ?? decide)({ tool: 'run_shell', shell: script, judged }, policy).effect;
}
