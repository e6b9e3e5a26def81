// `environments prune`: removes environments that nobody used for a while, those that are damaged, or named ones.
import { pruneEnvironments } from '../../../app/environment/stored.ts';
import { Fault } from '../../../base/errors.ts';
import type { Text } from '../../../base/language.ts';
import { makeOutcome } from '../../../base/outcome.ts';
import { counted } from '../../../base/text/counted.ts';
import { visible } from '../../../base/text.ts';
import { type Command, isOn, textOption } from '../../frame/command.ts';
import { renderEnvironments } from '../../view/environment/environment.ts';

const USUAL_DAYS = 90;

export const command: Command = {
  positionals: [
    {
      name: 'environment',
      many: true,
      summary: {
        en: 'the beginning of a name; those unused for long unless given',
        zh: '名称的开头；不写则为久未使用的',
      },
    },
  ],
  options: [
    {
      name: 'days',
      value: 'N',
      summary: { en: `unused for so long; ${USUAL_DAYS} unless given`, zh: `未使用的天数；默认 ${USUAL_DAYS}` },
    },
    { name: 'dry-run', summary: { en: 'only say which', zh: '仅列出，不删除' } },
  ],
  examples: ['skillwright environments prune --days 30', 'skillwright environments prune 3f9c21'],
  async run({ positionals, options, runtime, terminal }) {
    const dryRun = isOn(options, 'dry-run');
    const wish = { days: readDays(textOption(options, 'days')), names: positionals, dryRun };
    const { removed, kept } = pruneEnvironments(wish, runtime);
    const summary = kept.length === 0 ? sayRemoved(removed.length, dryRun) : sayKept(removed.length, kept.length);
    const by = runtime.answering('skillwright', 'own');
    const data = { environments: removed, in_use: kept };
    const outcome = makeOutcome(by, kept.length === 0 ? 'success' : 'partial', summary, data);
    if (removed.length + kept.length === 0) return { outcome };
    const shown = kept.length === 0 ? removed : kept;
    return { outcome, human: renderEnvironments(shown, runtime.language, terminal) };
  },
};

function sayRemoved(count: number, dryRun: boolean): Text {
  const environments = counted(count, 'environment');
  return dryRun
    ? { en: `would remove ${environments}`, zh: `将删除 ${count} 个环境` }
    : { en: `removed ${environments}`, zh: `已删除 ${count} 个环境` };
}

/** Those are shown: running the command again when the calls have ended removes them. */
function sayKept(count: number, kept: number): Text {
  return {
    en: `removed ${counted(count, 'environment')}; running calls use ${counted(kept, 'environment')}`,
    zh: `已删除 ${count} 个环境；${kept} 个环境正在被调用使用`,
  };
}

function readDays(written: string | undefined): number {
  if (written === undefined) return USUAL_DAYS;
  if (/^\d{1,5}$/.test(written)) return Number(written);
  const shown = visible(written);
  throw new Fault('Usage', { en: `--days expects a number: ${shown}`, zh: `--days 需要数字: ${shown}` });
}
