// `init`: the folders and settings a project needs; what is there already stays as it is.
import path from 'node:path';
import { type AgentConnection, CONNECTED_AGENTS } from '../../../app/project/connection.ts';
import { initializeProject } from '../../../app/project/init.ts';
import type { Text } from '../../../base/language.ts';
import { makeOutcome } from '../../../base/outcome.ts';
import { paint, renderList } from '../../../base/text/terminal.ts';
import { visible } from '../../../base/text.ts';
import { absolutePath } from '../../../base/value/absolute-path.ts';
import { type Command, isOn, listOption, textOption } from '../../frame/command.ts';

export const command: Command = {
  about: {
    en: 'Works on the current folder, or the one of --project. A folder without settings and roles of its own is trusted at once; any other needs `skillwright trust`.',
    zh: '作用于当前目录或 --project 指定的目录。原本没有配置与角色的目录会立即受信任；其他目录需运行 `skillwright trust`。',
  },
  positionals: [],
  options: [
    {
      name: 'minimal',
      summary: {
        en: 'only .agent/: no worker scripts in bin/, no agent files in .claude/agents/',
        zh: '仅 .agent/: 不写入 bin/ 的工作脚本和 .claude/agents/ 的智能体文件',
      },
    },
    {
      name: 'for',
      value: 'AGENT',
      many: true,
      choices: CONNECTED_AGENTS,
      summary: {
        en: 'also connect this agent to `skillwright mcp`, in the file of the project where it looks for servers',
        zh: '同时将此智能体连接到 `skillwright mcp`，写入其在项目中查找服务器的文件',
      },
    },
  ],
  examples: ['skillwright init', 'skillwright init --minimal', 'skillwright init --for claude-code'],
  async run({ options, runtime, terminal }) {
    const project = absolutePath(path.resolve(textOption(options, 'project') ?? '.'));
    const agents = CONNECTED_AGENTS.filter((agent) => listOption(options, 'for').includes(agent));
    const wish = { isMinimal: isOn(options, 'minimal'), agents, program: process.argv.slice(0, 2) };
    const { created, existing, trusted, byHand } = initializeProject(project, runtime, wish);
    const outcome = makeOutcome(
      runtime.answering('skillwright', 'own'),
      'success',
      summarize(created, visible(project)),
      { project, created, existing, trusted, ...(byHand.length > 0 && { by_hand: byHand }) },
    );
    const plus = paint('+', 'green', terminal);
    const list = created.map((name): [string, string] => [name, purposeOf(name)?.[runtime.language] ?? '']);
    const lines = renderList(list, { ...terminal, width: terminal.width - 2 }).replace(/^ {2}/gm, `  ${plus} `);
    const left = byHand.map((connection) => sayByHand(connection)[runtime.language]);
    return {
      outcome,
      human: [lines, ...left].filter((part) => part !== '').join('\n'),
      hint: nextStep(trusted)[runtime.language],
    };
  },
};

// The longest beginning that fits decides.
const PURPOSES: readonly (readonly [place: string, purpose: Text])[] = [
  ['.agent/skills', { en: 'the skills of this project', zh: '本项目的技能' }],
  ['.agent/evals', { en: 'suites of eval cases', zh: '评测用例' }],
  ['.agent/config.json', { en: 'its settings', zh: '项目配置' }],
  ['.agent/.gitignore', { en: 'keeps records of runs out of git', zh: '使运行记录不进入 git' }],
  ['.mcp.json', { en: 'connects Claude Code to `skillwright mcp`', zh: '将 Claude Code 连接到 `skillwright mcp`' }],
  [
    '.codex',
    {
      en: 'connects Codex to `skillwright mcp`, once it trusts the project',
      zh: '在 Codex 信任本项目后将其连接到 `skillwright mcp`',
    },
  ],
  ['.vscode', { en: 'connects VS Code to `skillwright mcp`', zh: '将 VS Code 连接到 `skillwright mcp`' }],
  ['.cursor', { en: 'connects Cursor to `skillwright mcp`', zh: '将 Cursor 连接到 `skillwright mcp`' }],
  ['bin', { en: 'worker scripts that `skillwright task` runs', zh: '由 `skillwright task` 运行的工作脚本' }],
  ['.claude/agents', { en: 'tells other agents how to use tasks and skills', zh: '告知其他智能体如何使用任务与技能' }],
];

function sayByHand({ file, text }: AgentConnection): Text {
  return { en: `${file} is yours; add to it:\n${text}`, zh: `${file} 由您维护；请在其中加入:\n${text}` };
}

function purposeOf(name: string): Text | undefined {
  return PURPOSES.find(([place]) => name === place)?.[1] ?? PURPOSES.find(([place]) => name.startsWith(place))?.[1];
}

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
