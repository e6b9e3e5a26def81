// `servers`: the MCP servers that the user's settings name, started and asked for their tools.
import { type ListedServer, listServers } from '../../../app/server/list.ts';
import { toJson } from '../../../base/json.ts';
import { inLanguage, type Language, type Text } from '../../../base/language.ts';
import { makeOutcome } from '../../../base/outcome.ts';
import { counted } from '../../../base/text/counted.ts';
import { type CellColumn, type Terminal, tableLines } from '../../../base/text/terminal.ts';
import { visibleOnOneLine } from '../../../base/text.ts';
import type { Command } from '../../frame/command.ts';
import { pipedCell } from '../../view/piped-cell.ts';

export const command: Command = {
  about: {
    en: 'They stand in ~/.agent/config.json as `mcp_servers`: a `command`, started in the sandbox, or a `url`. Their tools are named mcp:server/tool, in lists of tools also mcp__server__tool; each call needs a yes or a grant, which holds for the tool as it is defined now.',
    zh: '写在 ~/.agent/config.json 的 `mcp_servers` 中：`command`（在沙箱中启动）或 `url`。其工具名为 mcp:服务器/工具，在工具列表中也可写作 mcp__服务器__工具；每次调用都需要同意或授权，仅对当前定义有效。',
  },
  positionals: [{ name: 'server', summary: { en: 'only this one', zh: '仅此服务器' } }],
  options: [],
  examples: ['skillwright servers', 'skillwright servers github --json'],
  async run({ positionals: [name], runtime, terminal }) {
    const servers = await listServers(name, runtime);
    const tools = servers.flatMap(toolRows);
    const summary = {
      en: `${counted(tools.length, 'tool')} of ${counted(servers.length, 'server')}`,
      zh: `${servers.length} 个服务器，共 ${tools.length} 个工具`,
    };
    const outside = servers.flatMap(({ name: one, outside: isOutside }) =>
      isOutside ? [inLanguage(runsOutside(one), runtime.language)] : [],
    );
    const failed = servers.flatMap(({ name: one, problem }) => (problem === undefined ? [] : [`${one}: ${problem}`]));
    const notes = [...outside, ...failed];
    return {
      outcome: makeOutcome(runtime.answering('skillwright', 'own'), 'success', summary, {
        servers: toJson(servers),
      }),
      ...(tools.length > 0 && {
        lines: tableLines(columns(runtime.language, terminal), tools, terminal, visibleOnOneLine),
      }),
      ...(notes.length > 0 && { hint: notes.join('\n') }),
    };
  },
};

function runsOutside(name: string): Text {
  return {
    en: `${name} runs without a sandbox: \`skillwright grants list\` shows the grant that lets it.`,
    zh: `${name} 不经沙箱运行: \`skillwright grants list\` 显示相应的授权。`,
  };
}

interface ToolRow {
  readonly name: string;
  readonly description: string;
}

function toolRows({ name: server, tools }: ListedServer): ToolRow[] {
  return tools.map(({ name, description }) => ({ name: `mcp:${server}/${name}`, description }));
}

const TITLES = {
  name: { en: 'TOOL', zh: '工具' },
  description: { en: 'IN ITS OWN WORDS', zh: '其自述' },
} as const satisfies Record<string, Text>;

function columns(language: Language, { width }: Pick<Terminal, 'width'>): CellColumn<ToolRow>[] {
  return [
    { title: TITLES.name[language], style: 'cyan', cell: ({ name }) => name },
    { title: TITLES.description[language], cell: ({ description }) => pipedCell(description, { width }) },
  ];
}
