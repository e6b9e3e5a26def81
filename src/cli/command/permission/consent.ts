// `consent`: what a skill would need, where that was found, and one grant for what a person says yes to.
import type { AddedGrant } from '../../../app/grant/add.ts';
import {
  byKind,
  type ConsentOffer,
  chooseNamed,
  giveConsent,
  grantCommand,
  offerConsent,
} from '../../../app/grant/consent.ts';
import type { JudgedNeed } from '../../../app/need/state.ts';
import { describeNeed, needName } from '../../../app/need/view.ts';
import type { Runtime } from '../../../app/runtime.ts';
import { describeGrant, grantFacts, SENT_THERE } from '../../../app/view/grant.ts';
import { inLanguage, type Text } from '../../../base/language.ts';
import { interruptedOutcome, makeOutcome } from '../../../base/outcome.ts';
import { counted } from '../../../base/text/counted.ts';
import { renderList, type Terminal } from '../../../base/text/terminal.ts';
import { visible } from '../../../base/text.ts';
import type { Tier } from '../../../policy/tier.ts';
import type { NeedKind } from '../../../skill/need/need.ts';
import { askLines, PERSON } from '../../frame/ask-line.ts';
import { type Command, listOption, type Reply, textOption } from '../../frame/command.ts';
import { SKILL, SOURCE } from '../../frame/skill-arguments.ts';
import { renderNeedsAndPackages } from '../../view/need/need.ts';

export const command: Command = {
  about: {
    en: 'Needs are found by reading the skill; nothing of it is run. A yes is bound to the files as they are now, holds for its code alone, and is taken back by `grants revoke`. --yes answers none of it.',
    zh: '需求通过阅读技能得出，不会运行它。同意与当前文件绑定，仅对其代码有效，可用 `grants revoke` 撤回。--yes 不会代为回答。',
  },
  positionals: [SKILL],
  options: [
    SOURCE,
    {
      name: 'yes-to',
      value: 'KIND:NAME',
      many: true,
      summary: {
        en: 'say yes to this one without being asked, such as host:api.example.com; may be repeated',
        zh: '直接同意此项，如 host:api.example.com；可重复',
      },
    },
  ],
  examples: ['skillwright consent weather', 'skillwright consent weather --yes-to variable:WEATHER_KEY'],
  async run({ positionals: [written = ''], options, runtime, terminal }) {
    const source = textOption(options, 'source');
    const offer = await offerConsent(written, source, runtime);
    const named = listOption(options, 'yes-to');
    if (offer.open.length === 0) return nothingOpen(offer, runtime, terminal);
    const isAsked = named.length === 0 && terminal.interactive;
    const chosen = isAsked ? await askPerson(offer, runtime, terminal) : chooseNamed(named, offer);
    if (chosen.length === 0) return waits(offer, runtime, terminal);
    return granted(offer, await giveConsent(offer, chosen, source, runtime), runtime, terminal);
  },
};

function dataOf({ skill, needs }: ConsentOffer) {
  return { skill: skill.skillId, needs: needs.map(describeNeed) };
}

function nothingOpen(offer: ConsentOffer, runtime: Runtime, terminal: Terminal): Reply {
  const name = visible(offer.skill.name);
  const summary = { en: `${name} needs no consent`, zh: `${name} 无需同意` };
  const outcome = makeOutcome(runtime.answering('skillwright', 'own'), 'success', summary, dataOf(offer));
  return { outcome, human: renderNeedsAndPackages(offer.needs, runtime.language, terminal) };
}

/** Nobody said yes: the line that would. */
function waits(offer: ConsentOffer, runtime: Runtime, terminal: Terminal): Reply {
  const name = visible(offer.skill.name);
  const next = grantCommand(offer);
  const summary = {
    en: `${name} would need ${counted(offer.open.length, 'thing')} that you have not consented to`,
    zh: `${name} 需要 ${offer.open.length} 项您尚未同意的内容`,
  };
  const by = runtime.answering('skillwright', 'own');
  const outcome = interruptedOutcome(by, summary, { waitsFor: 'approval', next }, { ...dataOf(offer), command: next });
  return { outcome, human: renderNeedsAndPackages(offer.needs, runtime.language, terminal), hint: next };
}

function granted(offer: ConsentOffer, { grant, note }: AddedGrant, runtime: Runtime, terminal: Terminal): Reply {
  const name = visible(offer.skill.name);
  const hint = note && inLanguage(note, runtime.language);
  const summary = { en: `consented for ${name}`, zh: `已同意 ${name}` };
  const data = { ...dataOf(offer), grant: describeGrant(grant), ...(hint !== undefined && { note: hint }) };
  const outcome = makeOutcome(runtime.answering('skillwright', 'own'), 'success', summary, data);
  return {
    outcome,
    human: renderList(grantFacts(grant, runtime.language), terminal),
    ...(hint !== undefined && { hint }),
  };
}

const ASKED: Readonly<Record<NeedKind, Text>> = {
  host: { en: 'May its code reach these hosts?', zh: '是否允许其代码访问这些主机？' },
  variable: { en: 'May its code read these variables of yours?', zh: '是否允许其代码读取您的这些变量？' },
  program: { en: 'May its code run these programs?', zh: '是否允许其代码运行这些程序？' },
  home: {
    en: 'May it keep files in a home of its own between runs? Yours stays closed.',
    zh: '是否允许其在专用主目录中跨运行保留文件？您的主目录保持关闭。',
  },
  device: { en: 'May its code use these devices?', zh: '是否允许其代码使用这些设备？' },
};

const ANSWERS: Text = { en: 'y = all, 1 3 = these, Enter = none: ', zh: 'y = 全部，1 3 = 这些，回车 = 都不: ' };

async function askPerson(offer: ConsentOffer, runtime: Runtime, terminal: Terminal): Promise<JudgedNeed[]> {
  const say = (text: Text) => inLanguage(text, runtime.language);
  return await askLines(PERSON, async (ask, tell) => {
    tell(renderNeedsAndPackages(offer.needs, runtime.language, terminal).split('\n'));
    if (offer.weaker) tell(['', say(inWeaker(offer.weaker))]);
    const chosen: JudgedNeed[] = [];
    for (const [kind, needs] of byKind(offer.open)) {
      const mind = kind === 'host' ? [`  ${say(SENT_THERE)}`] : [];
      tell(['', say(ASKED[kind]), ...mind, ...needs.map((need, at) => `  ${at + 1}: ${visible(needName(need))}`)]);
      chosen.push(...chosenBy(await ask(say(ANSWERS)), needs));
    }
    return chosen;
  });
}

/** A grant accepts no weaker sandbox unless it says so. */
function inWeaker(tier: Tier): Text {
  return {
    en: `This machine has sandbox ${tier} only: a yes is for that one, too.`,
    zh: `本机只有沙箱 ${tier}: 同意即包括此沙箱。`,
  };
}

/** Everything but a clear yes is no. */
function chosenBy(answer: string, needs: readonly JudgedNeed[]): JudgedNeed[] {
  const words = answer
    .trim()
    .toLowerCase()
    .split(/[\s,]+/);
  if (words.length === 1 && /^(?:y|yes|是)$/.test(words[0] ?? '')) return [...needs];
  if (!words.every((word) => /^\d+$/.test(word))) return [];
  return words.flatMap((word) => needs[Number(word) - 1] ?? []);
}
