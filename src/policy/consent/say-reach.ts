// What a consent allows, in words for people, one sentence a thing.
import { showHostRule } from '../../base/host-rule.ts';
import type { Text } from '../../base/language.ts';
import { shellWord } from '../../base/text/shell-word.ts';
import { visible } from '../../base/text.ts';
import type { Tier } from '../tier.ts';
import { deviceOf } from './device.ts';
import type { Reach } from './reach.ts';

/** Each as the rest of "it may …". */
export function sayReach({ hosts, variables, programs, devices, home }: Reach): Text[] {
  return [
    ...hosts.map(showHostRule).map(sayHost),
    ...variables.map(sayVariable),
    ...programs.map(({ name, file }) => sayProgram(name, file)),
    ...devices.map((name): Text => {
      const { en, zh } = deviceOf(name).says;
      return { en: `use ${en} (${name})`, zh: `使用${zh}（${name}）` };
    }),
    ...(home ? [LASTING_HOME] : []),
  ];
}

/** In one line. */
export function sayReachShortly(reach: Reach): Text {
  const parts = sayReach(reach);
  return { en: parts.map(({ en }) => en).join('; '), zh: parts.map(({ zh }) => zh).join('；') };
}

export function sayHost(host: string): Text {
  const shown = visible(host);
  return { en: `reach ${shown}`, zh: `访问 ${shown}` };
}

/** Said wherever somebody is asked about a host. */
export const SENT_THERE: Text = {
  en: 'whatever the skill can read may be sent there',
  zh: '技能能读取的一切都可能被发送到那里',
};

export function sayVariable(name: string): Text {
  const shown = visible(name);
  return { en: `read the variable ${shown}`, zh: `读取变量 ${shown}` };
}

function sayProgram(name: string, file: string): Text {
  const shown = visible(name);
  return { en: `run ${shown} (${visible(file)})`, zh: `运行 ${shown}（${visible(file)}）` };
}

export const LASTING_HOME: Text = {
  en: 'keep files in a home of its own from one run to the next',
  zh: '在其专用主目录中跨运行保留文件',
};

/** The same as options of `grants add`. */
export function reachOptions({ hosts, variables, programs, devices, home }: Reach): string[] {
  return [
    ...hosts.map((rule) => `--host ${shellWord(showHostRule(rule))}`),
    ...variables.map((name) => `--variable ${name}`),
    ...programs.map(({ file }) => `--program ${shellWord(file)}`),
    ...devices.map((name) => `--device ${name}`),
    ...(home ? ['--home'] : []),
  ];
}

/** A sandbox that shares the network of the machine cannot let single hosts through. */
export function hostsDoNotCount(tier: Tier): Text {
  return {
    en: `Hosts do not count in sandbox ${tier}: it could only open the whole network, services of this machine included, which a person is asked about at a terminal.`,
    zh: `主机授权在沙箱 ${tier} 中无效: 它只能开放整个网络，包括本机服务，须在终端由人决定。`,
  };
}
