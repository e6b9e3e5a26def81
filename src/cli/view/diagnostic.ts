// Diagnostics as people read them.
import path from 'node:path';
import type { Severity, SpokenDiagnostic } from '../../base/diagnostic.ts';
import { isInside } from '../../base/paths.ts';
import { paint, type Style, type Terminal } from '../../base/text/terminal.ts';
import { visible } from '../../base/text.ts';

const STYLES: Record<Severity, Style> = { error: 'red', warning: 'yellow', info: 'dim' };

export function renderDiagnostics(
  diagnostics: readonly SpokenDiagnostic[],
  base: string,
  terminal: Pick<Terminal, 'color'>,
): string {
  return diagnostics.map((diagnostic) => renderDiagnostic(diagnostic, base, terminal)).join('\n');
}

function renderDiagnostic(diagnostic: SpokenDiagnostic, base: string, terminal: Pick<Terminal, 'color'>): string {
  const { severity, code, message, fix } = diagnostic;
  const place = [shortPath(diagnostic.path, base), diagnostic.line, diagnostic.column]
    .filter((part) => part !== undefined)
    .join(':');
  const line = `${place}: ${paint(severity, STYLES[severity], terminal)} ${code} ${visible(message)}`;
  return fix === undefined || fix === '' ? line : `${line}\n    → ${visible(fix)}`;
}

/** Relative where that is shorter to read, and never raw. */
export function shortPath(file: string, base: string): string {
  return visible(isInside(base, file) ? path.relative(base, file) || '.' : file);
}
