// A task whose result is stored is answered without loading anything that could run a script.
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import type { Language } from '../../base/language.ts';
import type { Outcome } from '../../base/outcome.ts';
import { readTextIfThere } from '../../base/read-file.ts';
import { findProject } from '../../config/project-folder.ts';
import { isTrusted } from '../../config/trust.ts';
import { type ProjectPlace, stateFile } from '../../store/location.ts';
import { recallFlight } from '../../store/sqlite/recall.ts';
import { isShort } from '../../task/description.ts';
import { recall } from '../../task/stored.ts';

export interface KeyedTask {
  readonly description: string;
  readonly prompt: string;
  readonly key: string;
}

export interface TaskPlace {
  readonly home: string | undefined;
  /** The project of the working folder unless given. */
  readonly project: string | undefined;
}

/** Undefined where the task has to be run, or refused, in full. */
export function recallTask(
  { description, prompt, key }: KeyedTask,
  where: TaskPlace,
  language: Language,
): Outcome | undefined {
  const startedAt = Date.now();
  const place = findPlace(where);
  if (!isShort(description) || !keepsResultsHere(place) || !isTrusted(place.project, place.home)) return undefined;
  const by = { agent: 'worker_agent', surface: 'task', language, startedAt, now: () => Date.now() } as const;
  return recall(recallFlight(place, key), prompt, by);
}

function findPlace({ home: given, project }: TaskPlace): ProjectPlace {
  const home = path.resolve(given || homedir());
  return { home, project: project === undefined ? findProject(process.cwd(), home) : path.resolve(project) };
}

/** The settings may name another database; they are read in full on the ordinary way only. */
function keepsResultsHere(place: ProjectPlace): boolean {
  const settings = [place.home, place.project].map((folder) => path.join(folder, '.agent', 'config.json'));
  return existsSync(stateFile(place)) && !settings.some((file) => readTextIfThere(file)?.includes('"store"'));
}
