// Where a tier cannot show content at the path it is meant to be seen at, the words of the call move to where it lies.
import path from 'node:path';
import { isInside } from '../../../base/paths.ts';
import { absolutePath } from '../../../base/value/absolute-path.ts';
import type { Mapped, Order } from '../../order.ts';

const PARTS = ['skill', 'output', 'placed'] as const;
export type MappedPart = (typeof PARTS)[number];

/** The parts of a view that are to be seen somewhere else than they lie. */
export function mappedParts({ view }: Order): { part: MappedPart; mapped: Mapped }[] {
  return PARTS.flatMap((part) => {
    const mapped = view[part];
    return mapped && mapped.at !== mapped.from ? [{ part, mapped }] : [];
  });
}

export function relocate(order: Order, parts: readonly MappedPart[] = PARTS): Order {
  return mappedParts(order)
    .filter(({ part }) => parts.includes(part))
    .reduce((current, { part, mapped }) => move(current, part, mapped), order);
}

function move(order: Order, part: MappedPart, mapped: Mapped): Order {
  return { ...moveWords(order, mapped), view: { ...order.view, [part]: { ...mapped, at: mapped.from } } };
}

function moveWords(order: Order, mapped: Mapped): Order {
  const moved = (word: string) => moveWord(word, mapped);
  const env = Object.entries(order.env).map(([name, value]) => [name, moved(value)]);
  return { ...order, argv: order.argv.map(moved), cwd: moved(order.cwd), env: Object.fromEntries(env) };
}

/** For a tier that mounts nothing: the call works in the copy of the project itself, and sees the original at its own path. */
export function withoutMounts(wanted: Order): Order {
  const order = relocate(wanted);
  const { project } = order.view;
  if (!project?.layer) return order;
  const { folder, hide, layer } = project;
  const moved = moveWords(order, { at: absolutePath(folder), from: layer.from });
  const writable = [...order.view.writable, layer.from];
  return { ...moved, view: { ...order.view, project: { folder, hide, writable: false }, writable } };
}

/** A path as a whole word, or behind an option: `--output=/…`. */
function moveWord(word: string, { at, from }: Mapped): string {
  const [, option = '', file = ''] = /^([^/=]*=)?(\/.*)$/s.exec(word) ?? [];
  return file !== '' && isInside(at, file) ? option + path.join(from, path.relative(at, file)) : word;
}
