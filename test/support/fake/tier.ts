// A tier that does nothing but run its orders: stronger than every real one by rank, and imported by changed source only.
import type { SandboxTier } from '../../../src/process/sandbox/tier.ts';

export const fakeTier: SandboxTier = {
  rank: 4,
  can: {
    ...{ files: true, network: true, processes: true, calls: true, limits: false },
    ...{ mounts: false, temporary: false, endsTree: false, sockets: false, proxy: false },
  },
  variants: () => [{}],
  build: () => ({
    notEnforced: ['disk-space'],
    prepare({ argv: [file = '', ...args], env, cwd }) {
      const launch = { env, cwd, descriptors: [], notEnforced: ['disk-space'], release: () => {} };
      const isTried = args.some((word) => word.endsWith('self-test.pl'));
      return isTried ? { ...launch, file: '/bin/echo', args: ['holds'] } : { ...launch, file, args };
    },
  }),
};
