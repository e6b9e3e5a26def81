// The numbers of the ranking, and the plain ranking it is measured against.

export interface RankSettings {
  /** How soon more of the same word stops counting, and how much long texts pay for their length. */
  readonly saturation: number;
  readonly lengthPenalty: number;
  readonly fields: {
    readonly name: number;
    readonly description: number;
    readonly headings: number;
    readonly body: number;
    readonly examples: number;
  };
  /** Extra for words of the name, weighed by their rarity among names. */
  readonly nameBonus: number;
  /** Share of the character 4-gram score, and the part of a perfect match below which it is not scaled up. */
  readonly gramWeight: number;
  readonly gramFloor: number;
  /** Share of the score for words that stand close together in request and skill. */
  readonly nearnessWeight: number;
  /** Take "do not use for …" out of the description, and what a matching word in it costs. */
  readonly exclusions: boolean;
  readonly exclusionPenalty: number;
  readonly mentions: boolean;
  /** How much each kind of word of a request counts. */
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
