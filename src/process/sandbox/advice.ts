// How this machine gets a better tier, in words for its owner.
import type { Text } from '../../base/language.ts';
import { isAtLeast, spellTier } from '../../policy/tier.ts';
import type { Host } from './host.ts';
import type { ProbedTier } from './probe.ts';
import { STRONGEST, TIERS } from './tiers.ts';

export function adviceFor(host: Host, found: ProbedTier): Text[] {
  if (found.tier === STRONGEST) return [];
  if (host.platform !== 'linux') return [OTHER_PLATFORM];
  if (!host.architecture) return [UNKNOWN_ARCHITECTURE];
  if (!host.perl) return [NO_PERL];
  return TIERS.filter(({ rank }) => !isAtLeast(found.tier, spellTier(rank))).flatMap(({ rank, advice }) => {
    const broken = found.failed.findLast(({ tier }) => tier === spellTier(rank));
    return advice?.(host, broken?.why) ?? [];
  });
}

const OTHER_PLATFORM: Text = {
  en: 'Isolation needs Linux. On Windows, WSL2 with bubblewrap gives tier S3.',
  zh: '隔离需要 Linux。在 Windows 上，WSL2 加 bubblewrap 可达到 S3 级。',
};

const UNKNOWN_ARCHITECTURE: Text = {
  en: 'Isolation is known for x86_64 and arm64 only; this machine has another architecture.',
  zh: '仅支持 x86_64 与 arm64 的隔离；本机为其他架构。',
};

const NO_PERL: Text = {
  en: 'Install perl (Debian, Ubuntu: apt install perl-base), owned by root in /usr/bin; every isolating tier starts with it.',
  zh: '请安装 perl（Debian、Ubuntu：apt install perl-base），须由 root 拥有并位于 /usr/bin；各隔离级别都需要它。',
};
