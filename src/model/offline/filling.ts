// The values of a call while they are collected: each parameter is set once, in its own type.
import { toFault } from '../../base/errors.ts';
import type { Json } from '../../base/json.ts';
import { readTyped } from '../../skill/value.ts';
import type { Wanted } from './wanted.ts';

export class Filling {
  readonly wanted: readonly Wanted[];
  readonly #given = new Map<string, Json>();

  constructor(wanted: readonly Wanted[]) {
    this.wanted = wanted;
  }

  give(name: string, text: string): void {
    const param = this.wanted.find((one) => one.name === name);
    if (!this.#given.has(name)) this.#given.set(name, typed(param, text));
  }

  /** Still without a value; required ones first. */
  open(fits: (param: Wanted) => boolean = () => true): Wanted[] {
    const open = this.wanted.filter((param) => !this.#given.has(param.name) && fits(param));
    return [...open.filter(({ needed }) => needed), ...open.filter(({ needed }) => !needed)];
  }

  missing(): Wanted[] {
    return this.open(({ needed }) => needed);
  }

  values(): Record<string, Json> {
    return Object.fromEntries(this.#given);
  }
}

/** A value that does not fit is passed as written: the call reports why it is refused. */
function typed(param: Wanted | undefined, text: string): Json {
  try {
    return readTyped(param, text);
  } catch (error) {
    if (toFault(error).type !== 'ParamInvalid') throw error;
    return text;
  }
}
