// A grant as people read it and as `--json` carries it.
import { inLanguage, type Language, type Text } from '../../base/language.ts';
import { visible } from '../../base/text.ts';
import { NO_REACH, plainReach } from '../../policy/consent/reach.ts';
import { SENT_THERE, sayReach, sayVariable } from '../../policy/consent/say-reach.ts';
import type { Grant } from '../../policy/grant/grant.ts';
import { describeTarget } from '../../policy/grant/store.ts';
import type { Param } from '../../skill/skill.ts';
import { isExecuting } from '../../tools/list.ts';

export { SENT_THERE } from '../../policy/consent/say-reach.ts';

export function describeGrant(grant: Grant) {
  const { bound, target } = grant;
  return {
    id: grant.id,
    skill: grant.skill,
    digest: 'digest' in bound ? bound.digest : null,
    ...('follow' in bound && { follow: bound.follow }),
    what: describeTarget(target),
    ...(target.kind === 'action' && target.params && { params: target.params.map(({ name }) => name) }),
    ...((target.kind === 'command' || target.kind === 'shell') && target.runs && { runs: target.runs }),
    network: grant.network,
    writes: grant.writes,
    ...(grant.reach && { reach: plainReach(grant.reach) }),
    tier: grant.tier,
    created: new Date(grant.created).toISOString(),
    expires: isoTime(grant.expires),
  };
}

/** What it allows, in one line. */
export function sayGrant({ target, reach = NO_REACH }: Grant, declared: readonly string[]): Text {
  const what = sayTarget(target);
  const parts = [...sayReach(reach), ...declared.map(sayDeclared)];
  if (parts.length === 0) return what;
  const [en, zh] = [parts.map((part) => part.en).join('; '), parts.map((part) => part.zh).join('；')];
  return { en: `${what.en}: ${en}`, zh: `${what.zh}: ${zh}` };
}

function sayDeclared(name: string): Text {
  const { en, zh } = sayVariable(name);
  return { en: `${en}, as the skill declares`, zh: `${zh}（技能声明）` };
}

function sayTarget(target: Grant['target']): Text {
  const en = describeTarget(target);
  switch (target.kind) {
    case 'any':
      return { en, zh: '其全部操作' };
    case 'code':
      return { en, zh: '其代码，每次运行时' };
    case 'action':
      return { en, zh: `操作 ${target.action}` };
    case 'script':
      return { en, zh: en.replace(/^script/, '脚本') };
    case 'outside':
      return { en, zh: `不经沙箱启动: ${target.words.join(' ')}` };
    default:
      return { en, zh: en };
  }
}

function isoTime(moment: number | null): string | null {
  return moment === null ? null : new Date(moment).toISOString();
}

const UNTIL_REVOKED: Text = { en: 'it is revoked', zh: '被撤销为止' };

/** Name and meaning, for a list. */
export function grantFacts(grant: Grant, language: Language, declared: readonly string[] = []): [string, string][] {
  const say = (text: Text) => inLanguage(text, language);
  const { bound, target } = grant;
  return [
    ['id', grant.id],
    [say({ en: 'may', zh: '可以' }), visible(say(sayTarget(target)))],
    [say({ en: 'with', zh: '参数' }), say(describeArguments(target))],
    [say({ en: 'files', zh: '文件' }), visible(say(describeBound(bound)))],
    ...runFacts(target, say),
    [say({ en: 'network', zh: '网络' }), say(grant.network ? YES : NO)],
    [say({ en: 'project', zh: '项目' }), visible(say(describeWrites(grant)))],
    ...[...sayReach(grant.reach ?? NO_REACH), ...declared.map(sayDeclared)].map((text): [string, string] => [
      say({ en: 'code may', zh: '代码可' }),
      say(text),
    ]),
    ...((grant.reach?.hosts.length ?? 0) > 0
      ? [[say({ en: 'mind', zh: '注意' }), say(SENT_THERE)] as [string, string]]
      : []),
    [say({ en: 'sandbox', zh: '沙箱' }), say(needsSandbox(target) ? orBetter(grant.tier) : NO_SANDBOX)],
    [say({ en: 'until', zh: '有效期至' }), isoTime(grant.expires) ?? say(UNTIL_REVOKED)],
  ];
}

function runFacts(target: Grant['target'], say: (text: Text) => string): [string, string][] {
  const runs = target.kind === 'command' || target.kind === 'shell' ? (target.runs ?? []) : [];
  return runs.map(({ path, sha256 }) => [
    say({ en: 'runs', zh: '运行' }),
    visible(
      say({
        en: `${path} (sha256 ${sha256}); any change ends it`,
        zh: `${path}（sha256 ${sha256}）；任何更改都会使其失效`,
      }),
    ),
  ]);
}

const NO_SANDBOX: Text = { en: 'none: nothing is run', zh: '不需要: 不运行程序' };

/** File and network tools are our own code. */
function needsSandbox(target: Grant['target']): boolean {
  return target.kind !== 'tool' || isExecuting(target.tool);
}

function orBetter(tier: string): Text {
  return { en: `${tier} or better`, zh: `${tier} 或更强` };
}

const YES: Text = { en: 'yes', zh: '允许' };
const NO: Text = { en: 'no', zh: '不允许' };

function describeWrites({ writes, target }: Grant): Text {
  if (target.kind === 'outside') return { en: 'all that you may', zh: '与您的权限相同' };
  if (target.kind === 'tool')
    return writes ? { en: 'may change its files', zh: '可修改文件' } : { en: 'read only', zh: '只读' };
  if (writes === false) return { en: 'its changes are asked about', zh: '更改须经确认' };
  const list = writes === true ? undefined : writes.join(', ');
  if (list === undefined) return { en: 'its changes are applied', zh: '更改自动应用' };
  return { en: `its changes at ${list} are applied`, zh: `自动应用对 ${list} 的更改` };
}

function describeArguments(target: Grant['target']): Text {
  if (target.kind === 'tool' || target.kind === 'any') return { en: 'what the pattern covers', zh: '模式所覆盖的内容' };
  if (target.kind === 'shell') return { en: 'exactly this text', zh: '仅此文本' };
  if (target.kind === 'code') return { en: 'any call that is permitted', zh: '任何获准的调用' };
  if (target.kind === 'outside') return { en: 'exactly these words', zh: '仅这些词' };
  if (target.kind !== 'action')
    return target.exact
      ? { en: 'exactly these words', zh: '仅这些词' }
      : { en: 'any further words', zh: '其后可接任意词' };
  const list = target.params?.map(describeParam).join(', ');
  return list === undefined ? { en: 'any parameters', zh: '任意参数' } : { en: list, zh: list };
}

function describeParam({ name, type, enum: choices }: Param): string {
  return visible(`${name} (${choices ? choices.join('|') : type})`);
}

function describeBound(bound: Grant['bound']): Text {
  return 'digest' in bound
    ? { en: `${bound.digest}; any change ends it`, zh: `${bound.digest}；任何更改都会使其失效` }
    : { en: `whatever is in ${bound.follow}, changed or not`, zh: `${bound.follow} 中的内容，无论是否更改` };
}
