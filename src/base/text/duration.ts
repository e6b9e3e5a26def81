// Spans of time as people write them: 90m, 12h, 30d, 2w.
import { Fault } from '../errors.ts';
import { visible } from '../text.ts';

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

export const DAY_MS = 86_400_000;

/** Milliseconds. Throws a Fault that names the option and the form. */
export function readDuration(option: string, written: string): number {
  const [, number = '', unit = ''] = /^(\d{1,5})([mhdw])$/.exec(written.trim()) ?? [];
  const length = Number(number) * (UNITS[unit] ?? 0);
  if (unit !== '') return length;
  const shown = visible(written);
  throw new Fault('Usage', {
    en: `--${option} cannot be ${shown}: write a number and m, h, d or w, such as 12h or 30d`,
    zh: `--${option} 不能是 ${shown}: 请写数字加 m、h、d 或 w，如 12h 或 30d`,
  });
}
