import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMachine, STATES, type StateName } from './state.ts';

const WAYS = [
  'Init>IndexSkills',
  'IndexSkills>Decide',
  'Decide>LoadSkillBody',
  'Decide>Act',
  'Decide>Final',
  'LoadSkillBody>Decide',
  'Act>Observe',
  'Observe>Decide',
];

test('002-22 only the drawn ways can be taken, and each is recorded', () => {
  for (const from of STATES) {
    for (const to of STATES.filter((state) => state !== from)) {
      const taken: string[] = [];
      const machine = createMachine((a: StateName, b: StateName) => taken.push(`${a}>${b}`), from);
      const way = `${from}>${to}`;
      if (WAYS.includes(way)) machine.move(to);
      else assert.throws(() => machine.move(to), way);
      assert.deepEqual(taken, WAYS.includes(way) ? [way] : []);
    }
  }
});
