// Who says yes to an installation: a person, or --yes where nothing grave was found.
import type { Text } from '../../base/language.ts';
import { makeOutcome } from '../../base/outcome.ts';
import type { JudgedSkill } from '../../distribution/judge.ts';
import { type CommandContext, isOn, type Reply } from '../frame/command.ts';
import { renderPlan } from './install-plan.ts';

export interface InstallQuestion {
  readonly items: readonly JudgedSkill[];
  readonly question: Text;
  /** What to type to go on, without --yes. */
  readonly again: string;
  /** For the answer when nobody could be asked. */
  readonly data: Record<string, unknown>;
}

export type InstallDecision = { readonly yes: true } | { readonly yes: false; readonly reply: Reply };

export async function decideInstall(asked: InstallQuestion, context: CommandContext): Promise<InstallDecision> {
  const { runtime, terminal, options } = context;
  const needsPerson = asked.items.flatMap((item) => item.needsPerson);
  if (asked.items.every(({ action }) => action === 'unchanged')) return { yes: true };
  if (isOn(options, 'yes') && needsPerson.length === 0) return { yes: true };
  if (!terminal.interactive) return { yes: false, reply: interrupted(asked, needsPerson, context) };
  const { confirm } = await import('../frame/confirm.ts');
  const word = needsPerson.length > 0 ? 'install' : 'y';
  process.stderr.write(`${renderPlan(asked.items, runtime.language, terminal)}\n`);
  const how = runtime.language === 'zh' ? `输入 ${word} 以继续` : `type ${word} to go on`;
  if (await confirm(`${asked.question[runtime.language]} (${how}): `, word)) return { yes: true };
  const by = runtime.answering('skillwright', 'own');
  const said = { en: 'not installed: the answer was no', zh: '未安装: 未获同意' };
  const data = { ...asked.data, type: 'ApprovalDenied', code: 'APPROVAL_DENIED' };
  return { yes: false, reply: { outcome: makeOutcome(by, 'error', said, data) } };
}

/** Nobody to ask: says what would happen and the exact command, which for grave cases only a person can run. */
function interrupted(
  asked: InstallQuestion,
  needsPerson: readonly Text[],
  { runtime, terminal }: CommandContext,
): Reply {
  const { language } = runtime;
  const isGrave = needsPerson.length > 0;
  const command = isGrave ? asked.again : `${asked.again} --yes`;
  const question = asked.question[language];
  const outcome = makeOutcome(
    runtime.answering('skillwright', 'own'),
    'interrupted',
    { en: `a decision is needed: ${question}`, zh: `需要批准: ${question}` },
    {
      ...asked.data,
      type: 'ApprovalRequired',
      code: 'APPROVAL_REQUIRED',
      question,
      needs_person: needsPerson.map((text) => text[language]),
      resume_command: command,
    },
  );
  const hint = isGrave
    ? { en: `A person has to decide; run it in a terminal: ${command}`, zh: `需由人决定；请在终端运行: ${command}` }
    : { en: `Go on with: ${command}`, zh: `继续请运行: ${command}` };
  return { outcome, human: renderPlan(asked.items, language, terminal), hint: hint[language] };
}
