// The model of a run or a job, as whoever calls from code named it or handed it over.
import { nameModel } from '../../model/choice.ts';
import { isModelLike, isSdkModel, type ModelLike } from '../../model/given.ts';
import { openGivenModel } from '../../model/given-port.ts';
import type { RunOrder } from '../run/order.ts';
import type { Runtime } from '../runtime.ts';
import { wrongUse } from './wrong-use.ts';

/** Throws a Fault for what no type checker has seen. */
export function checkModel(model: unknown): void {
  if (model !== undefined && !isModelLike(model))
    throw wrongUse('model', "a name such as 'anthropic:claude-sonnet-5', our Model port, or an AI SDK model");
}

/** A file that a name speaks of is meant from the project. */
export async function modelOrder(
  model: ModelLike | undefined,
  { project, config }: Runtime,
): Promise<Pick<RunOrder, 'model' | 'given'>> {
  if (model === undefined) return {};
  if (typeof model === 'string') return { model: nameModel(model, project) };
  if (!isSdkModel(model)) return { given: openGivenModel(model) };
  const { openGivenSdkModel } = await import('../../model/provider/given-sdk.ts');
  return { given: openGivenSdkModel(model, config.model) };
}
