// What is granted, read from the words and options of `grants add`.
import type { GrantedThing } from '../../app/grant/target.ts';
import { Fault } from '../../base/errors.ts';
import type { Text } from '../../base/language.ts';
import { visible } from '../../base/text.ts';
import { isOn, type OptionValues, textOption } from './command.ts';

const WAYS = ['action', 'script', 'command', 'tool'] as const;
type Way = (typeof WAYS)[number];

export function readGranted(words: readonly string[], options: OptionValues): GrantedThing {
  const way = chooseWay(options);
  checkCompany(way, words, options);
  const value = textOption(options, way) ?? '';
  const exact = isOn(options, 'exact');
  switch (way) {
    case 'action':
      return { kind: way, action: value };
    case 'script':
      return { kind: way, script: value, words, exact };
    case 'command':
      return { kind: way, words, exact };
    case 'tool':
      return { kind: way, tool: value, pattern: textOption(options, 'pattern') ?? '' };
  }
}

function chooseWay(options: OptionValues): Way {
  const chosen = WAYS.filter((way) => options[way] !== undefined);
  const [way] = chosen;
  if (way !== undefined && chosen.length === 1) return way;
  const list = WAYS.map((one) => `--${one}`).join(', ');
  throw usage({ en: `say what is granted: one of ${list}`, zh: `请写明授权内容: ${list} 之一` });
}

/** Options and words that mean nothing beside the chosen way are mistakes, not decoration. */
function checkCompany(way: Way, words: readonly string[], options: OptionValues): void {
  const takesWords = way === 'script' || way === 'command';
  const [extra] = words;
  if (!takesWords && extra !== undefined)
    throw usage({ en: `--${way} takes no words: ${visible(extra)}`, zh: `--${way} 后不能有: ${visible(extra)}` });
  if (!takesWords && isOn(options, 'exact'))
    throw usage({ en: '--exact is for --script and --command', zh: '--exact 只用于 --script 与 --command' });
  if ((way === 'tool') !== (options.pattern !== undefined))
    throw usage({ en: '--tool and --pattern go together', zh: '--tool 与 --pattern 须一同使用' });
}

function usage(detail: Text): Fault {
  return new Fault('Usage', detail);
}
