// What is wrong with one entry of an archive, behind its name.
import { Fault } from '../../base/errors.ts';
import type { Text } from '../../base/language.ts';
import { visible } from '../../base/text.ts';

export function inEntry(name: string, { en, zh }: Text): Text {
  return { en: `${name}: ${en}`, zh: `${name}: ${zh}` };
}

export function compiledCode(name: string): Fault {
  return new Fault('ARCHIVE_FORMAT', inEntry(visible(name), { en: 'compiled code', zh: '编译后的代码' }));
}
