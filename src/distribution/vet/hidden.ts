// Characters nobody sees: what each kind may mean, and where it belongs to a script or an emoji.
import type { VetSeverity } from '../../config/severity.ts';
import type { Sighting } from './search.ts';

interface HiddenRule {
  readonly id: string;
  readonly severity: VetSeverity;
  readonly pattern: RegExp;
  readonly belongs?: (text: string, index: number) => boolean;
}

const ZERO_WIDTH =
  '\\u00ad\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180e\\u200b-\\u200d\\u2060-\\u2065\\u206a-\\u206f\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb';

const CONTROL = '\\u0001-\\u0008\\u000b\\u000c\\u000e-\\u001a\\u001c-\\u001f\\u007f-\\u009f\\u2028\\u2029';

const HIDDEN_RULES: readonly HiddenRule[] = [
  { id: 'hidden-tag', severity: 'CRITICAL', pattern: /[\u{e0000}-\u{e007f}]+/gu, belongs: endsFlag },
  { id: 'hidden-bidi', severity: 'HIGH', pattern: /[\u202a-\u202e\u2066-\u2069]+/g },
  { id: 'hidden-bidi', severity: 'LOW', pattern: /[\u061c\u200e\u200f]+/g },
  {
    id: 'hidden-selector-run',
    severity: 'HIGH',
    pattern: /[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]{2}[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]*/gu,
  },
  { id: 'hidden-control', severity: 'HIGH', pattern: runOf('\\u0000\\u001b') },
  { id: 'hidden-control', severity: 'LOW', pattern: runOf(CONTROL) },
  // A long run of them encodes something.
  {
    id: 'hidden-zero-width',
    severity: 'HIGH',
    pattern: /[\u200b-\u200d\u2060-\u2064\ufeff]{6}[\u200b-\u200d\u2060-\u2064\ufeff]*/g,
  },
  { id: 'hidden-zero-width', severity: 'LOW', pattern: runOf(ZERO_WIDTH), belongs: joins },
];

const ANY = /[^\t\n\r -~\u00a0-\u00ac\u00ae-\u02ff\u3001-\u3163\u4e00-\u9fff\uff01-\uff5e]/;

export function* hiddenCharacters(text: string): Generator<Sighting> {
  if (!ANY.test(text)) return;
  const says = { en: 'holds characters nobody sees', zh: '含有不可见字符' };
  for (const { id, severity, pattern, belongs } of HIDDEN_RULES) {
    for (const { index, 0: run } of text.matchAll(pattern)) {
      if (!belongs?.(text, index)) yield { id, severity, view: 'raw', index, end: index + run.length, says };
    }
  }
}

function runOf(letters: string): RegExp {
  return new RegExp(`[${letters}]+`, 'g');
}

/** Regional flags are spelled with them, after a black flag. */
function endsFlag(text: string, index: number): boolean {
  return text.slice(Math.max(0, index - 2), index) === '\u{1f3f4}';
}

const JOINING_SCRIPT =
  /[\p{Extended_Pictographic}\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Tamil}\p{Script=Malayalam}]/u;

/** Joiners belong to emoji and to some scripts, a mark of byte order to the beginning. */
function joins(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  if (code === 0xfeff) return index === 0;
  if (code !== 0x200d && code !== 0x200c) return false;
  const around = text.slice(Math.max(0, index - 3), index + 3);
  return JOINING_SCRIPT.test(around) || around.includes('\ufe0f');
}
