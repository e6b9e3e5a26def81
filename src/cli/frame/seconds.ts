// An option that takes seconds, as every command reads it.
import { Fault } from '../../base/errors.ts';
import { visible } from '../../base/text.ts';
import { type Option, type OptionValues, textOption } from './command.ts';

export const TIMEOUT: Option = {
  name: 'timeout',
  value: 'SECONDS',
  summary: {
    en: 'a time limit for this call, within limits.timeout_seconds of your settings',
    zh: '本次调用的时限，不超过用户配置中的 limits.timeout_seconds',
  },
};

/** As a part of a call. */
export function readTimeout(options: OptionValues): { timeoutSeconds?: number } {
  const timeoutSeconds = secondsOption(options, TIMEOUT.name);
  if (timeoutSeconds === 0) throw new Fault('Usage', { en: '--timeout must be more than 0', zh: '--timeout 须大于 0' });
  return timeoutSeconds === undefined ? {} : { timeoutSeconds };
}

/** Undefined where it is not given. Throws a Fault for anything but a number of seconds. */
export function secondsOption(options: OptionValues, name: string): number | undefined {
  const written = textOption(options, name);
  if (written === undefined) return undefined;
  if (/^\d{1,7}(?:\.\d{1,6})?$/.test(written)) return Number(written);
  const shown = visible(written);
  throw new Fault('Usage', {
    en: `--${name} cannot be ${shown}: write seconds, such as 1.8`,
    zh: `--${name} 不能是 ${shown}: 请写秒数，如 1.8`,
  });
}
