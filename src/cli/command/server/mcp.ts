// `mcp`: the skills of this project as tools for other agents, over the Model Context Protocol on stdin and stdout.
import { makeOutcome } from '../../../base/outcome.ts';
import { visibleLines } from '../../../base/text.ts';
import { type Command, isOn, listOption, textOption } from '../../frame/command.ts';
import { untilSignal } from '../../frame/stop-on-signal.ts';

export const command: Command = {
  about: {
    en: 'Speaks the Model Context Protocol on stdin and stdout, until the client leaves. What needs a yes is asked there, where the client can; else it ends `interrupted`, with the command that decides it.',
    zh: '在标准输入与标准输出上使用 Model Context Protocol，直到客户端离开。需要同意时，若客户端支持则在其中询问；否则以 `interrupted` 结束，并给出用于决定的命令。',
  },
  positionals: [],
  options: [
    {
      name: 'role',
      value: 'ROLE',
      summary: { en: 'the list of tools of this role binds every call', zh: '此角色的工具列表约束每次调用' },
    },
    {
      name: 'skills',
      value: 'NAME',
      many: true,
      summary: { en: 'only this skill; may be repeated', zh: '仅此技能；可重复' },
    },
    {
      name: 'read-only',
      summary: { en: 'skills can be found and read, and nothing is run', zh: '只能查找和阅读技能，不运行任何内容' },
    },
  ],
  examples: ['skillwright mcp', 'skillwright mcp --skills csv-insights --read-only', 'skillwright mcp --role analyst'],
  async run({ options, runtime, servers }) {
    const { project, home, env, language } = runtime;
    const role = textOption(options, 'role');
    const skills = listOption(options, 'skills')
      .flatMap((word) => word.split(','))
      .filter((word) => word !== '');
    const { serveMcp } = await servers.mcp();
    const { calls } = await untilSignal((stop) =>
      serveMcp({
        ...{ project, home, env, language, stop },
        ...(role !== undefined && { role }),
        ...(skills.length > 0 && { skills }),
        readOnly: isOn(options, 'read-only'),
        log: (line) => process.stderr.write(`skillwright mcp: ${visibleLines(line)}\n`),
      }),
    );
    const summary = { en: `answered ${calls} ${calls === 1 ? 'call' : 'calls'}`, zh: `共答复 ${calls} 次调用` };
    const by = runtime.answering('skillwright', 'own');
    // Stdout belonged to the protocol, and whoever read it may still be there.
    return { outcome: makeOutcome(by, 'success', summary, { calls }), document: '' };
  },
};
