// Bytes as text, where they are text.
import { Fault } from '../../base/errors.ts';
import { quote } from '../../loader/contained.ts';

/** Undefined for what is no text. A byte order mark stays where it is, so that an edit keeps it. */
export function decodeText(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

export function mustBeText(path: string, text: string | undefined): string {
  if (text !== undefined) return text;
  throw new Fault('ParamInvalid', quote(path, { en: 'is not a text file', zh: '不是文本文件' }), {
    hint: {
      en: 'Only UTF-8 text can be read; a script can read the rest.',
      zh: '只能读取 UTF-8 文本；其余请用脚本读取。',
    },
  });
}
