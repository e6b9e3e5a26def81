// The states of a run and their only transitions; each step is an event of the record.

export const STATES = ['Init', 'IndexSkills', 'Decide', 'LoadSkillBody', 'Act', 'Observe', 'Final'] as const;
export type StateName = (typeof STATES)[number];

const WAYS: Readonly<Record<StateName, readonly StateName[]>> = {
  Init: ['IndexSkills'],
  IndexSkills: ['Decide'],
  Decide: ['LoadSkillBody', 'Act', 'Final'],
  LoadSkillBody: ['Decide'],
  Act: ['Observe'],
  Observe: ['Decide'],
  Final: [],
};

export interface Machine {
  readonly at: StateName;
  move(to: StateName): void;
}

export function createMachine(record: (from: StateName, to: StateName) => void, start: StateName = 'Init'): Machine {
  let at = start;
  return {
    get at() {
      return at;
    },
    move(to) {
      // A resumed run is already in the state of its last recorded step.
      if (at === to) return;
      if (!WAYS[at].includes(to)) throw new Error(`no way leads from ${at} to ${to}`);
      record(at, to);
      at = to;
    },
  };
}

export function isStateName(name: string | undefined): name is StateName {
  return STATES.some((state) => state === name);
}
