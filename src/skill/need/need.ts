// What a skill needs from the machine and from a person, as values: found by reading, never by running.

export const NEED_KINDS = ['host', 'variable', 'program', 'home', 'device'] as const;
export type NeedKind = (typeof NEED_KINDS)[number];

/**
 * How sure it is: the author declared it; it stands in code that uses it; it follows from something well known that the
 * code uses, such as an SDK with one host; or it stands where it is probably used.
 */
export const SURENESS = ['declared', 'literal', 'implied', 'likely'] as const;
export type Sureness = (typeof SURENESS)[number];

export interface Need {
  readonly kind: NeedKind;
  /**
   * Of a host: its name in small letters, `*.` in front where one label of it is not known. Of a home path: below home,
   * as `.config/tool`; empty for home itself.
   */
  readonly name: string;
  /** Of a host: where it is not 443. */
  readonly port?: number;
  /** Relative to the folder of the skill, with slashes. */
  readonly file: string;
  readonly line: number;
  readonly sure: Sureness;
  /** What shows it, as code: `requests.get`, `process.env`, `import openai`, `metadata.openclaw.requires`. */
  readonly how: string;
}

/** Where code reads a variable. */
export type VariableUse = Pick<Need, 'name' | 'file' | 'line'>;

/** One need for each name, with the places that show it; the surest place first. */
export interface NamedNeed {
  readonly kind: NeedKind;
  readonly name: string;
  readonly port?: number;
  readonly sure: Sureness;
  readonly places: readonly Need[];
}

/** By kind, then the surest first, then by name. */
export function groupNeeds(needs: readonly Need[]): NamedNeed[] {
  const groups = Map.groupBy(needs, ({ kind, name, port }) => JSON.stringify([kind, name, port]));
  const named = [...groups.values()].flatMap((all) => {
    const places = all.toSorted(bySureness);
    const [first] = places;
    if (!first) return [];
    const { kind, name, port, sure } = first;
    return [{ kind, name, ...(port !== undefined && { port }), sure, places }];
  });
  return named.sort((a, b) => rank(a) - rank(b) || bySureness(a, b) || (a.name < b.name ? -1 : 1));
}

function rank({ kind }: Pick<Need, 'kind'>): number {
  return NEED_KINDS.indexOf(kind);
}

function bySureness(a: Pick<Need, 'sure'>, b: Pick<Need, 'sure'>): number {
  return SURENESS.indexOf(a.sure) - SURENESS.indexOf(b.sure);
}
