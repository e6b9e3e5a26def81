// A command template: split into words first, so that a value can never become two words or a piece of syntax.
import { Fault } from '../base/errors.ts';
import { splitWords } from '../base/text/split-words.ts';
import { visible } from '../base/text.ts';

type Piece = { readonly text: string } | { readonly param: string };

export interface TemplateWord {
  readonly pieces: readonly Piece[];
  /** Words of one group stand or vanish together. */
  readonly group?: number;
}

/** A word of the command, and whether the author wrote the whole of it. */
export interface FilledWord {
  readonly text: string;
  readonly isLiteral: boolean;
}

// The kernel takes no longer word, its closing zero included.
const WORD_BYTES = 128 * 1024 - 1;
const PIECE =
  /\$\{(?:CLAUDE_SKILL_DIR|SKILL_DIR|CLAUDE_PLUGIN_ROOT)\}|(?<!\$)\{baseDir\}|\$(?:CLAUDE_)?SKILL_DIR\b|\$CLAUDE_PLUGIN_ROOT\b|\$ARGUMENTS\b|(?<!\$)\{([\p{L}_][\p{L}\p{N}_-]{0,63})\}|(?<!\{[^}]*)\$([1-9])(?!\d)/gu;

/** `[--opt {x}]` makes a group; brackets without a parameter between them are plain text. */
export function parseTemplate(command: string, skillFolder: string): TemplateWord[] {
  const written = splitWords(command);
  if (!written || written.length === 0) throw new Fault('MetadataMissing', visible(`command: ${command}`));
  const words: TemplateWord[] = [];
  for (let at = 0, group = 0; at < written.length; ) {
    const inside = groupAt(written, at);
    if (inside) {
      words.push(...inside.map((word) => ({ pieces: piecesOf(word, skillFolder), group })));
      at += inside.length;
      group++;
    } else words.push({ pieces: piecesOf(written[at++] ?? '', skillFolder) });
  }
  return words;
}

/** Words that only optional parameters fill become groups, each with the option before it: `--quality {quality}`. */
export function groupOptional(words: readonly TemplateWord[], isOptional: (param: string) => boolean): TemplateWord[] {
  const grouped: TemplateWord[] = [];
  let group = words.length;
  for (const word of words) {
    const params = word.pieces.flatMap((piece) => ('param' in piece ? [piece.param] : []));
    const isBare = word.group === undefined && params.length > 0 && params.every(isOptional);
    const before = grouped.at(-1);
    if (isBare && before && isOption(before)) grouped[grouped.length - 1] = { ...before, group };
    grouped.push(isBare ? { ...word, group: group++ } : word);
  }
  return grouped;
}

/** A word such as `-q` or `--quality` that stands in no group and has no value of its own. */
function isOption({ pieces: [piece, ...more], group }: TemplateWord): boolean {
  return group === undefined && more.length === 0 && piece !== undefined && 'text' in piece && OPTION.test(piece.text);
}

const OPTION = /^--?[\p{L}\p{N}][^=]*$/u;

/** The parameters a template names, in its order; needed are those that stand outside every group. */
export function parametersOf(words: readonly TemplateWord[]): Map<string, { needed: boolean }> {
  const found = new Map<string, { needed: boolean }>();
  for (const { pieces, group } of words) {
    for (const piece of pieces) {
      if (!('param' in piece)) continue;
      found.set(piece.param, { needed: group === undefined || found.get(piece.param)?.needed === true });
    }
  }
  return found;
}

export interface TemplateValues {
  readonly values: ReadonlyMap<string, string>;
  /** Whether a value of this parameter may stand where an option would. */
  allowsDash(param: string): boolean;
}

export function fillTemplate(words: readonly TemplateWord[], filling: TemplateValues): FilledWord[] {
  const absent = new Set(words.filter((word) => lacks(word, filling)).map(({ group }) => group));
  return words
    .filter(({ group }) => group === undefined || !absent.has(group))
    .map((word) => ({ text: fillWord(word, filling), isLiteral: word.pieces.every((piece) => 'text' in piece) }));
}

function lacks({ pieces }: TemplateWord, { values }: TemplateValues): boolean {
  return pieces.some((piece) => 'param' in piece && !values.has(piece.param));
}

function fillWord({ pieces }: TemplateWord, { values, allowsDash }: TemplateValues): string {
  let word = '';
  for (const piece of pieces) {
    const text = 'text' in piece ? piece.text : (values.get(piece.param) ?? '');
    // What the author began as an option stays one; a value may not begin one.
    if ('param' in piece && word === '' && text.startsWith('-') && !allowsDash(piece.param)) throw dash(piece.param);
    word += text;
  }
  if (Buffer.byteLength(word) > WORD_BYTES) throw tooLong();
  return word;
}

function groupAt(written: readonly string[], start: number): string[] | undefined {
  if (!written[start]?.startsWith('[')) return undefined;
  const end = written.findIndex((word, index) => index >= start && word.endsWith(']'));
  if (end < 0) return undefined;
  const inside = written.slice(start, end + 1);
  inside[0] = inside[0]?.slice(1) ?? '';
  inside[inside.length - 1] = inside.at(-1)?.slice(0, -1) ?? '';
  return inside.some((word) => piecesOf(word, '').some((piece) => 'param' in piece)) ? inside : undefined;
}

function piecesOf(word: string, skillFolder: string): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const match of word.matchAll(PIECE)) {
    if (match.index > end) pieces.push({ text: word.slice(end, match.index) });
    const param = match[1] ?? match[2] ?? (match[0] === '$ARGUMENTS' ? 'input' : undefined);
    pieces.push(param === undefined ? { text: skillFolder } : { param });
    end = match.index + match[0].length;
  }
  if (end < word.length || pieces.length === 0) pieces.push({ text: word.slice(end) });
  return pieces;
}

function dash(param: string): Fault {
  return new Fault(
    'ParamInvalid',
    { en: `${param} may not begin with -`, zh: `${param} 不能以 - 开头` },
    {
      details: { param },
      hint: {
        en: 'It would be read as an option. A file can be given as ./-name.',
        zh: '否则会被当作选项。文件可写成 ./-名称。',
      },
    },
  );
}

function tooLong(): Fault {
  return new Fault(
    'ParamInvalid',
    { en: 'too long for a command line', zh: '超出命令行长度' },
    { hint: { en: 'Put it into a file and give its name.', zh: '请写入文件并给出文件名。' } },
  );
}
