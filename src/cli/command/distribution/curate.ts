// `curate`: find the skills that are not worth keeping, decide about each, and take the rest away for good reason.
import { listSuspects, openCuration } from '../../../app/curation.ts';
import type { Runtime } from '../../../app/runtime.ts';
import { Fault } from '../../../base/errors.ts';
import { inLanguage } from '../../../base/language.ts';
import { makeOutcome, type Outcome } from '../../../base/outcome.ts';
import { visible } from '../../../base/text.ts';
import { CHOICES, curate } from '../../../task/curate.ts';
import type { Suspect } from '../../../task/suspect.ts';
import { askLines, PERSON } from '../../frame/ask-line.ts';
import { type Command, isOn, listOption } from '../../frame/command.ts';
import { replyWith } from '../../frame/through-door.ts';

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
    if (suspects.length === 0 && given.length > 0) throw nothingToDecide(given);
    const isAsked = terminal.interactive && !isOn(options, 'non-interactive') && given.length === 0;
    const outcome = await curate(suspects, {
      ...openCuration(runtime),
      ...(given.length > 0 && { decide: async () => given }),
      ...(isAsked && { decide: () => askPerson(suspects, runtime) }),
    });
    return replyWith(outcome, outcome.state === 'interrupted' ? human : renderDone(outcome, runtime));
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
  const summary = { en: `${suspects.length} skills to look at`, zh: `${suspects.length} 个技能需要查看` };
  return { outcome: makeOutcome(answering('worker_agent', 'task'), 'success', summary, { findings }), human };
}

/** A decision that does nothing would look like one that was carried out. */
function nothingToDecide(given: readonly string[]): Fault {
  const shown = visible(given.join(' '));
  return new Fault(
    'InvalidArgs',
    { en: `nothing is asked, so nothing is decided: ${shown}`, zh: `没有待决定的项目: ${shown}` },
    {
      hint: {
        en: 'Every skill is in order; `skillwright uninstall <skill>` takes one away all the same.',
        zh: '所有技能均正常；仍要移除请用 `skillwright uninstall <技能>`。',
      },
    },
  );
}

/** Whatever is not a clear word for removing keeps it. */
async function askPerson(suspects: readonly Suspect[], runtime: Runtime): Promise<string[]> {
  const [keep, uninstall] = CHOICES;
  return await askLines(PERSON, async (ask) => {
    const words: string[] = [];
    for (const suspect of suspects) {
      const answer = await ask(`${renderSuspect(suspect, runtime)}\n  ${keep} / ${uninstall} [${keep}] `);
      words.push(`${suspect.item}=${answer.trim().toLowerCase() === uninstall ? uninstall : keep}`);
    }
    return words;
  });
}

/** What went, and how it comes back. */
function renderDone({ data }: Outcome, { language }: Runtime): string | undefined {
  const gone: Record<string, unknown>[] = Array.isArray(data.uninstalled) ? data.uninstalled : [];
  const back = { en: 'comes back with', zh: '恢复命令' }[language];
  const lines = gone.map(({ item, restore_command: command }) => `  ${visible(`${item}  ${back}: ${command}`)}`);
  return lines.length > 0 ? lines.join('\n') : undefined;
}

function renderSuspect({ item, why }: Suspect, { language }: Runtime): string {
  const reasons = why.map(({ reason, detail }) => `${reason}: ${inLanguage(detail, language)}`);
  return `  ${visible(item)}  ${visible(reasons.join('; '))}`;
}
