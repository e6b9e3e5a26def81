// The rules of the four seeds by their ids, and how an id is found in the name of a test.

const COUNTS = { '000': 77, '001': 51, '002': 107, '003': 52 };

export const RULE_PATTERN = /\b00[0-3]-\d{2,3}\b/;

export const RULES: readonly string[] = Object.entries(COUNTS).flatMap(([seed, count]) =>
  Array.from({ length: count }, (_, index) => `${seed}-${String(index + 1).padStart(2, '0')}`),
);

export function rulesIn(name: string): string[] {
  return name.match(new RegExp(RULE_PATTERN, 'g')) ?? [];
}
