// Whether only effects are asked about in one command: as it was started, or as a person chose at the first question of a run.
import type { Door } from '../door/door.ts';
import type { EffectsOnly } from '../policy/asking.ts';

/** A person may choose it later; nobody takes it back before the command ends. */
export function chooseEffects(by: EffectsOnly | undefined, isRun: boolean): Door['effectsOnly'] {
  let chosen = by;
  let wasOffered = !isRun;
  return {
    by: () => chosen,
    choose: () => {
      chosen ??= 'person';
    },
    offer: () => {
      const isOffered = !wasOffered && chosen === undefined;
      wasOffered = true;
      return isOffered;
    },
  };
}
