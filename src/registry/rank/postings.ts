// From documents to postings: for every key, the documents that contain it and the weight of each match.

export interface Postings {
  /** Where the list of each key begins; one more entry marks the end. */
  readonly start: Uint32Array;
  readonly document: Uint32Array;
  /** Weight in units of 1/VALUE_UNIT. */
  readonly value: Uint16Array;
}

const VALUE_UNIT = 2048;

/** Inverse document frequency: the rarer a key among `total` documents, the higher. */
export function rarity(holders: number, total: number): number {
  return Math.log(1 + (total - holders + 0.5) / (holders + 0.5));
}

export function emptyPostings(holders: Uint32Array): Postings {
  const start = new Uint32Array(holders.length + 1);
  for (let key = 0; key < holders.length; key++) start[key + 1] = (start[key] ?? 0) + (holders[key] ?? 0);
  const total = start[holders.length] ?? 0;
  return { start, document: new Uint32Array(total), value: new Uint16Array(total) };
}

export function quantize(value: number): number {
  return Math.min(0xffff, Math.max(0, Math.round(value * VALUE_UNIT)));
}

/** Adds weight × value of one key to the score of every document that contains it. */
export function addPostings(postings: Postings, key: number, weight: number, scores: Float32Array): void {
  const end = postings.start[key + 1] ?? 0;
  const unit = weight / VALUE_UNIT;
  for (let at = postings.start[key] ?? 0; at < end; at++) {
    const document = postings.document[at] ?? 0;
    scores[document] = (scores[document] ?? 0) + unit * (postings.value[at] ?? 0);
  }
}

export function highest(scores: Float32Array): number {
  let most = 0;
  for (const score of scores) if (score > most) most = score;
  return most;
}
