// Pages that show commands and what they print: read, so that a test can type the one and compare the other.

export interface ShownCommand {
  /** Without the prompt. */
  readonly line: string;
  readonly shown: string;
}

/** The fenced blocks of a language. */
export function blocksOf(page: string, language: string): string[] {
  const fenced = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm');
  return Array.from(page.matchAll(fenced), ([, text = '']) => text);
}

export function commandsOf(page: string): ShownCommand[] {
  return blocksOf(page, 'console').flatMap((block) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((part) => ({ line: part.slice(0, part.indexOf('\n')), shown: part.slice(part.indexOf('\n') + 1) })),
  );
}

/** `…` stands for anything, a line of its own for any number of lines. */
export function patternOf(shown: string): RegExp {
  const escaped = shown.trimEnd().replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replace(/^…$/gm, '[\\s\\S]*').replaceAll('…', '.*')}\\s*$`);
}
