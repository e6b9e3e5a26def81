// A task whose result is stored is answered here, before anything is loaded that its answer does not need.
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { exitCode, type Outcome } from '../../../base/outcome.ts';
import { readTextIfThere } from '../../../base/read-file.ts';
import { visibleLines } from '../../../base/text.ts';
import { findProject } from '../../../config/project-folder.ts';
import { isTrusted } from '../../../config/trust.ts';
import { type ProjectPlace, stateFile } from '../../../store/location.ts';
import { recallFlight } from '../../../store/sqlite/recall.ts';
import { isShort } from '../../../task/description.ts';
import { recall } from '../../../task/stored.ts';
import { isOn, type OptionValues, textOption } from '../../frame/command.ts';
import { chooseFormat, chooseLanguage, describeTerminal } from '../../frame/global-options.ts';
import type { Process } from '../../frame/main.ts';
import { parseArguments } from '../../frame/parse.ts';
import { renderReply } from '../../frame/render.ts';
import { usage } from './usage.ts';

/** The exit code, or undefined where the ordinary way has to be gone: it says everything there is to say. */
export function answerStoredTask(args: readonly string[], process: Process): number | undefined {
  const startedAt = Date.now();
  try {
    const { positionals, options } = parseArguments(args, usage);
    const [description = '', prompt = ''] = positionals;
    const key = textOption(options, 'key');
    if (key === undefined || isOn(options, 'fresh') || isOn(options, 'help') || !isShort(description)) return undefined;
    const place = findPlace(options, process);
    if (!keepsResultsHere(place) || !isTrusted(place.project, place.home)) return undefined;
    const language = chooseLanguage(options, process.env);
    const by = { agent: 'worker_agent', surface: 'task', language, startedAt, now: () => Date.now() } as const;
    const outcome = recall(recallFlight(place, key), prompt, by);
    return outcome && print(outcome, options, process);
  } catch {
    return undefined;
  }
}

function findPlace(options: OptionValues, { env }: Process): ProjectPlace {
  const home = path.resolve(env.HOME || homedir());
  const named = textOption(options, 'project');
  return { home, project: named === undefined ? findProject(globalThis.process.cwd(), home) : path.resolve(named) };
}

/** The settings may name another database; they are read in full on the ordinary way only. */
function keepsResultsHere(place: ProjectPlace): boolean {
  const settings = [place.home, place.project].map((folder) => path.join(folder, '.agent', 'config.json'));
  return existsSync(stateFile(place)) && !settings.some((file) => readTextIfThere(file)?.includes('"store"'));
}

function print(outcome: Outcome, options: OptionValues, process: Process): number {
  const human = visibleLines(JSON.stringify(outcome.data.original_result, undefined, 2));
  const language = chooseLanguage(options, process.env);
  const page = { format: chooseFormat(options), language, terminal: describeTerminal(options, process) };
  const { stdout, stderr } = renderReply({ outcome, human }, page);
  if (stderr !== '') process.stderr.write(stderr);
  for (const block of stdout) process.stdout.write(block);
  return exitCode(outcome);
}
