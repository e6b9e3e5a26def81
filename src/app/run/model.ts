// Opens the model that decides in a run; what only one of them needs is loaded for that one alone.
import path from 'node:path';
import type { RunState } from '../../agent/run-state.ts';
import { type Language, languageOfRequest } from '../../base/language.ts';
import { chooseModel } from '../../model/choice.ts';
import type { Model } from '../../model/model.ts';
import { recordingModel } from '../../model/recorded.ts';
import type { Index } from '../../registry/discover.ts';
import type { Runtime } from '../runtime.ts';
import type { RunOrder } from './order.ts';

/** `answered`: how many answers an earlier part of the run has used up. */
export async function openModelFor(
  runtime: Runtime,
  { given, onAnswer, language }: RunOrder,
  state: RunState,
  index: Index,
  answered: number,
): Promise<Model> {
  const model = given ?? (await openNamed(runtime, state, index, answered, language));
  return onAnswer ? recordingModel(model, onAnswer) : model;
}

async function openNamed(
  runtime: Runtime,
  state: RunState,
  index: Index,
  answered: number,
  language?: Language,
): Promise<Model> {
  const { config, env, project } = runtime;
  return await chooseModel({
    settings: config.model,
    written: state.model,
    folder: project,
    answered,
    offline: () => openOffline(runtime, state, index, language),
    remote: async (settings) => (await import('../../model/open.ts')).openModel(settings, { env }),
  });
}

async function openOffline(runtime: Runtime, state: RunState, index: Index, language?: Language): Promise<Model> {
  const { createOfflineModel } = await import('../../model/offline/offline.ts');
  const { openProjectFiles } = await import('../../model/offline/project.ts');
  const { viewOfRun } = await import('../../agent/offline-view.ts');
  const { places, config } = runtime;
  return createOfflineModel({
    index,
    search: () => runtime.searchIndex(index, 'remembered'),
    project: openProjectFiles(
      places.project,
      config.outputFolder,
      path.resolve(places.project, state.request.from ?? ''),
    ),
    language: language ?? languageOfRequest(state.request.text) ?? runtime.language,
    view: () => viewOfRun(state.child ?? state),
  });
}
