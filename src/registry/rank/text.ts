// Many short texts in one buffer, decoded on demand.

export interface Texts {
  readonly bytes: Uint8Array;
  /** Where each text begins; one more entry marks the end. */
  readonly start: Uint32Array;
}

export function packTexts(texts: readonly string[]): Texts {
  const whole = texts.map((text) => text.toWellFormed());
  const start = new Uint32Array(whole.length + 1);
  for (const [at, text] of whole.entries()) start[at + 1] = (start[at] ?? 0) + Buffer.byteLength(text);
  return { bytes: new Uint8Array(Buffer.from(whole.join(''))), start };
}

export function textAt(texts: Texts, at: number): string {
  const { buffer, byteOffset } = texts.bytes;
  const from = texts.start[at] ?? 0;
  return Buffer.from(buffer, byteOffset + from, (texts.start[at + 1] ?? 0) - from).toString('utf8');
}
