// `use_server`: a tool of a server that somebody else wrote. Whatever the server says of it, its risk is high; a yes and a
// grant are for the tool as it is defined now.
import { Fault } from '../../base/errors.ts';
import type { Data } from '../../base/outcome.ts';
import { didYouMean } from '../../base/text/did-you-mean.ts';
import { visible } from '../../base/text.ts';
import type { ServerTool } from '../../network/mcp/definition.ts';
import { decide } from '../../policy/decide.ts';
import { digestSkill } from '../../skill/digest.ts';
import { type CallView, headOf, linesIn } from '../../tools/call-view.ts';
import { remoteName, serverTool } from '../../tools/server-tool.ts';
import { namedWords } from '../../tools/tool.ts';
import type { UseServer } from '../call.ts';
import type { Door } from '../door.ts';
import type { OpenServer } from '../server/server-host.ts';
import { allowanceOf, type CallEffect, policyOf } from '../work.ts';
import type { ToolWork } from './tool.ts';

export async function understandServer(call: UseServer, door: Door): Promise<ToolWork> {
  const { server, tool, args } = call;
  const settings = door.servers.settings(server);
  const skill = call.skill === undefined ? undefined : door.resolve(call.skill, call.source);
  const active = skill ? [skill] : (call.active ?? []).map((one) => door.resolve(one));
  const remote = remoteName({ server, tool });
  const network = 'url' in settings;
  const named: CallEffect = {
    tool: serverTool.name,
    ...(skill && { skill }),
    digest: skill ? digestSkill(skill).digest : '',
    args: { server, tool, args: { ...args } },
    words: [`mcp:${remote}`, ...namedWords(args)],
    asked: { tool: serverTool.name, remote, ...(network && { network }) },
    granted: { remote },
    allowances: active.map(allowanceOf),
    network,
  };
  // What policy refuses anyway starts no server.
  if (decide(named.asked, await policyOf(named, door)).effect === 'deny') return { ...named, run: neverRun };
  const opened = await door.servers.open(server);
  const definition = definitionOf(opened, { server, tool });
  return {
    ...named,
    args: { server, tool, args: { ...args }, definition: definition.digest },
    granted: { remote, digest: definition.digest },
    preview: async (most) => viewOf(call, definition, most),
    run: ({ onAttempt }) => use(call, definition, door, onAttempt),
  };
}

async function neverRun(): Promise<Data> {
  throw new Error('refused by policy');
}

function definitionOf({ tools }: OpenServer, { server, tool }: Pick<UseServer, 'server' | 'tool'>): ServerTool {
  const found = tools.get(tool);
  if (found) return found;
  const names = [...tools.keys()];
  const shown = visible(`${server}/${tool}`);
  const list = names.slice(0, 20).join(', ');
  throw new Fault(
    'DataNotFound',
    { en: `no tool mcp:${shown}`, zh: `没有工具 mcp:${shown}` },
    didYouMean(tool, names, { en: `It has ${list || 'none'}.`, zh: `可用: ${list || '无'}。` }),
  );
}

function viewOf(
  { server, args }: UseServer,
  { name, description, annotations, digest }: ServerTool,
  most?: number,
): CallView {
  return {
    kind: 'server',
    server,
    tool: name,
    definition: digest,
    head: headOf(linesIn(description).map(visible), most),
    ...(annotations !== undefined && { annotations: visible(JSON.stringify(annotations)) }),
    words: namedWords(args),
  };
}

async function use(
  { server, tool, args }: UseServer,
  agreed: ServerTool,
  door: Door,
  onAttempt: Parameters<Door['servers']['open']>[1],
): Promise<Data> {
  const { connection, tools } = await door.servers.open(server, onAttempt);
  // A server that was started anew meanwhile may define it otherwise.
  if (tools.get(tool)?.digest !== agreed.digest)
    throw new Fault('IntegrityMismatch', { en: `mcp:${server}/${tool}`, zh: `mcp:${server}/${tool}` });
  const seconds = door.servers.settings(server).timeoutSeconds ?? door.limits.scriptSeconds;
  const { isError, text, structured, leftOut } = await connection.call(agreed, args, {
    signal: door.signal,
    timeoutMs: Math.min(seconds, door.limits.timeoutSeconds) * 1000,
    onProgress: (done, total) => door.onProgress?.({ fraction: total ? Math.min(1, done / total) : 0, message: '' }),
  });
  if (isError)
    throw new Fault('ExternalServiceError', visible(`mcp:${server}/${tool}: ${text.slice(0, 2000)}`), {
      details: { server, tool },
    });
  return {
    server,
    tool,
    text,
    ...(structured !== undefined && { structured }),
    ...(leftOut.length > 0 && { left_out: [...leftOut] }),
  };
}
