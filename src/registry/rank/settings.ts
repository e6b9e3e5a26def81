// The parameters of the ranking, and the baseline it is measured against.

export interface RankSettings {
  /** BM25 saturation of repeated words (k1), and length normalization (b). */
  readonly saturation: number;
  readonly lengthPenalty: number;
  readonly fields: {
    readonly name: number;
    readonly description: number;
    readonly headings: number;
    readonly body: number;
    readonly examples: number;
  };
  /** Bonus for words of the name, weighted by their rarity among names. */
  readonly nameBonus: number;
  /** Weight of the character 4-gram score, and the part of a perfect match below which it is not scaled up. */
  readonly gramWeight: number;
  readonly gramFloor: number;
  /** Weight of proximity in request and skill. */
  readonly nearnessWeight: number;
  /** Removes "do not use for …" from the description, and the penalty of a matching word in it. */
  readonly exclusions: boolean;
  readonly exclusionPenalty: number;
  readonly mentions: boolean;
  /** The weight of each kind of word of a request. */
  readonly request: {
    readonly common: number;
    readonly number: number;
    readonly part: number;
    readonly pair: number;
    readonly quoted: number;
    readonly translated: number;
  };
}

export const RANK_SETTINGS: RankSettings = {
  saturation: 0.5,
  lengthPenalty: 0.5,
  fields: { name: 3, description: 1, headings: 0.5, body: 0.4, examples: 2 },
  nameBonus: 0.2,
  gramWeight: 0.3,
  gramFloor: 0.3,
  nearnessWeight: 0.2,
  exclusions: true,
  exclusionPenalty: 0.1,
  mentions: true,
  request: { common: 0.4, number: 0.5, part: 0.3, pair: 0.6, quoted: 0.3, translated: 0.8 },
};

/** BM25F with character 4-grams and nothing else. */
export const PLAIN_SETTINGS: RankSettings = {
  saturation: 0.8,
  lengthPenalty: 0.4,
  fields: { name: 3, description: 1, headings: 0.3, body: 0.3, examples: 2 },
  nameBonus: 0,
  gramWeight: 0.6,
  gramFloor: 0,
  nearnessWeight: 0,
  exclusions: false,
  exclusionPenalty: 0,
  mentions: false,
  request: { common: 1, number: 1, part: 1, pair: 1, quoted: 1, translated: 0 },
};
