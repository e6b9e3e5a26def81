// Diagnostics as people read them.
import path from 'node:path';
import type { Severity, SpokenDiagnostic } from '../../base/diagnostic.ts';
import { isInside } from '../../base/paths.ts';
import { paint, type Style, type Terminal, wrap } from '../../base/text/terminal.ts';
import { visible } from '../../base/text.ts';

const STYLES: Record<Severity, Style> = { error: 'red', warning: 'yellow', info: 'dim' };

/** Broken between words where the terminal ends, never within one. */
const INDENT = '    ';

type Paper = Pick<Terminal, 'color' | 'width'>;

export function renderDiagnostics(diagnostics: readonly SpokenDiagnostic[], base: string, terminal: Paper): string {
  return diagnostics.map((diagnostic) => renderDiagnostic(diagnostic, base, terminal)).join('\n');
}

function renderDiagnostic(diagnostic: SpokenDiagnostic, base: string, terminal: Paper): string {
  const { severity, code, message, fix } = diagnostic;
  const place = [shortPath(diagnostic.path, base), diagnostic.line, diagnostic.column]
    .filter((part) => part !== undefined)
    .join(':');
  const line = wrap(`${place}: ${severity} ${code} ${visible(message)}`, terminal.width - INDENT.length).join(
    `\n${INDENT}`,
  );
  const painted = line.replace(`: ${severity} `, () => `: ${paint(severity, STYLES[severity], terminal)} `);
  return fix === undefined || fix === '' ? painted : `${painted}\n${INDENT}→ ${visible(fix)}`;
}

/** Relative where that is shorter to read, and never raw. */
export function shortPath(file: string, base: string): string {
  return visible(isInside(base, file) ? path.relative(base, file) || '.' : file);
}
