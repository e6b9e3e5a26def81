// The sandbox of this machine as `doctor` tells it: its tier, what that leaves open, and how escape attempts end.

import path from 'node:path';
import { Fault, toFault } from '../../base/errors.ts';
import { inLanguage, type Text } from '../../base/language.ts';
import { counted } from '../../base/text/counted.ts';
import { ENDS_DAEMONS, isAtLeast, isUnconfined } from '../../policy/tier.ts';
import type { AttackResult } from '../../process/sandbox/attack/attack.ts';
import type { Sandbox } from '../../process/sandbox/sandbox.ts';
import type { Runtime } from '../runtime.ts';
import type { MachineCheck } from './machine.ts';

interface SandboxReport {
  readonly sandbox: Sandbox | undefined;
  readonly check: MachineCheck;
}

/** A machine on which the sandbox cannot even be looked for is reported, not fatal. */
export async function inspectSandbox(runtime: Runtime): Promise<SandboxReport> {
  try {
    const sandbox = await runtime.sandbox();
    const advice = sandbox.advice.map((text) => inLanguage(text, runtime.language));
    const detail = [sandbox.tier, ...advice].join('; ');
    return { sandbox, check: { name: 'sandbox', ok: isAtLeast(sandbox.tier, ENDS_DAEMONS), needed: false, detail } };
  } catch (error) {
    const detail = toFault(error).message;
    return { sandbox: undefined, check: { name: 'sandbox', ok: false, needed: false, detail } };
  }
}

/** Tries the tier in use, and the weaker isolating ones that hold here too. */
export async function attackTiers(runtime: Runtime): Promise<AttackResult[]> {
  const { runAttacks } = await import('../../process/sandbox/attack/attack.ts');
  const sandboxes = await openTiers(runtime);
  const results: AttackResult[] = [];
  for (const sandbox of sandboxes)
    results.push(...(await runAttacks(sandbox, { cacheFolder: runtime.sandboxFolder, project: runtime.project })));
  return results;
}

async function openTiers(runtime: Runtime): Promise<Sandbox[]> {
  const { openSandbox } = await import('../../process/sandbox/sandbox.ts');
  const { TIER_NAMES } = await import('../../process/sandbox/tiers.ts');
  const own = await runtime.sandbox();
  const weaker = TIER_NAMES.filter((tier) => !isAtLeast(tier, own.tier) && !isUnconfined(tier));
  const opened = await Promise.all(
    weaker.map((tier) => openSandbox({ cacheFolder: path.join(runtime.sandboxFolder, tier), tier })),
  );
  return [own, ...opened.filter((sandbox, index) => sandbox.tier === weaker[index])];
}

/** The failure to report when an attempt got through that the tier does not list as open. */
export function judgeAttacks(results: readonly AttackResult[]): Fault | undefined {
  const broken = results.filter(({ blocked, expected }) => expected && !blocked);
  if (broken.length === 0) return undefined;
  const list = broken.map(({ probe, tier }) => `${probe} (${tier})`).join(', ');
  const detail = {
    en: `${counted(broken.length, 'attempt')} broke out of the sandbox: ${list}`,
    zh: `${broken.length} 次尝试突破了沙箱: ${list}`,
  };
  const hint = {
    en: 'Do not run skills you do not trust on this machine.',
    zh: '请勿在本机运行不受信任的技能。',
  };
  return new Fault('CheckFailed', detail, { hint });
}

export function countAttacks(results: readonly AttackResult[]): Text {
  const stopped = results.filter(({ blocked }) => blocked).length;
  const open = results.length - stopped;
  return {
    en: `${results.length} attacks: ${stopped} stopped, ${open} open as listed`,
    zh: `${results.length} 次攻击: 阻止 ${stopped}，已列出的开放 ${open}`,
  };
}
