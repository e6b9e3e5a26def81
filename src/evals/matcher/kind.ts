// What a matcher is: its key in a case, how that is written, the plain form a case holds, and how it judges.

import type { z } from 'zod';
import type { Zod } from '../../tools/tool.ts';
import type { AnyMatcher } from './plain-form.ts';

/** What a matcher looks at. */
export interface Produced {
  readonly text: string;
  readonly folder?: string;
  /** The text is the content of a file, which nobody judges. */
  readonly isFile?: boolean;
  /** Undefined where nobody is there to judge. */
  judge?(rubric: string): Promise<{ readonly pass: boolean; readonly evidence: string } | undefined>;
  /** Undefined where there is no function of this name. */
  custom?(name: string): Promise<boolean | undefined>;
}

export interface Matched {
  /** Undefined: nobody was there to decide it. */
  readonly ok: boolean | undefined;
  readonly message: string;
}

/** The keys of one entry, checked. */
export type WrittenEntry = Readonly<Record<string, unknown>>;

/** For matchers that contain other matchers. */
export interface OtherMatchers {
  /** The keys of an entry whose matchers look at a text. */
  shape(z: Zod): Record<string, z.ZodType>;
  plain(written: WrittenEntry): AnyMatcher[];
  describe(matcher: AnyMatcher): string;
  match(matcher: AnyMatcher, produced: Produced): Promise<Matched>;
}

/** One matcher: a file of its own, listed in matchers.ts. */
export interface MatcherKind<Plain extends AnyMatcher = AnyMatcher, Written = unknown> {
  /** Its key in a case, and the kind of its plain form. */
  readonly name: string;
  /** Needs nothing but a text: it can look into files, too. */
  readonly ofText: boolean;
  /** Is handed zod, so that judging a run loads none. */
  schema(z: Zod, others: OtherMatchers): z.ZodType<Written>;
  /** Keys that may stand beside it. */
  beside?(z: Zod): Record<string, z.ZodType>;
  plain(written: Written, entry: WrittenEntry, others: OtherMatchers): Plain[];
  /** In one line, for reports. */
  describe(matcher: Plain, others: OtherMatchers): string;
  match(matcher: Plain, produced: Produced, others: OtherMatchers): Promise<Matched>;
}
