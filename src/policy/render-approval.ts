// The question a person sees before saying yes: the real words of the call, nothing hidden, Enter means no.

import { sha256 } from '../base/ids.ts';
import { inLanguage, type Language, type Text } from '../base/language.ts';
import { counted } from '../base/text/counted.ts';
import { findHidden, visible } from '../base/text.ts';
import type { Risk } from '../tools/tool-name.ts';
import { type ApprovalScope, type ApprovalSubject, scopesFor } from './approval.ts';
import type { RunFile } from './grant/grant.ts';
import { sayObeyed } from './rule.ts';

export interface ApprovalQuestion {
  readonly subject: Pick<ApprovalSubject, 'digest' | 'tool' | 'network' | 'obeyed'>;
  readonly risk: Risk;
  /** Who asks: a skill by name and source, or nobody. */
  readonly skill?: string;
  readonly role?: string;
  /** The argument vector, or `name=value` for other arguments; one entry is one word. */
  readonly words: readonly string[];
  /** Files of the project that it runs; the answer is about these bytes. */
  readonly runs?: readonly RunFile[];
  readonly tier?: string;
  readonly notEnforced?: readonly string[];
}

export interface RenderedQuestion {
  readonly lines: readonly string[];
  readonly scopes: readonly ApprovalScope[];
}

const WORD_LIMIT = 2000;

export function renderApproval(question: ApprovalQuestion, language: Language): RenderedQuestion {
  const say = (text: Text): string => inLanguage(text, language);
  const scopes = scopesFor(question.subject);
  return { lines: [...renderFacts(question, language), say(choices(scopes))], scopes };
}

/** Everything a person decides on, at a prompt or later: who, what exactly, how risky, how confined. */
export function renderFacts(question: ApprovalQuestion, language: Language): string[] {
  const say = (text: Text): string => inLanguage(text, language);
  return [
    heading(question, say),
    ...question.words.map((word, index) => `  ${index + 1}: ${showWord(word, say)}`),
    `  ${measure(question.words, say)}`,
    ...circumstances(question, say),
  ];
}

/** What the answer means; everything but a clear yes is no. */
export function readAnswer(answer: string, scopes: readonly ApprovalScope[]): ApprovalScope | 'no' {
  const word = answer.trim().toLowerCase();
  if (['y', 'yes', 'approve', '是', '批准'].includes(word)) return 'once';
  return ['a', 'always', '一直'].includes(word) && scopes.includes('run') ? 'run' : 'no';
}

type Say = (text: Text) => string;

function heading({ subject, risk, skill, role }: ApprovalQuestion, say: Say): string {
  const who = skill === undefined ? say({ en: 'The agent', zh: '智能体' }) : visible(skill);
  const digest = subject.digest === '' ? '' : ` (${subject.digest.replace(/^sha256:/, '').slice(0, 12)})`;
  const forRole = role === undefined ? '' : say({ en: ` as ${visible(role)}`, zh: `（角色 ${visible(role)}）` });
  const asks = say({ en: 'wants to use', zh: '请求使用' });
  return `${who}${digest}${forRole} ${asks} ${subject.tool} [${say(RISKS[risk])}]`;
}

const RISKS: Record<Risk, Text> = {
  low: { en: 'low risk', zh: '低风险' },
  medium: { en: 'medium risk', zh: '中风险' },
  high: { en: 'high risk', zh: '高风险' },
};

// A long word is cut in sight of the reader, and named by its hash so that two can be told apart.
function showWord(word: string, say: Say): string {
  if (word.length <= WORD_LIMIT) return visible(word) === '' ? "''" : visible(word);
  const rest = word.length - WORD_LIMIT;
  const more = { en: counted(rest, 'more character'), zh: `另有 ${rest} 个字符` };
  return `${visible(word.slice(0, WORD_LIMIT))}… [${say(more)}, sha256 ${sha256(word).slice(0, 12)}]`;
}

function measure(words: readonly string[], say: Say): string {
  const length = words.reduce((sum, word) => sum + word.length, 0);
  const hidden = words.reduce((sum, word) => sum + findHidden(word).length + (word.match(/[\n\r\t]/g)?.length ?? 0), 0);
  const size = say({
    en: `${counted(words.length, 'word')}, ${counted(length, 'character')}`,
    zh: `${words.length} 个词，${length} 个字符`,
  });
  if (hidden === 0) return size;
  const notice = {
    en: `${counted(hidden, 'hidden character')}, shown as \\u{…}`,
    zh: `${hidden} 个隐藏字符，以 \\u{…} 显示`,
  };
  return `${size}; ${say(notice)}`;
}

function circumstances({ subject, runs = [], tier, notEnforced = [] }: ApprovalQuestion, say: Say): string[] {
  const lines = (subject.obeyed ?? []).map((file) => `  ${visible(say(sayObeyed(file)))}`);
  const running = runs.map(({ path, sha256: digest }) =>
    say({
      en: `  It runs ${visible(path)} as it is now (sha256 ${digest.slice(0, 12)}).`,
      zh: `  将运行当前的 ${visible(path)}（sha256 ${digest.slice(0, 12)}）。`,
    }),
  );
  lines.push(...running);
  if (subject.network) lines.push(say({ en: '  It may reach the network.', zh: '  可访问网络。' }));
  if (tier !== undefined) {
    const gaps = notEnforced.length === 0 ? '' : say({ en: '; not enforced: ', zh: '；未强制：' });
    lines.push(`  ${say({ en: 'sandbox', zh: '沙箱' })} ${visible(tier)}${gaps}${notEnforced.map(visible).join(', ')}`);
  }
  return lines;
}

function choices(scopes: readonly ApprovalScope[]): Text {
  const run = scopes.includes('run');
  return {
    en: `Allow it? y = this once${run ? ', a = until this run ends' : ''}, Enter = no`,
    zh: `允许吗？y = 仅此一次${run ? '，a = 本次运行期间' : ''}，回车 = 否`,
  };
}
