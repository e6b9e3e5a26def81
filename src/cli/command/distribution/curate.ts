// `curate`: find the skills that are not worth keeping, decide about each, and take the rest away for good reason.

import { curateSkills, listSuspects } from '../../../app/curation.ts';
import type { Runtime } from '../../../app/runtime.ts';
import { inLanguage } from '../../../base/language.ts';
import { makeOutcome } from '../../../base/outcome.ts';
import { counted } from '../../../base/text/counted.ts';
import { visible } from '../../../base/text.ts';
import { CHOICES, type UninstalledItem } from '../../../task/curate.ts';
import type { Suspect } from '../../../task/suspect.ts';
import { askLines, PERSON } from '../../frame/ask-line.ts';
import { type Command, isOn, listOption } from '../../frame/command.ts';
import { replyWith } from '../../view/outcome-reply.ts';

export const command: Command = {
  about: {
    en: 'Skills that were never used, are there twice, hidden behind another, broken or risky. Each is kept or uninstalled; where nobody is there to ask, the question is saved and `skillwright resume` answers it. Whatever was uninstalled, `skillwright restore` brings back.',
    zh: '查找未使用、重复、被遮蔽、损坏或有风险的技能。每项选择保留或卸载；无人应答时保存问题，由 `skillwright resume` 回答。已卸载的可用 `skillwright restore` 恢复。',
  },
  positionals: [],
  options: [
    {
      name: 'decide',
      value: 'DECISION',
      many: true,
      summary: {
        en: 'item=keep or item=uninstall, for every item; or a JSON object',
        zh: '逐项 项目=keep 或 项目=uninstall；或一个 JSON 对象',
      },
    },
    { name: 'dry-run', summary: { en: 'only show what was found', zh: '仅显示结果' } },
  ],
  examples: ['skillwright curate --dry-run', 'skillwright curate', 'skillwright curate --decide user:old=uninstall'],
  async run({ options, runtime, terminal }) {
    runtime.requireConfig();
    const suspects = await listSuspects(runtime);
    const human = suspects.map((suspect) => renderSuspect(suspect, runtime)).join('\n');
    if (isOn(options, 'dry-run')) return preview(suspects, runtime, human);
    const given = listOption(options, 'decide');
    const isAsked = terminal.interactive && !isOn(options, 'non-interactive') && given.length === 0;
    const ask = isAsked ? () => askPerson(suspects, runtime) : undefined;
    const { outcome, uninstalled } = await curateSkills(suspects, { given, ask }, runtime);
    return replyWith(outcome, outcome.state === 'interrupted' ? human : renderDone(uninstalled, runtime));
  },
};

function preview(suspects: readonly Suspect[], { language, answering }: Runtime, human: string) {
  const findings = suspects.map(({ item, name, folder, why }) => ({
    item,
    name,
    path: folder,
    reasons: why.map(({ reason }) => reason),
    why: why.map(({ detail }) => inLanguage(detail, language)),
  }));
  const summary = { en: `${counted(suspects.length, 'skill')} to look at`, zh: `${suspects.length} 个技能需要查看` };
  return { outcome: makeOutcome(answering('worker_agent', 'task'), 'success', summary, { findings }), human };
}

/** Enter keeps it; a word that is none of the choices is asked about once more. */
async function askPerson(suspects: readonly Suspect[], runtime: Runtime): Promise<string[]> {
  const [keep, uninstall] = CHOICES;
  return await askLines(PERSON, async (ask) => {
    const words: string[] = [];
    for (const suspect of suspects) {
      const question = `  ${keep} / ${uninstall} [${keep}] `;
      let answer = await ask(`${renderSuspect(suspect, runtime)}\n${question}`);
      while (!isChoice(answer)) answer = await ask(`  ${inLanguage(ONLY_THESE, runtime.language)}\n${question}`);
      words.push(`${suspect.item}=${answer.trim().toLowerCase() || keep}`);
    }
    return words;
  });
}

const ONLY_THESE = {
  en: 'Type one of the two words, or Enter to keep it; `skillwright restore` brings back what was uninstalled.',
  zh: '请输入两个词之一，或按回车保留；已卸载的可用 `skillwright restore` 恢复。',
};

function isChoice(answer: string): boolean {
  const word = answer.trim().toLowerCase();
  return word === '' || CHOICES.some((choice) => choice === word);
}

/** What went, and how it comes back. */
function renderDone(gone: readonly UninstalledItem[], { language }: Runtime): string | undefined {
  const back = { en: 'comes back with', zh: '恢复命令' }[language];
  const lines = gone.map(({ item, restore_command: command }) => `  ${visible(`${item}  ${back}: ${command}`)}`);
  return lines.length > 0 ? lines.join('\n') : undefined;
}

function renderSuspect({ item, why }: Suspect, { language }: Runtime): string {
  const reasons = why.map(({ reason, detail }) => `${reason}: ${inLanguage(detail, language)}`);
  return `  ${visible(item)}  ${visible(reasons.join('; '))}`;
}
