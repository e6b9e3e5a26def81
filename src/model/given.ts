// A model that is handed over by the program that calls us: our own port, or a model of the AI SDK as it is.
import type { Model } from './model.ts';

/** What we need to see of a language model of the AI SDK, version 6 or newer: any of its providers makes such objects. */
export interface SdkModel {
  readonly specificationVersion: string;
  readonly provider: string;
  readonly modelId: string;
  doGenerate(options: never): PromiseLike<unknown>;
  doStream(options: never): PromiseLike<unknown>;
}

/**
 * Who decides in a run: a name as in the settings (`offline`, `anthropic:claude-sonnet-5`, `mock:case.json`), an object
 * with our `Model` port, or a model of the AI SDK.
 * @example
 * const sw = await openSkillwright({ model: anthropic('claude-sonnet-5') });
 */
export type ModelLike = string | Model | SdkModel;

export function isSdkModel(model: Model | SdkModel): model is SdkModel {
  return 'doGenerate' in model && typeof model.doGenerate === 'function';
}

/** Of what no type checker has seen. */
export function isModelLike(value: unknown): value is ModelLike {
  if (typeof value === 'string') return value !== '';
  if (typeof value !== 'object' || value === null) return false;
  if ('decide' in value && typeof value.decide === 'function') return 'name' in value && typeof value.name === 'string';
  return ['doGenerate', 'doStream'].every((name) => typeof Reflect.get(value, name) === 'function');
}
