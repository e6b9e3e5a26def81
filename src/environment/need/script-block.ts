// What a Python script says of its packages in the comment block of PEP 723.
import { isRecord } from '../../base/json.ts';
import { lineFinder, MOST_MENTIONS, type PackageMention, type UnreadPackages, unread } from './mention.ts';
import { parseRequirement } from './requirement.ts';
import { parseToml } from './toml.ts';

export interface ScriptBlock {
  readonly mentions: readonly PackageMention[];
  readonly unread: readonly UnreadPackages[];
}

const OPENS = /^# \/\/\/ script[ \t]*\r?$/m;
const CLOSES = /^# \/\/\/[ \t]*\r?$/;

/** Undefined where it has none. */
export function readScriptBlock(file: string, text: string): ScriptBlock | undefined {
  const opened = OPENS.exec(text);
  if (!opened) return undefined;
  const lines = text.slice(opened.index).split('\n');
  const end = lines.findIndex((line, at) => at > 0 && (CLOSES.test(line) || !/^#(?: |\r?$)/.test(line)));
  if (end < 0 || !CLOSES.test(lines[end] ?? '')) return undefined;
  const start = text.slice(0, opened.index).split('\n').length;
  const body = lines.slice(1, end).map((line) => line.replace(/^# ?/, ''));
  try {
    return readBlock(parseToml(body.join('\n')), { file, start, body: body.join('\n') });
  } catch {
    return { mentions: [], unread: [unread(file, start, 'not-understood', '# /// script')] };
  }
}

function readBlock(
  block: Record<string, unknown>,
  { file, start, body }: { file: string; start: number; body: string },
): ScriptBlock {
  const listed: unknown[] = Array.isArray(block.dependencies) ? block.dependencies : [];
  const lineOf = lineFinder(body);
  const mentions: PackageMention[] = [];
  const left: UnreadPackages[] = [];
  for (const one of listed.filter((one) => typeof one === 'string').slice(0, MOST_MENTIONS)) {
    const line = start + lineOf(one);
    const requirement = parseRequirement(one);
    if (requirement)
      mentions.push({ ...requirement, ecosystem: 'python', certainty: 'declared', use: 'needed', file, line });
    else left.push(unread(file, line, 'not-understood', one.slice(0, 120)));
  }
  return { mentions, unread: [...left, ...indexOptions(block.tool, file, start)] };
}

function indexOptions(tool: unknown, file: string, line: number): UnreadPackages[] {
  const uv = isRecord(tool) && isRecord(tool.uv) ? tool.uv : {};
  const names = ['index', 'index-url', 'extra-index-url', 'find-links', 'sources'].filter((name) => name in uv);
  return names.map((name) => unread(file, line, 'index-option', `tool.uv.${name}`));
}
