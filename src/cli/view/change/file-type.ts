// What kind of file some bytes begin, in words for people: by what is in it, since a name says anything.
import type { Text } from '../../../base/language.ts';

const MAGIC: readonly (readonly [hex: string, type: Text])[] = [
  ['7f454c46', { en: 'a program (ELF)', zh: '程序 (ELF)' }],
  ['4d5a', { en: 'a program (Windows)', zh: '程序 (Windows)' }],
  ['cffaedfe', { en: 'a program (macOS)', zh: '程序 (macOS)' }],
  ['cafebabe', { en: 'a program (Java or macOS)', zh: '程序 (Java 或 macOS)' }],
  ['0061736d', { en: 'a program (WebAssembly)', zh: '程序 (WebAssembly)' }],
  ['89504e47', { en: 'a PNG image', zh: 'PNG 图片' }],
  ['ffd8ff', { en: 'a JPEG image', zh: 'JPEG 图片' }],
  ['47494638', { en: 'a GIF image', zh: 'GIF 图片' }],
  ['25504446', { en: 'a PDF', zh: 'PDF' }],
  ['504b0304', { en: 'a ZIP archive or office document', zh: 'ZIP 归档或办公文档' }],
  ['1f8b', { en: 'a gzip archive', zh: 'gzip 归档' }],
  ['53514c69746520666f726d6174203300', { en: 'an SQLite database', zh: 'SQLite 数据库' }],
];

const TEXT: Text = { en: 'text', zh: '文本' };
const BINARY: Text = { en: 'binary', zh: '二进制' };

export function fileType(head: Buffer): Text {
  const hex = head.toString('hex', 0, 16);
  return MAGIC.find(([magic]) => hex.startsWith(magic))?.[1] ?? (head.includes(0) ? BINARY : TEXT);
}
