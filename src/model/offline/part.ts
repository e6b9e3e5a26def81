// Which words of a request belong to which of the skills it calls for.
import type { SkillEntry } from '../../registry/discover.ts';
import type { SkillMention } from './mention.ts';

export interface Part {
  readonly skill: SkillEntry;
  /** Its part of the request, without its name. */
  readonly text: string;
  /** The text after its name, where the name was written as an address. */
  readonly behind?: string;
}

const STRONG = /\b(?:then|after that|afterwards|finally)\b|[;；。\n]|然后|接着|之后|随后|最后|再/gi;
const STEP = /[,，]?\s*(?:\band\s+)?\b(?:then|after that|afterwards)\b|[,，]?\s*(?:然后|接着|随后|之后再)/i;
const WEAK = /\band\b|[,，]|并且?/gi;

export function splitRequest(request: string, mentions: readonly SkillMention[]): Part[] {
  const cuts = mentions.slice(1).map((mention, at) => cutBetween(request, mentions[at]?.end ?? 0, mention.start));
  return mentions.map(({ skill, start, end, addressed }, at) => {
    const from = cuts[at - 1] ?? 0;
    const to = cuts[at] ?? request.length;
    const text = `${request.slice(from, start)} ${request.slice(end, to)}`;
    return { skill, text, ...(addressed && { behind: request.slice(end, to).trim() }) };
  });
}

/** A request in explicit steps: first this, then that. */
export function splitSteps(request: string): string[] {
  return request
    .split(STEP)
    .map((step) => step.trim())
    .filter((step) => step !== '');
}

/** After the last connective, else right before the next name. */
function cutBetween(request: string, end: number, start: number): number {
  const between = request.slice(end, start);
  const joint = [...between.matchAll(STRONG)].at(-1) ?? [...between.matchAll(WEAK)].at(-1);
  return joint ? end + joint.index : start;
}
