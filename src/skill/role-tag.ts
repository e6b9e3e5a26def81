// Marks that chat formats give to their speakers and tools: text for a model must not hold one, however it is written.
import { foldLookAlikes, hasBracket } from './look-alike.ts';

interface Mark {
  readonly names: readonly string[];
  /** Completes "it …". */
  readonly reason: string;
  /** Also a common word for something to fill in or a type: `/home/<user>/`, `List<User>` are none. */
  readonly isWord?: true;
}

/** Names without case, blanks, dashes, dots and underscores. */
const MARKS: readonly Mark[] = [
  {
    reason: 'could pass for the words of the system',
    names: [
      ...[
        'system',
        'sys',
        'systemprompt',
        'systemmessage',
        'systemreminder',
        'systeminstruction',
        'systeminstructions',
      ],
      ...['systemnote', 'systemoverride', 'systemupdate', 'developer', 'developermessage', '系统', '系統', '系统提示'],
    ],
  },
  {
    reason: 'could pass for the words of the model',
    names: ['assistant', 'assistantmessage', 'assistantresponse', 'modelresponse', '助手', '助理'],
  },
  {
    reason: 'could pass for the words of the user',
    names: ['user', 'human', 'usermessage', 'userprompt', 'userquery', 'userrequest', 'userinput', '用户', '用戶'],
    isWord: true,
  },
  {
    reason: 'could pass for instructions',
    names: [
      ...['instruction', 'instructions', 'newinstructions', 'importantinstructions', 'override', 'important', '指令'],
      ...['skillinstructions', 'hiddeninstructions', 'secretinstructions'],
    ],
    isWord: true,
  },
  {
    reason: 'could pass for a call of a tool or its result',
    names: [
      ...['toolcall', 'toolcalls', 'tooluse', 'toolresult', 'toolresults', 'toolresponse', 'tooloutput', 'tools'],
      ...['functioncall', 'functioncalls', 'functionresult', 'functionresults', 'functionresponse', 'invoke'],
      ...['observation', 'observations', 'availabletools'],
    ],
  },
  {
    reason: 'could pass for what the model thinks',
    names: ['think', 'thinking', 'thought', 'reasoning', 'scratchpad', 'antthinking', 'reflection'],
  },
  {
    reason: 'could begin or end a part of the prompt',
    names: [
      ...['skills', 'availableskills', 'namedskills', 'runstate', 'imstart', 'imend', 'imsep', 'startofturn'],
      ...['endofturn', 'endoftext', 'beginoftext', 'startheaderid', 'endheaderid', 'eotid', 'eot', 'eom', 'fimprefix'],
    ],
  },
  { reason: 'could end a part of the prompt', names: ['/skill', '/names', '/rules', '/request', '/plan', '/role'] },
];

const REASONS = new Map(MARKS.flatMap(({ names, ...mark }) => names.map((name) => [name, mark] as const)));

/** Marks that are told by their brackets: chat templates use them for nothing else. */
const SHAPES: readonly (readonly [shape: RegExp, reason: string])[] = [
  [/<\s*\/?\s*\|[^<>|]{1,60}\|\s*\/?\s*>/, 'is a control token of a chat format'],
  [/<\s*<\s*\/?\s*sys\w*\s*>\s*>/, 'is a control token of a chat format'],
  [
    /\[\s*\/?\s*(?:inst|system[\s_-]*prompt|tool[\s_-]*calls?|tool[\s_-]*results?|available[\s_-]*tools)\s*\]/,
    'is a control token of a chat format',
  ],
  [/<\s*!\s*-\s*-/, 'begins a comment that hides text from its reader'],
];

export interface RoleTag {
  /** As it was written. */
  readonly text: string;
  readonly reason: string;
}

// Closed within a line, or a bare opening that whatever follows would belong to.
const TAG = /<\s*([/!?]?)\s*(\p{L}[^<>]{0,200})>|<(\/?)(\p{L}[\p{L}\w.:-]*)(?=[\s/]|$)/gu;

/** The first mark in the text; undefined for text that only looks like markup. */
export function findRoleTag(text: string): RoleTag | undefined {
  if (!hasBracket(text)) return undefined;
  const { folded, sourceOf } = foldLookAlikes(text);
  for (const [shape, reason] of SHAPES) {
    const match = shape.exec(folded);
    if (match) return { text: sourceOf(match.index, match.index + match[0].length), reason };
  }
  for (const match of folded.matchAll(TAG)) {
    const mark = markOf(match);
    if (mark === undefined) continue;
    const end = match.index + match[0].length;
    if (!(mark.isWord && isPlaceholder(folded, match.index, end))) {
      return { text: sourceOf(match.index, end), reason: mark.reason };
    }
  }
  return undefined;
}

function markOf([, slash = '', content, bareSlash = '', bare]: RegExpExecArray): Omit<Mark, 'names'> | undefined {
  const inside = content ?? bare ?? '';
  const closing = slash === '/' || bareSlash === '/' ? '/' : '';
  const [first = ''] = inside.split(/[\s/=]/);
  // `s y s t e m` is one name; `system role="x"` begins with it.
  for (const name of [squeeze(first), squeeze(inside)]) {
    const mark = REASONS.get(name) ?? REASONS.get(closing + name);
    // Unclosed, a common word is more likely a comparison.
    if (mark && !(content === undefined && mark.isWord && closing === '')) return mark;
  }
  return undefined;
}

function squeeze(name: string): string {
  return name.replace(/[\s_.:|/-]+/g, '');
}

/** Part of a path, an address or a type; a speaker's mark stands alone, and is closed again. */
function isPlaceholder(text: string, start: number, end: number): boolean {
  const tag = text.slice(start, end);
  const isBare = /^<[a-z][\w-]*>$/.test(tag) && !text.includes(`</${tag.slice(1)}`);
  return isBare && (/[\w/@:.=-]/.test(text.charAt(start - 1)) || /[/@:.=_-]/.test(text.charAt(end)));
}
