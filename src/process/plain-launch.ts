// A program of our own choice, started outside of every sandbox: questions to interpreters and the system, and git.
import { NO_SANDBOX } from '../policy/tier.ts';
import type { Launch } from './order.ts';

export function plainLaunch(program: Pick<Launch, 'file' | 'args' | 'env' | 'cwd'>): Launch {
  return {
    ...program,
    descriptors: [],
    tier: NO_SANDBOX,
    notEnforced: [],
    endsTree: false,
    release: () => {},
  };
}
