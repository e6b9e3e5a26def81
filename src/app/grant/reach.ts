// How far a grant reaches beside its target: network, project files, sandbox; never further than a call can go.
import { Fault } from '../../base/errors.ts';
import { visible } from '../../base/text.ts';
import type { Grant, GrantTarget } from '../../policy/grant/grant.ts';
import { ENDS_DAEMONS, NO_SANDBOX, type Tier } from '../../policy/tier.ts';
import { TIER_NAMES } from '../../process/sandbox/tiers.ts';
import type { SkillEntry } from '../../registry/discover.ts';
import { isExecuting, toolOf } from '../../tools/list.ts';
import { isChange } from '../../tools/tool.ts';

export interface AskedReach {
  readonly network: boolean;
  /** Changes of project files; refused. */
  readonly writes: boolean;
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
    writes: tool?.paths.some(({ does }) => isChange(does)) ?? false,
    tier: asked.tier ?? (tool === undefined || tool.about === 'script' ? DEFAULT_TIER : NO_SANDBOX),
  };
}

/** A grant says nothing that no call would make use of. Throws a Fault that says what does have that effect. */
export function refuseIdleReach(target: GrantTarget, { manifest, name }: SkillEntry, asked: AskedReach): void {
  const shown = visible(name);
  if (asked.writes)
    throw new Fault(
      'Usage',
      { en: 'no standing permission covers changes of project files', zh: '长期授权不涵盖对项目文件的修改' },
      {
        hint: {
          en: `Leave --writes out: ${shown} writes to the output folder without it, and each change elsewhere is asked about. --tool write_file --pattern "notes/**" is for the file tool.`,
          zh: `请去掉 --writes: ${shown} 无需它即可写入输出目录，对其他文件的每次修改都会询问。文件工具请用 --tool write_file --pattern "notes/**"。`,
        },
      },
    );
  const reaches =
    target.kind === 'tool' && !isExecuting(target.tool) ? toolOf(target.tool).about === 'address' : manifest.network;
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
