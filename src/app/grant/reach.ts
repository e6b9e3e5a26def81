// How far a grant reaches beside its target: network, project files, sandbox; never further than a call can go.
import path from 'node:path';
import { Fault } from '../../base/errors.ts';
import { type Guarded, type Obeyed, openGuard } from '../../base/guarded-path.ts';
import { namesIfThere } from '../../base/read-file.ts';
import { visible } from '../../base/text.ts';
import type { Grant, GrantTarget } from '../../policy/grant/grant.ts';
import type { WriteReach } from '../../policy/grant/write-reach.ts';
import { ENDS_DAEMONS, NO_SANDBOX, type Tier } from '../../policy/tier.ts';
import { TIER_NAMES } from '../../process/sandbox/tiers.ts';
import type { SkillEntry } from '../../registry/discover.ts';
import { isExecuting, toolOf } from '../../tools/list.ts';
import { isChange } from '../../tools/tool.ts';

export interface AskedReach {
  readonly network: boolean;
  /** Which of its changes are applied without a question. */
  readonly writes: WriteReach;
  /** The weakest sandbox it accepts. */
  readonly tier?: Tier | undefined;
}

/** The strongest first. */
export const GRANT_TIERS: readonly Tier[] = TIER_NAMES;

/** Weaker ones a person has to name. */
export const DEFAULT_TIER = ENDS_DAEMONS;

/** A grant for a tool of our own says by its name whether it reaches out or writes, and needs no sandbox. */
export function reachOf(target: GrantTarget, asked: AskedReach): Pick<Grant, 'network' | 'writes' | 'tier'> {
  const tool = target.kind === 'tool' ? toolOf(target.tool) : undefined;
  return {
    network: asked.network || tool?.about === 'address',
    writes: tool && !isExecuting(tool.name) ? tool.paths.some(({ does }) => isChange(does)) : asked.writes,
    tier: asked.tier ?? (tool === undefined || tool.about === 'script' ? DEFAULT_TIER : NO_SANDBOX),
  };
}

/** A grant says nothing that no call would make use of. Throws a Fault that says what does have that effect. */
export function refuseIdleReach(target: GrantTarget, { manifest, name }: SkillEntry, asked: AskedReach): void {
  const shown = visible(name);
  if (target.kind === 'code' && (asked.network || asked.writes)) throw runsNothing();
  const isOwnTool = target.kind === 'tool' && !isExecuting(target.tool);
  if (asked.writes && isOwnTool) throw saidByPattern();
  const reaches = isOwnTool ? toolOf(target.tool).about === 'address' : manifest.network;
  if (!asked.network || reaches) return;
  throw new Fault(
    'Usage',
    { en: `${shown} does not declare that it needs the network`, zh: `${shown} 未声明需要网络` },
    {
      hint: {
        en: 'Leave --network out: no call of it reaches the network. `network: true` in its SKILL.md declares it; --tool network_request --pattern "domain:example.org" is for requests of the agent.',
        zh: '请去掉 --network: 它的调用都不会访问网络。在其 SKILL.md 中写 `network: true` 即为声明；智能体的请求请用 --tool network_request --pattern "domain:example.org"。',
      },
    },
  );
}

function runsNothing(): Fault {
  return new Fault(
    'Usage',
    {
      en: '--network and --writes are for what a grant lets run',
      zh: '--network 与 --writes 用于授权所允许运行的内容',
    },
    {
      hint: {
        en: 'Name it with --action or --script; --host lets its code reach single hosts.',
        zh: '请用 --action 或 --script 指明；--host 让其代码访问单个主机。',
      },
    },
  );
}

function saidByPattern(): Fault {
  return new Fault(
    'Usage',
    { en: '--writes is for what runs in the sandbox', zh: '--writes 用于在沙箱中运行的内容' },
    {
      hint: {
        en: 'Leave --writes out: the pattern says which files the tool may change.',
        zh: '请去掉 --writes: 模式已说明该工具可修改哪些文件。',
      },
    },
  );
}

/** As paths below the project. Throws a Fault for what lies outside it, and for what no grant applies. */
export function readWrites(written: boolean | readonly string[], { project, guarded }: WritesPlace): WriteReach {
  if (typeof written === 'boolean') return written;
  if (written.length === 0) throw new Fault('Usage', { en: '--writes= names no path', zh: '--writes= 未写明路径' });
  const paths = written.map((one) => path.relative(project, path.resolve(project, one)));
  for (const [at, below] of paths.entries()) {
    const shown = visible(written[at] ?? '');
    if (below === '..' || below.startsWith('../'))
      throw new Fault('Usage', { en: `--writes=${shown} is outside the project`, zh: `--writes=${shown} 在项目之外` });
    const by = openGuard(guarded(), (folder) => namesIfThere(path.join(project, folder)))(below);
    if (by) throw neverGranted(shown, by);
  }
  return paths.includes('') ? true : paths;
}

export interface WritesPlace {
  readonly project: string;
  readonly guarded: () => Guarded;
}

function neverGranted(shown: string, by: Obeyed): Fault {
  return new Fault(
    'Usage',
    {
      en: `${shown} is obeyed by ${by.en}, and no grant applies changes to it`,
      zh: `${shown} 由 ${by.zh} 执行，授权不涵盖对它的更改`,
    },
    {
      hint: {
        en: 'Name other paths: `skillwright runs apply` asks about these, each time.',
        zh: '请指定其他路径: `skillwright runs apply` 每次都会就此询问。',
      },
    },
  );
}
