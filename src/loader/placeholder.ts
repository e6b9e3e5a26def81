// The few placeholders of skill texts. A closed set, replaced in one pass, so that an inserted value is never expanded.

export interface PlaceholderValues {
  readonly skillFolder: string;
  /** What the user wrote after the skill's name. */
  readonly arguments?: string;
}

const PLACEHOLDER = /\$\{CLAUDE_SKILL_DIR\}|(?<!\$)\{baseDir\}|\$SKILL_DIR\b|\$ARGUMENTS\b(?!\[)/g;

export function fillPlaceholders(text: string, values: PlaceholderValues): string {
  return text.replace(PLACEHOLDER, (name) => (name === '$ARGUMENTS' ? (values.arguments ?? '') : values.skillFolder));
}
