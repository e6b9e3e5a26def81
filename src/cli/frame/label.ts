// Labels on a command line: what a job asks for, or what a worker has.
import { Fault } from '../../base/errors.ts';
import { visible } from '../../base/text.ts';
import { LABEL } from '../../store/queue.ts';
import { listOption, type OptionValues } from './command.ts';

/** Throws a Fault for what is no label. */
export function readLabels(options: OptionValues): readonly string[] {
  const labels = listOption(options, 'label');
  const wrong = labels.find((label) => !LABEL.test(label));
  if (wrong === undefined) return [...new Set(labels)];
  throw new Fault('Usage', {
    en: `--label ${visible(wrong)}: letters, digits, dots, - and _ are expected, up to 63`,
    zh: `--label ${visible(wrong)}: 只能使用字母、数字、点、- 和 _，至多 63 个`,
  });
}
