// How this machine gets a better tier, in words for its owner.
import type { Text } from '../../base/language.ts';
import { visible } from '../../base/text.ts';
import type { Host } from './host.ts';
import type { ProbedTier } from './probe.ts';

export function adviceFor(host: Host, found: ProbedTier): Text[] {
  if (found.tier === 'S3') return [];
  if (host.platform !== 'linux') return [OTHER_PLATFORM];
  if (!host.architecture) return [UNKNOWN_ARCHITECTURE];
  if (!host.perl) return [NO_PERL];
  const broken = found.failed.filter(({ tier }) => tier === 'S3').at(-1);
  if (!host.bubblewrap) return [NO_BUBBLEWRAP];
  return broken ? [brokenBubblewrap(visible(broken.why))] : [];
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

const NO_BUBBLEWRAP: Text = {
  en: 'Install bubblewrap (Debian, Ubuntu: apt install bubblewrap; Fedora: dnf install bubblewrap) for tier S3.',
  zh: '安装 bubblewrap 以达到 S3 级（Debian、Ubuntu：apt install bubblewrap；Fedora：dnf install bubblewrap）。',
};

function brokenBubblewrap(why: string): Text {
  return {
    en: `bubblewrap is installed but does not hold here (${why}). User namespaces may be switched off: see sysctl user.max_user_namespaces, kernel.unprivileged_userns_clone, or the AppArmor profile of bwrap.`,
    zh: `已安装 bubblewrap，但在此无法生效（${why}）。用户命名空间可能被关闭：检查 sysctl user.max_user_namespaces、kernel.unprivileged_userns_clone 或 bwrap 的 AppArmor 配置。`,
  };
}
