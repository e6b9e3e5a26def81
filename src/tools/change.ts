// What holds for every change of a file: how large it may be, and how often it is tried again.
import { Fault } from '../base/errors.ts';
import { visible } from '../base/text.ts';

export const SIZE_LIMIT = 16 * 1024 * 1024;
export const ATTEMPTS = 5;

export function changing(path: string): Fault {
  return new Fault('RuntimeFailed', {
    en: `${visible(path)} keeps changing meanwhile`,
    zh: `${visible(path)} 正在被不断修改`,
  });
}
