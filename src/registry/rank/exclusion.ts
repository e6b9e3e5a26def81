// "Do not use for …" clauses: what a skill excludes must not make it look suitable.

const OPENING = [
  String.raw`\b(?:do\s+not|don['’]?t|never|should\s+not\s+be|must\s+not\s+be)\s+(?:be\s+)?(?:used?|trigger(?:ed)?|invoked?|activated?|apply|applied)\b`,
  String.raw`\bnot\s+(?:for|(?:intended|suitable|meant|designed)\s+(?:for|to)|to\s+be\s+used)\b`,
  '不用于|不适用|不适合|不要用|不应用于|不该用于|请勿用|勿用于|禁止用于|并非用于|不负责|不处理|不触发',
].join('|');
/** A clause runs to the end of its sentence or line. */
const CLAUSE = new RegExp(`(?:${OPENING})(?:[^.!?。！？；\\n]|[.!?](?!\\s|$))*`, 'giu');

export interface ExclusionScope {
  readonly included: string;
  readonly excluded: string;
}

export function splitExclusions(text: string): ExclusionScope {
  const excluded = text.match(CLAUSE);
  if (!excluded) return { included: text, excluded: '' };
  return { included: text.replace(CLAUSE, ' '), excluded: excluded.join('\n') };
}
