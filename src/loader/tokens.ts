// Estimates tokens without a tokenizer of any model: close for English and Chinese, too high rather than too low.

// Weights per UTF-16 unit. English prose comes to one token per four characters and code to one per three, as model
// makers state for their tokenizers; a Chinese, Japanese or Korean character costs 0.7 to 1.2 depending on the model.
const LETTER = 0.25;
const DIGIT = 0.4;
const PUNCTUATION = 0.5;
const OTHER_SCRIPT = 0.5;
const CJK = 1;

export function estimateTokens(text: string): number {
  // Floating-point sums miss whole numbers slightly, depending on their order.
  return Math.ceil(Number(weigh(text).toFixed(6)));
}

/** Not rounded, so that parts add up to the whole. */
export function weigh(text: string): number {
  let weight = 0;
  for (let index = 0; index < text.length; index++) weight += weightOf(text.charCodeAt(index));
  return weight;
}

function weightOf(unit: number): number {
  if (unit >= 0x80) return isCjk(unit) ? CJK : OTHER_SCRIPT;
  if ((unit >= 0x61 && unit <= 0x7a) || unit === 0x20 || (unit >= 0x41 && unit <= 0x5a)) return LETTER;
  return unit >= 0x30 && unit <= 0x39 ? DIGIT : PUNCTUATION;
}

/** Surrogates count too: an emoji or a rare Han character takes about two tokens. */
function isCjk(unit: number): boolean {
  return unit >= 0x2e80 && (unit <= 0xdfff || (unit >= 0xf900 && unit <= 0xfaff) || (unit >= 0xfe30 && unit <= 0xffef));
}
