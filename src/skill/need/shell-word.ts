// Words of a shell script as texts: what it sets once is filled in, home is `~`, and what is not known is a hole.
import type { Word } from 'unbash';
import { HOLE_END, HOLE_START } from './host.ts';

type Part = NonNullable<Word['parts']>[number];

/** No address is longer, and a value made of values could grow without end. */
const LONGEST = 4000;
/** Values made of values: a chain of them is followed this far. */
const FARTHEST = 20;

export class WordTexts {
  readonly #values: ReadonlyMap<string, Word>;
  readonly #known = new Map<string, string>();
  #depth = 0;

  constructor(values: ReadonlyMap<string, Word>) {
    this.#values = values;
  }

  of(word: Word): string {
    const text = word.parts?.map((part) => this.#part(part)).join('') ?? word.value;
    return text.slice(0, LONGEST);
  }

  #part(part: Part): string {
    switch (part.type) {
      case 'Literal':
      case 'SingleQuoted':
      case 'AnsiCQuoted':
        return part.value;
      case 'DoubleQuoted':
      case 'LocaleString':
        return part.parts.map((one) => this.#part(one)).join('');
      case 'SimpleExpansion':
        return this.#named(part.text.slice(1));
      case 'ParameterExpansion': {
        const { parameter, operation } = part;
        const isDefault = operation?.type === 'Default' && /^:?[-=]$/.test(operation.operator);
        return isDefault && parameter !== 'HOME' ? this.of(operation.operand) : this.#named(parameter);
      }
      case 'Glob':
      case 'BraceExpansion':
      case 'ExtendedGlob':
        return part.text;
      default:
        return HOLE_START + HOLE_END;
    }
  }

  #named(name: string): string {
    if (name === 'HOME') return '~';
    const known = this.#known.get(name);
    const hole = HOLE_START + name + HOLE_END;
    if (known !== undefined || this.#depth > FARTHEST) return known ?? hole;
    // While its own value is read, it is not known.
    this.#known.set(name, hole);
    this.#depth++;
    const value = this.#values.get(name);
    const text = value ? this.of(value) : hole;
    this.#depth--;
    this.#known.set(name, text);
    return text;
  }
}
