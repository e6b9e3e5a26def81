// The interpreter a script asks for: by its first line, else by its extension; only listed ones are ever used.
import { closeSync, openSync, readSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../base/errors.ts';
import type { Text } from '../base/language.ts';
import { realPath } from '../base/paths.ts';
import { visible } from '../base/text.ts';
import { commonName } from '../policy/command/common-name.ts';

export const INTERPRETERS = [
  ...['python', 'node', 'bash', 'sh', 'deno', 'bun', 'ruby', 'perl', 'pwsh'],
  ...['rscript', 'uv'],
] as const;

const BY_EXTENSION: Readonly<Record<string, string>> = {
  '.py': 'python',
  '.js': 'node',
  '.mjs': 'node',
  '.cjs': 'node',
  '.ts': 'node',
  '.mts': 'node',
  '.cts': 'node',
  '.sh': 'bash',
  '.bash': 'bash',
  '.rb': 'ruby',
  '.pl': 'perl',
  '.ps1': 'pwsh',
  '.r': 'rscript',
};

/** What runs the script where the interpreter that it asks for is not listed: `uv run --script` is Python with packages. */
const INSTEAD: Readonly<Record<string, string>> = { uv: 'python' };

/** The name of the interpreter for a script; throws a Fault for one that is not in the list. */
export function interpreterOf(script: string, allowed: readonly string[] = INTERPRETERS): string {
  const asked = interpreterInShebang(firstLine(script));
  if (asked !== undefined && allowed.includes(asked)) return asked;
  const instead = INSTEAD[asked ?? ''];
  if (instead !== undefined && allowed.includes(instead)) return instead;
  const extension = extensionOf(script);
  const byExtension = BY_EXTENSION[extension];
  if (byExtension !== undefined && allowed.includes(byExtension)) return byExtension;
  throw notListed(visible(asked ?? byExtension ?? (extension || path.basename(script))), allowed);
}

/** Of a link without one, that of the file it leads to. */
function extensionOf(script: string): string {
  return (path.extname(script) || path.extname(realPath(script) ?? '')).toLowerCase();
}

/** Whether some interpreter fits a file, listed or not. */
export function isScript(file: string): boolean {
  return (
    interpreterInShebang(firstLine(file)) !== undefined || Object.hasOwn(BY_EXTENSION, path.extname(file).toLowerCase())
  );
}

/** `python` for `#!/usr/bin/env -S python3.12 -u`, `bash` for `#!/bin/bash`; undefined without such a line. */
export function interpreterInShebang(line: string): string | undefined {
  if (!line.startsWith('#!')) return undefined;
  const [program = '', ...words] = line.slice(2).trim().split(/\s+/);
  const name = path.posix.basename(program);
  if (name !== 'env') return commonName(name);
  const asked = words.find((word) => !word.startsWith('-') && !word.includes('='));
  return asked === undefined ? undefined : commonName(path.posix.basename(asked));
}

export function notListed(asked: string, allowed: readonly string[]): Fault {
  return new Fault(
    'PermissionDenied',
    { en: `interpreter "${asked}" is not in the list`, zh: `解释器 "${asked}" 不在允许列表中` },
    { details: { interpreter: asked, allowed: [...allowed] }, hint: whatRuns(allowed) },
  );
}

/** The interpreters, and the endings by which they are known. */
function whatRuns(allowed: readonly string[]): Text {
  const endings = Object.keys(BY_EXTENSION).filter((one) => allowed.includes(BY_EXTENSION[one] ?? ''));
  const [names, ends] = [allowed.map(visible).join(', '), endings.join(', ')];
  return {
    en: `Scripts run by ${names}: by their first line (#!), or by the ending ${ends}.`,
    zh: `脚本由 ${names} 运行: 取决于首行 (#!) 或扩展名 ${ends}。`,
  };
}

function firstLine(script: string): string {
  const descriptor = openSync(script, 'r');
  try {
    const head = Buffer.alloc(256);
    const text = head.toString('latin1', 0, readSync(descriptor, head));
    return text.split(/\r?\n/, 1)[0] ?? '';
  } finally {
    closeSync(descriptor);
  }
}
