// What a door knows of packages: what was prepared for the skill, else the runtimes that the settings name.
import type { Door } from '../../door/door.ts';
import { findPrepared, ofRuntimes } from '../../environment/use/used.ts';
import { calledName } from '../../registry/called-name.ts';
import type { Runtime } from '../runtime.ts';

export function packagesOf({ home, project, config, clock }: Runtime): Door['packages'] {
  return (skill, digest, holds) => {
    const configured = ofRuntimes(config.runtimes);
    const { isolated } = config.environment;
    if (!skill || digest === '') return configured;
    const search = { home, project, skill: calledName(skill), digest, now: clock.now(), isolated, holds };
    return { ...configured, ...findPrepared(search) };
  };
}

/** Few calls build anything, and reading a lock needs a schema. */
export function keeperFor(runtime: Runtime): Door['keepPrepared'] {
  return async (built) => {
    const { keepPrepared } = await import('./keep.ts');
    keepPrepared(built, runtime);
  };
}
