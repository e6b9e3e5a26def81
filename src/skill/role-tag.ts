// Marks that chat formats give to their speakers and tools: text for a model must not hold one, however it is written.
import type { Text } from '../base/language.ts';
import { foldLookAlikes, hasBracket } from './look-alike.ts';

interface Mark {
  readonly names: readonly string[];
  /** Completes "it …". */
  readonly reason: Text;
  /** Also a common word for something to fill in or a type: `/home/<user>/`, `List<User>` are none. */
  readonly isWord?: true;
}

/** Names without case, blanks, dashes, dots and underscores. */
const MARKS: readonly Mark[] = [
  {
    reason: { en: 'could pass for the words of the system', zh: '可能被当作系统的话' },
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
    reason: { en: 'could pass for the words of the model', zh: '可能被当作模型的话' },
    names: ['assistant', 'assistantmessage', 'assistantresponse', 'modelresponse', '助手', '助理'],
  },
  {
    reason: { en: 'could pass for the words of the user', zh: '可能被当作用户的话' },
    names: ['user', 'human', 'usermessage', 'userprompt', 'userquery', 'userrequest', 'userinput', '用户', '用戶'],
    isWord: true,
  },
  {
    reason: { en: 'could pass for instructions', zh: '可能被当作指令' },
    names: [
      ...['instruction', 'instructions', 'newinstructions', 'importantinstructions', 'override', 'important', '指令'],
      ...['skillinstructions', 'hiddeninstructions', 'secretinstructions'],
    ],
    isWord: true,
  },
  {
    reason: { en: 'could pass for a call of a tool or its result', zh: '可能被当作工具调用或其结果' },
    names: [
      ...['toolcall', 'toolcalls', 'tooluse', 'toolresult', 'toolresults', 'toolresponse', 'tooloutput', 'tools'],
      ...['functioncall', 'functioncalls', 'functionresult', 'functionresults', 'functionresponse', 'invoke'],
      ...['observation', 'observations', 'availabletools'],
    ],
  },
  {
    reason: { en: 'could pass for what the model thinks', zh: '可能被当作模型的思考' },
    names: ['think', 'thinking', 'thought', 'reasoning', 'scratchpad', 'antthinking', 'reflection'],
  },
  {
    reason: { en: 'could begin or end a part of the prompt', zh: '可能开始或结束提示词的一部分' },
    names: [
      ...['skills', 'availableskills', 'namedskills', 'runstate', 'imstart', 'imend', 'imsep', 'startofturn'],
      ...['endofturn', 'endoftext', 'beginoftext', 'startheaderid', 'endheaderid', 'eotid', 'eot', 'eom', 'fimprefix'],
    ],
  },
  {
    reason: { en: 'could end a part of the prompt', zh: '可能结束提示词的一部分' },
    names: ['/skill', '/names', '/rules', '/request', '/plan', '/role'],
  },
];

const REASONS = new Map(MARKS.flatMap(({ names, ...mark }) => names.map((name) => [name, mark] as const)));

const CONTROL_TOKEN: Text = { en: 'is a control token of a chat format', zh: '是对话格式的控制标记' };
const COMMENT: Text = {
  en: 'begins a comment that hides text from its reader',
  zh: '是对读者隐藏文本的注释的开头',
};

/** Marks that are told by their brackets: chat templates use them for nothing else. */
const SHAPES: readonly (readonly [shape: RegExp, reason: Text])[] = [
  [/<\s*\/?\s*\|[^<>|]{1,60}\|\s*\/?\s*>/, CONTROL_TOKEN],
  [/<\s*<\s*\/?\s*sys\w*\s*>\s*>/, CONTROL_TOKEN],
  [
    /\[\s*\/?\s*(?:inst|system[\s_-]*prompt|tool[\s_-]*calls?|tool[\s_-]*results?|available[\s_-]*tools)\s*\]/,
    CONTROL_TOKEN,
  ],
  [/<\s*!\s*-\s*-/, COMMENT],
];

export interface RoleTag {
  /** As it was written. */
  readonly text: string;
  readonly reason: Text;
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
