// Where a tier cannot show a snapshot at the skill's own path, the call runs from the snapshot itself.
import path from 'node:path';
import { isInside } from '../../base/paths.ts';
import type { Order } from '../order.ts';

export function relocateSkill(order: Order): Order {
  const { skill } = order.view;
  if (!skill || skill.at === skill.from) return order;
  const move = (word: string) => moved(word, skill);
  return {
    ...order,
    argv: order.argv.map(move),
    cwd: move(order.cwd),
    env: Object.fromEntries(Object.entries(order.env).map(([name, value]) => [name, move(value)])),
    view: { ...order.view, skill: { at: skill.from, from: skill.from } },
  };
}

function moved(word: string, { at, from }: { at: string; from: string }): string {
  return path.isAbsolute(word) && isInside(at, word) ? path.join(from, path.relative(at, word)) : word;
}
