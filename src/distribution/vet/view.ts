// A text as it stands, and as a reader of the rendered page reads it. Line breaks stay, so that lines keep their numbers.
import { removeHidden } from '../../base/text.ts';
import { PLACES } from './rule/list.ts';
import type { FileKind, VetView } from './rule/rule.ts';
import { type Searched, searched } from './shape.ts';

export type VetViews = Readonly<Record<VetView, Searched>>;

const QUOTE_MARK = /^[ \t]{0,100}>[ \t]?/gm;
const LINK = /!?\[([^[\]\n]{0,500})\]\([ \t]{0,20}<?([^()[\]<>\s]{1,2000})>?[^()[\]\n]{0,500}\)/g;
const NAMED_LINK = /\[([^[\]\n]{1,500})\]\[[^[\]\n]{0,100}\]/g;
const TAG = /<\/?(?:a|b|i|u|em|strong|code|kbd|mark|span|font|small|sup|sub)(?:\s[^<>\n]{0,300})?>/gi;
const EMPHASIS = /[*`~]+|(?<![A-Za-z0-9_])_{1,3}|_{1,3}(?![A-Za-z0-9_])/g;
const ENTITY = /&(?:nbsp|#(\d{2,5})|#x([\da-f]{2,5}));/gi;
const ADDRESS = /https?:\/\/[^\s]{1,2000} ?/gi;

/** One letter that would become eight or eighteen. */
const LONG_LIGATURE = /[\ufdfa\ufdfb]/g;

/** Letters parted by hidden characters are read as one word, and other forms of a letter as that letter. */
export function viewsOf(text: string, kind: FileKind): VetViews {
  const plain = removeHidden(text).replace(LONG_LIGATURE, ' ').normalize('NFKC');
  const reading = kind === 'script' ? plain : asRead(plain);
  const phrase = reading.includes('://') ? reading.replace(ADDRESS, '') : reading;
  return {
    text: searched(plain, PLACES.text),
    reading: searched(reading, PLACES.reading),
    phrase: searched(phrase, PLACES.phrase),
  };
}

function asRead(text: string): string {
  return text
    .replace(QUOTE_MARK, '')
    .replace(LINK, '$1 $2 ')
    .replace(NAMED_LINK, '$1')
    .replace(TAG, '')
    .replace(EMPHASIS, '')
    .replace(ENTITY, (_, decimal?: string, hex?: string) =>
      letter(decimal === undefined ? Number.parseInt(hex ?? '20', 16) : Number(decimal)),
    );
}

/** Never a line break. */
function letter(code: number): string {
  return code < 0x20 || code > 0xffff ? ' ' : String.fromCharCode(code);
}
