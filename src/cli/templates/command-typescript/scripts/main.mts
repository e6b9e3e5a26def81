#!/usr/bin/env node
// Writes a Markdown report with the lines, words and characters of a text file.
// Usage: main.mts INPUT --output OUTPUT
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';

process.exitCode = main(process.argv.slice(2));

function main(args: string[]): number {
  const { input, output } = readArguments(args);
  if (!input || !output) return fail('usage: main.mts INPUT --output OUTPUT', 2);
  try {
    const figures = measure(readFileSync(input, 'utf8'));
    mkdirSync(path.dirname(output), { recursive: true });
    writeFileSync(output, render(path.basename(input), figures));
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error), 1);
  }
  console.log(`report written: ${output}`);
  return 0;
}

function readArguments(args: string[]): { input?: string | undefined; output?: string | undefined } {
  try {
    const { values, positionals } = parseArgs({
      args,
      options: { output: { type: 'string' } },
      allowPositionals: true,
    });
    return { input: positionals[0], output: values.output };
  } catch {
    return {};
  }
}

function measure(text: string): Record<string, number> {
  return {
    lines: text === '' ? 0 : text.replace(/\n$/, '').split('\n').length,
    words: text.split(/\s+/).filter(Boolean).length,
    characters: Array.from(text).length,
  };
}

function render(name: string, figures: Record<string, number>): string {
  const rows = Object.entries(figures).map(([label, value]) => `| ${label} | ${value} |\n`);
  return `# ${name}\n\n| measure | value |\n|---|---|\n${rows.join('')}`;
}

function fail(message: string, code: number): number {
  console.error(message);
  return code;
}
