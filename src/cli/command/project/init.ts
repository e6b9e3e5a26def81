// `init`: the folders and settings a project needs; what is there already stays as it is.
import path from 'node:path';
import { initializeProject } from '../../../app/project/init.ts';
import type { Text } from '../../../base/language.ts';
import { makeOutcome } from '../../../base/outcome.ts';
import { paint } from '../../../base/text/terminal.ts';
import { visible } from '../../../base/text.ts';
import { type Command, textOption } from '../../frame/command.ts';

export const command: Command = {
  about: {
    en: 'Works on the current folder, or the one of --project. A folder without settings and roles of its own is trusted at once; any other needs `skillwright trust`.',
    zh: '作用于当前目录或 --project 指定的目录。原本没有配置与角色的目录会立即受信任；其他目录需运行 `skillwright trust`。',
  },
  positionals: [],
  options: [],
  examples: ['skillwright init'],
  async run({ options, runtime, terminal }) {
    const project = path.resolve(textOption(options, 'project') ?? '.');
    const { created, existing, trusted } = initializeProject(project, runtime);
    const outcome = makeOutcome(
      runtime.answering('skillwright', 'own'),
      'success',
      summarize(created, visible(project)),
      { project, created, existing, trusted },
    );
    const list = created.map((name) => `  ${paint('+', 'green', terminal)} ${name}`);
    return { outcome, human: list.join('\n'), hint: nextStep(trusted)[runtime.language] };
  },
};

function summarize(created: readonly string[], project: string): Text {
  return created.length === 0
    ? { en: `already set up: ${project}`, zh: `已初始化: ${project}` }
    : { en: `set up: ${project}`, zh: `初始化完成: ${project}` };
}

function nextStep(trusted: boolean): Text {
  return trusted
    ? { en: '`skillwright new <name>` writes a first skill.', zh: '`skillwright new <名称>` 创建第一个技能。' }
    : {
        en: 'This folder had settings or roles before; read them, then run `skillwright trust`.',
        zh: '此目录原有配置或角色；查看后运行 `skillwright trust`。',
      };
}
