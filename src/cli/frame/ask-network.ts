// Asks the person at the terminal about the whole network, for a skill whose sandbox cannot let single hosts through.
import { inLanguage, type Language, type Text } from '../../base/language.ts';
import { visible } from '../../base/text.ts';
import type { Door, NetworkQuestion } from '../../door/door.ts';
import { askLines, forgetTypedAhead, type OpenEnds } from './ask-line.ts';

/** Everything but a clear yes is a no. */
export function promptNetwork(language: Language, ends: OpenEnds): NonNullable<Door['askNetwork']> {
  return async (question) => {
    await forgetTypedAhead(ends().input);
    const typed = await askLines(ends, (ask, tell) => {
      tell(['', ...wordsOf(question).map((text) => inLanguage(text, language))]);
      return ask(`${inLanguage(CHOICES, language)} `);
    });
    const word = typed.trim().toLowerCase();
    if (/^(?:y|yes|o|once|是)$/.test(word)) return 'once';
    return /^(?:r|run|本次)$/.test(word) ? 'run' : 'no';
  };
}

function wordsOf({ skill, hosts, tier }: NetworkQuestion): Text[] {
  const [name, list] = [visible(skill), visible(hosts.join(', '))];
  return [
    { en: `${name} may reach ${list}.`, zh: `${name} 可访问 ${list}。` },
    {
      en: `Sandbox ${tier} cannot let single hosts through: it could only open the whole network, services of this machine included.`,
      zh: `沙箱 ${tier} 无法只放行个别主机: 它只能开放整个网络，包括本机服务。`,
    },
    { en: 'Whatever it can read may be sent anywhere.', zh: '其能读取的一切都可能被发送到任何地方。' },
  ];
}

const CHOICES: Text = {
  en: 'Open the whole network? y = for this call, r = for this run, Enter = no:',
  zh: '开放整个网络？y = 此次调用，r = 本次运行，回车 = 否:',
};
