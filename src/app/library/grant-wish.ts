// What a grant from code is for, in the terms of the use case.
import type { GrantOrder } from '../grant/add.ts';
import type { GrantedThing } from '../grant/target.ts';
import type { GrantWish } from './public/grants.ts';
import { wrongUse } from './wrong-use.ts';

const HOUR_MS = 3_600_000;

/** Throws a Fault where it names more than one thing. */
export function readWish(wish: GrantWish): GrantOrder {
  const { skill, network = false, writes = false, tier, hours } = wish;
  const { hosts, variables, programs, devices, home } = wish;
  return {
    ...{ skill, thing: thingIn(wish), network, writes, tier, follow: false },
    consent: {
      ...(hosts && { hosts }),
      ...(variables && { variables }),
      ...(programs && { programs }),
      ...(devices && { devices }),
      ...(home !== undefined && { home }),
    },
    lifetimeMs: hours === undefined ? undefined : hours * HOUR_MS,
  };
}

function thingIn(wish: GrantWish): GrantedThing {
  const { action, script, command, tool, pattern, words = [], exact = false } = wish;
  const things: GrantedThing[] = [];
  if (action !== undefined) things.push({ kind: 'action', action });
  if (script !== undefined) things.push({ kind: 'script', script, words, exact });
  if (command !== undefined) things.push({ kind: 'command', words: command, exact });
  if (tool !== undefined) things.push({ kind: 'tool', tool, pattern: pattern ?? '' });
  const [thing = CODE] = things;
  if (things.length > 1) throw wrongUse('a grant', 'for one of action, script, command and tool');
  return thing;
}

const CODE: GrantedThing = { kind: 'code' };
