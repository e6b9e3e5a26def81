// What is granted, read from the words and options of `grants add`.
import type { AskedConsent } from '../../app/grant/consented.ts';
import type { GrantedThing } from '../../app/grant/target.ts';
import { Fault } from '../../base/errors.ts';
import type { Text } from '../../base/language.ts';
import { visible } from '../../base/text.ts';
import { isOn, listOption, type OptionValues, textOption } from './command.ts';

const WAYS = ['action', 'script', 'command', 'tool', 'shell'] as const;
type Way = (typeof WAYS)[number];

/** Options that say what code of the skill may reach; alone, they are a grant for its code. */
const REACHES = ['host', 'variable', 'program', 'device', 'home'] as const;

export function readGranted(words: readonly string[], options: OptionValues): GrantedThing {
  const way = chooseWay(words, options);
  if (way === undefined) return { kind: 'code' };
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
    case 'shell':
      return { kind: way, script: value };
    case 'tool':
      return { kind: way, tool: value, pattern: textOption(options, 'pattern') ?? '' };
  }
}

export function readConsent(options: OptionValues): AskedConsent {
  return {
    hosts: listOption(options, 'host'),
    variables: listOption(options, 'variable'),
    programs: listOption(options, 'program'),
    devices: listOption(options, 'device'),
    home: isOn(options, 'home'),
  };
}

/** Undefined: whatever runs of the skill. */
function chooseWay(words: readonly string[], options: OptionValues): Way | undefined {
  const chosen = WAYS.filter((way) => options[way] !== undefined);
  const [way] = chosen;
  if (way !== undefined && chosen.length === 1) return way;
  const isForCode = chosen.length === 0 && REACHES.some((name) => options[name] !== undefined);
  if (isForCode && words.length === 0 && options.pattern === undefined && !isOn(options, 'exact')) return undefined;
  const list = WAYS.map((one) => `--${one}`).join(', ');
  const more = REACHES.map((one) => `--${one}`).join(', ');
  throw usage({
    en: `say what is granted: one of ${list}, or what its code may reach: ${more}`,
    zh: `请写明授权内容: ${list} 之一，或其代码可触及的范围: ${more}`,
  });
}

/** Options and words that mean nothing beside the chosen way are mistakes, not decoration. */
function checkCompany(way: Way, words: readonly string[], options: OptionValues): void {
  const takesWords = way === 'script' || way === 'command';
  const [extra] = words;
  if (!takesWords && extra !== undefined)
    throw usage({ en: `--${way} takes no words: ${visible(extra)}`, zh: `--${way} 后不能有: ${visible(extra)}` });
  if (!takesWords && isOn(options, 'exact'))
    throw usage({ en: '--exact is for --script and --command', zh: '--exact 只用于 --script 与 --command' });
  if (way === 'shell' && isOn(options, 'network'))
    throw usage({
      en: '--network does not go with --shell: a shell script reaches no host by a grant',
      zh: '--network 不能与 --shell 同用: shell 脚本不能凭授权访问网络',
    });
  if ((way === 'tool') !== (options.pattern !== undefined))
    throw usage({ en: '--tool and --pattern go together', zh: '--tool 与 --pattern 须一同使用' });
}

function usage(detail: Text): Fault {
  return new Fault('Usage', detail);
}
