// `trust`: a person says that the settings and roles of a project may count, as they are now.
import { distrustFolder, showTrust, trustFolder } from '../../../app/project/trust.ts';
import type { Text } from '../../../base/language.ts';
import { makeOutcome } from '../../../base/outcome.ts';
import { visible } from '../../../base/text.ts';
import { type Command, isOn } from '../../frame/command.ts';
import { describeEffect, renderEffects } from '../../view/project-effect.ts';

export const command: Command = {
  about: {
    en: 'Until then project settings may only tighten security. Any later change of these files ends the trust.',
    zh: '在此之前，项目配置只能收紧安全限制。之后对这些文件的任何更改都会使信任失效。',
  },
  positionals: [],
  options: [
    {
      name: 'show',
      summary: { en: 'only say whether it is trusted, and what that covers', zh: '仅显示是否受信任及其范围' },
    },
    { name: 'revoke', summary: { en: 'revoke the trust', zh: '撤销信任' } },
  ],
  examples: ['skillwright trust --show', 'skillwright trust', 'skillwright trust --revoke'],
  async run({ options, runtime }) {
    const trust = isOn(options, 'revoke') ? distrustFolder : isOn(options, 'show') ? showTrust : trustFolder;
    const { project, files, effects, ...report } = await trust(runtime);
    const trusted = report.isTrusted;
    const summary = summarize(report.wasTrusted, trusted, visible(project));
    const data = { project, trusted, files, effects: effects.map(describeEffect) };
    return {
      outcome: makeOutcome(runtime.answering('skillwright', 'own'), 'success', summary, data),
      human: [
        ...files.map((file) => `  ${visible(file)}${roleNote(file)[runtime.language]}`),
        ...renderEffects(effects, trusted, runtime.language),
      ].join('\n'),
    };
  },
};

function roleNote(file: string): Text {
  if (file.startsWith('.agent')) return { en: '', zh: '' };
  return { en: ': its jobs may be started, its tasks run', zh: ': 其任务可被启动和执行' };
}

function summarize(before: boolean, after: boolean, project: string): Text {
  if (after) return { en: `trusted: ${project}`, zh: `已信任: ${project}` };
  return before
    ? { en: `no longer trusted: ${project}`, zh: `已撤销信任: ${project}` }
    : { en: `not trusted: ${project}`, zh: `未受信任: ${project}` };
}
