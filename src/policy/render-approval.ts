// The question a person sees before saying yes: what will happen, nothing hidden, and what each answer means.
import { inLanguage, type Language, type Text } from '../base/language.ts';
import { visible } from '../base/text.ts';
import type { Risk } from '../tools/tool-name.ts';
import type { Offers } from './question/answer.ts';
import type { ApprovalFacts, FactsReach, ReachKind } from './question/facts.ts';
import { viewLines, wordLines } from './question/render-view.ts';
import type { SinceLastYes } from './question/seen-files.ts';
import { sayObeyed } from './rule.ts';
import { ENDS_DAEMONS, isAtLeast, isTier, isUnconfined } from './tier.ts';

/** Everything a person decides on, at a prompt or later: who, what exactly, how risky, how confined. */
export function renderFacts(facts: ApprovalFacts, language: Language): string[] {
  const say = (text: Text): string => inLanguage(text, language);
  const { view, words } = facts;
  return [heading(facts, say), ...(view ? viewLines(view, say) : wordLines(words, say)), ...circumstances(facts, say)];
}

type Say = (text: Text) => string;

function heading({ subject, risk, skill, role }: ApprovalFacts, say: Say): string {
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

function circumstances(facts: ApprovalFacts, say: Say): string[] {
  const { subject, runs = [], reach = {} } = facts;
  const lines = (subject.obeyed ?? []).map((file) => say(sayObeyed(file)));
  const running = runs.map(({ path, sha256: digest }) =>
    say({
      en: `It runs ${path} as it is now (sha256 ${digest.slice(0, 12)}).`,
      zh: `将运行当前的 ${path}（sha256 ${digest.slice(0, 12)}）。`,
    }),
  );
  if (subject.network) running.push(say({ en: 'It may reach the network.', zh: '可访问网络。' }));
  const reached = [...reachLines(reach, say), ...mixedLines(subject, say)];
  return [...lines, ...running, ...reached, ...sandboxLines(facts, say)].map((line) => `  ${visible(line)}`);
}

const REACHED: readonly (readonly [ReachKind, Text])[] = [
  ['hosts', { en: 'It may send what it can read to', zh: '可将其能读取的内容发往' }],
  ['variables', { en: 'It gets these variables of yours:', zh: '会得到您的这些变量:' }],
  ['programs', { en: 'It may run', zh: '可运行' }],
  ['devices', { en: 'It may use', zh: '可使用' }],
  ['home', { en: 'It keeps a home of its own:', zh: '保留自己的主目录:' }],
];

function reachLines(reach: FactsReach, say: Say): string[] {
  return REACHED.flatMap(([name, words]) => {
    const list = (reach[name] ?? []).join(', ');
    return list === '' ? [] : [`${say(words)} ${list}`];
  });
}

/** Code that may send things away finds files that were not its own. */
function mixedLines({ mixed = [] }: ApprovalFacts['subject'], say: Say): string[] {
  if (mixed.length === 0) return [];
  const list = mixed.slice(0, MOST_NAMES).map(({ path }) => path);
  const more = mixed.length - list.length;
  const names = list.join(', ');
  return [
    say({
      en: `It finds what others changed in this run, not applied yet: ${names}${more > 0 ? ` and ${more} more` : ''}`,
      zh: `它会看到本次运行中他人尚未应用的更改: ${names}${more > 0 ? ` 等 ${mixed.length} 个` : ''}`,
    }),
  ];
}

/** What the name of the tier means to whoever has not read about tiers. */
function sandboxLines({ tier, notEnforced = [], subject, reach }: ApprovalFacts, say: Say): string[] {
  if (tier === undefined) return [];
  const gaps = notEnforced.length === 0 ? '' : say({ en: '; not enforced: ', zh: '；未强制：' });
  return [
    `${say({ en: 'sandbox', zh: '沙箱' })} ${tier}: ${say(meaningOf(tier, networkOf(subject, reach)))}${gaps}${notEnforced.join(', ')}`,
  ];
}

type Network = 'all' | 'hosts' | 'none';

function networkOf({ network }: ApprovalFacts['subject'], { hosts = [] }: FactsReach = {}): Network {
  if (network) return 'all';
  return hosts.length > 0 ? 'hosts' : 'none';
}

const NOT_REACHED: Readonly<Record<Network, Text>> = {
  all: { en: '', zh: '' },
  hosts: { en: ', no other network', zh: '，无其他网络' },
  none: { en: ', no network', zh: '，无网络' },
};

function meaningOf(tier: string, network: Network): Text {
  if (!isTier(tier) || isUnconfined(tier)) return { en: 'nothing is confined', zh: '没有任何限制' };
  const offline = NOT_REACHED[network];
  const daemons = isAtLeast(tier, ENDS_DAEMONS)
    ? { en: '', zh: '' }
    : { en: '; what it leaves running may stay', zh: '；其后台进程可能残留' };
  return {
    en: `it sees this project and the system, no other files${offline.en}; you are shown what it changes${daemons.en}`,
    zh: `只能看到此项目与系统文件${offline.zh}；更改会先向您展示${daemons.zh}`,
  };
}

const MOST_NAMES = 6;

/** What is new since the last yes to this skill. */
export function saySince({ added, changed, removed }: SinceLastYes): Text {
  const all = [
    ...changed.map((name) => ({ en: `${name} (changed)`, zh: `${name}（已更改）` })),
    ...added.map((name) => ({ en: `${name} (new)`, zh: `${name}（新增）` })),
    ...removed.map((name) => ({ en: `${name} (gone)`, zh: `${name}（已删除）` })),
  ];
  const list = (language: Language) =>
    all
      .slice(0, MOST_NAMES)
      .map((one) => visible(one[language]))
      .join({ en: ', ', zh: '、' }[language]);
  const more = all.length - MOST_NAMES;
  return {
    en: `New since your last yes to this skill: ${list('en')}${more > 0 ? ` and ${more} more` : ''}`,
    zh: `自您上次同意以来的变化: ${list('zh')}${more > 0 ? ` 等 ${all.length} 个` : ''}`,
  };
}

/** What can be typed, each with its meaning; the last one is what Enter means. */
export function sayChoices(offers: Offers, language: Language): string[] {
  const { run, always, effects, file, diff } = offers;
  const items: (readonly [boolean, Text])[] = [
    [true, { en: 'y = this once', zh: 'y = 仅此一次' }],
    [run, { en: 'r = this run', zh: 'r = 本次运行' }],
    [always, { en: 'a = always', zh: 'a = 始终' }],
    [effects, { en: 'e = ask about effects only', zh: 'e = 仅询问影响' }],
    [true, { en: 'n WHY = no, and why', zh: 'n 原因 = 否并说明' }],
    [file, { en: 'v = view it', zh: 'v = 查看' }],
    [diff, { en: 'd = whole diff', zh: 'd = 完整差异' }],
    [true, { en: '? = help', zh: '? = 帮助' }],
    [true, { en: 'Enter = no', zh: '回车 = 否' }],
  ];
  return items.filter(([isOffered]) => isOffered).map(([, text]) => text[language]);
}

/** The same at length, and what a yes would let happen. */
export function explainChoices({ run, always, effects }: Offers, facts: ApprovalFacts, language: Language): string[] {
  const rows: (readonly [boolean, string, Text])[] = [
    [true, 'y', { en: 'this very call, once', zh: '仅此次调用' }],
    [
      run,
      'r',
      {
        en: 'this skill may use this tool, with any arguments, until this command ends',
        zh: '在本命令结束前，该技能可用任意参数使用此工具',
      },
    ],
    [
      always,
      'a',
      {
        en: 'a grant: you are shown what it says before it is written; `skillwright grants` lists and revokes it',
        zh: '写入授权: 写入前向您展示其内容；`skillwright grants` 可列出与撤销',
      },
    ],
    [
      effects,
      'e',
      {
        en: 'in this run, what stays in sandbox and layer is not asked about; network, variables and, at the end, the changes are',
        zh: '本次运行中，仅在沙箱与层内的操作不再询问；网络、变量以及最后的更改仍会询问',
      },
    ],
    [
      true,
      'n',
      {
        en: 'no; words behind it are told to the agent: n use the other file',
        zh: '否；其后的文字会告诉智能体: n 请用另一个文件',
      },
    ],
    [true, '', { en: 'Enter, and everything else, means no; Ctrl-C stops', zh: '回车及其他输入均表示否；Ctrl-C 停止' }],
  ];
  const shown = rows.filter(([isOffered]) => isOffered).map(([, key, text]) => `  ${key.padEnd(1)}  ${text[language]}`);
  return [...shown, `  ${mayDo(facts)[language]}`];
}

function mayDo({ tier, subject }: ApprovalFacts): Text {
  if (tier === undefined)
    return subject.network
      ? { en: 'After a yes one request is sent, to this host alone.', zh: '同意后仅向该主机发送一次请求。' }
      : { en: 'After a yes this file is changed as shown, and nothing else.', zh: '同意后仅按所示更改此文件。' };
  return {
    en: 'After a yes it runs with these words; it can read the project, and write into a layer over it.',
    zh: '同意后将以这些参数运行；可读取项目，并写入覆盖其上的层。',
  };
}
