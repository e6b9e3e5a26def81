// Whole numbers as options give them.
import { Fault } from '../../base/errors.ts';
import { visible } from '../../base/text.ts';

export function readCount(option: string, written: string): number {
  if (/^\d{1,6}$/.test(written)) return Number(written);
  const shown = visible(written);
  throw new Fault('Usage', {
    en: `--${option} cannot be ${shown}: write a whole number`,
    zh: `--${option} 不能是 ${shown}: 请写整数`,
  });
}
