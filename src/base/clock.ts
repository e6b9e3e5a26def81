// Time as a value that is passed in, so that tests can hold it still.
export interface Clock {
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };
