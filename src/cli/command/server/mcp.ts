// `mcp`: the skills of this project as tools for other agents, over the Model Context Protocol on stdin and stdout.
import type { McpHttpOrder, McpOrder } from '../../../app/serve/mcp-order.ts';
import { Fault } from '../../../base/errors.ts';
import { inLanguage, type Text } from '../../../base/language.ts';
import { makeOutcome } from '../../../base/outcome.ts';
import { visibleLines } from '../../../base/text.ts';
import { type Command, isOn, listOption, textOption } from '../../frame/command.ts';
import { untilSignal } from '../../frame/stop-on-signal.ts';
import { readCount } from '../../view/count.ts';

const PORT = '8974';

export const command: Command = {
  about: {
    en: 'Speaks the Model Context Protocol on stdin and stdout until the client leaves, with --http until it is stopped. What needs a yes is asked there, where the client can; else it ends `interrupted`, with the command that decides it.',
    zh: '在标准输入与标准输出上使用 Model Context Protocol，直到客户端离开；使用 --http 时直到被停止。需要同意时，若客户端支持则在其中询问；否则以 `interrupted` 结束，并给出用于决定的命令。',
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
    {
      name: 'http',
      summary: {
        en: 'over HTTP on 127.0.0.1 instead, for programs that have the token',
        zh: '改为在 127.0.0.1 上通过 HTTP 提供服务，供持有令牌的程序使用',
      },
    },
    {
      name: 'port',
      value: 'PORT',
      summary: {
        en: `of --http; ${PORT} unless given, 0 for a free one`,
        zh: `--http 的端口；默认 ${PORT}，0 表示任意空闲端口`,
      },
    },
    {
      name: 'host',
      value: 'ADDRESS',
      summary: {
        en: 'of --http; refused for every address but this machine’s own, 127.0.0.1',
        zh: '--http 的地址；除本机 127.0.0.1 外一律拒绝',
      },
    },
  ],
  examples: [
    'skillwright mcp',
    'skillwright mcp --skills csv-insights --read-only',
    'skillwright mcp --role analyst',
    'skillwright mcp --http',
  ],
  async run({ options, runtime, servers }) {
    const { project, home, env, language } = runtime;
    const role = textOption(options, 'role');
    const skills = listOption(options, 'skills')
      .flatMap((word) => word.split(','))
      .filter((word) => word !== '');
    const port = textOption(options, 'port');
    const isHttp = isOn(options, 'http');
    const host = textOption(options, 'host');
    for (const [name, given] of Object.entries({ port, host })) if (given !== undefined && !isHttp) throw isFor(name);
    if (host !== undefined && !OWN.includes(host)) throw beyondThisMachine(host);
    const log = (line: string) => process.stderr.write(`skillwright mcp: ${visibleLines(line)}\n`);
    const { calls } = await untilSignal(async (stop) => {
      const order: McpOrder = {
        ...{ project, home, env, language, stop, log },
        ...(role !== undefined && { role }),
        ...(skills.length > 0 && { skills }),
        readOnly: isOn(options, 'read-only'),
      };
      if (!isHttp) return await (await servers.mcp()).serveMcp(order);
      const ready = ({ address, tokenFile }: ServedAt) => log(inLanguage(sayReady(address, tokenFile), language));
      const { serveMcpOverHttp } = await servers.mcpOverHttp();
      return await serveMcpOverHttp({ ...order, port: readPort(port ?? PORT), ready });
    });
    const summary = { en: `answered ${calls} ${calls === 1 ? 'call' : 'calls'}`, zh: `共答复 ${calls} 次调用` };
    const by = runtime.answering('skillwright', 'own');
    // Stdout belonged to the protocol, and whoever read it may still be there.
    return { outcome: makeOutcome(by, 'success', summary, { calls }), document: '' };
  },
};

type ServedAt = Parameters<McpHttpOrder['ready']>[0];

function sayReady(address: string, tokenFile: string): Text {
  return {
    en: `${address}, with the header Authorization: Bearer and the token in ${tokenFile}`,
    zh: `${address}，请求头为 Authorization: Bearer 加上 ${tokenFile} 中的令牌`,
  };
}

const MOST = 65_535;

function readPort(written: string): number {
  const port = readCount('port', written);
  if (port > MOST) throw new Fault('Usage', { en: `--port is at most ${MOST}`, zh: `--port 最大为 ${MOST}` });
  return port;
}

function isFor(name: string): Fault {
  return new Fault('Usage', { en: `--${name} is for --http`, zh: `--${name} 仅用于 --http` });
}

const OWN = ['127.0.0.1', 'localhost'];

function beyondThisMachine(host: string): Fault {
  return new Fault(
    'Usage',
    {
      en: `--host ${host}: this server answers programs of this machine only; from elsewhere the token would travel unencrypted, and whoever has it runs what you may run`,
      zh: `--host ${host}: 此服务器只答复本机的程序；若从其他机器访问，令牌将以明文传输，得到令牌者即可运行您能运行的一切`,
    },
    {
      hint: {
        en: `From another machine: ssh -L ${PORT}:127.0.0.1:${PORT} followed by this one’s name, and the address stays http://127.0.0.1:${PORT}/mcp.`,
        zh: `从其他机器访问：使用 ssh -L ${PORT}:127.0.0.1:${PORT} 加上本机名称，地址仍为 http://127.0.0.1:${PORT}/mcp。`,
      },
    },
  );
}
