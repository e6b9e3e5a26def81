// `task --key` whose result is stored: answered here, before anything is loaded that its answer does not need.
import { recallTask } from '../../../app/task/stored.ts';
import { isRecord } from '../../../base/json.ts';
import { exitCode, type Outcome } from '../../../base/outcome.ts';
import { visibleLines } from '../../../base/text.ts';
import { isOn, type OptionValues, textOption } from '../../frame/command.ts';
import { chooseFormat, chooseLanguage, describeTerminal } from '../../frame/global-options.ts';
import type { Process } from '../../frame/main.ts';
import { parseArguments } from '../../frame/parse.ts';
import { renderReply } from '../../frame/render.ts';
import { skillTable } from '../../view/task/skill-table.ts';
import { readTaskWords, usage } from './usage.ts';

/** The exit code, or undefined where the ordinary way has to be gone: it says everything there is to say. */
export function answerStoredTask(args: readonly string[], process: Process): number | undefined {
  try {
    const { positionals, options } = parseArguments(args, usage);
    const { description, prompt, key = textOption(options, 'key') } = readTaskWords(positionals);
    if (key === undefined || isOn(options, 'fresh') || isOn(options, 'help')) return undefined;
    const language = chooseLanguage(options, process.env);
    const place = { home: process.env.HOME, project: textOption(options, 'project') };
    const outcome = recallTask({ description, prompt, key }, place, language);
    return outcome && print(outcome, options, process);
  } catch {
    return undefined;
  }
}

function print(outcome: Outcome, options: OptionValues, process: Process): number {
  const language = chooseLanguage(options, process.env);
  const terminal = describeTerminal(options, process);
  const original = outcome.cached?.original;
  const table = isRecord(original) ? skillTable(original, language, terminal) : undefined;
  const human = visibleLines(table ?? JSON.stringify(original, undefined, 2));
  const page = { format: chooseFormat(options), language, terminal };
  const { stdout, stderr } = renderReply({ outcome, human }, page);
  if (stderr !== '') process.stderr().write(stderr);
  for (const block of stdout) process.stdout.write(block);
  return exitCode(outcome);
}
