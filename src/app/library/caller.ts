// The options of one call in the terms of a use case: who asks, what they see, when it ends.
import { randomId } from '../../base/ids.ts';
import { readRole, roleAllowance } from '../../policy/role.ts';
import type { Caller } from '../open-door.ts';
import type { Runtime } from '../runtime.ts';
import { type Asking, askingBy } from './asking.ts';
import { checkOptions, type Handle, quietly } from './handle.ts';
import type { CallOptions } from './public/options.ts';

/** Code that calls us; `goOn` is asked in runs alone. */
export type CodeCaller = Caller & Pick<Asking, 'goOn'>;

/** Throws a Fault for options that are none, and for a role that is not there. */
export function callerOf(options: CallOptions, runtime: Runtime, handle: Handle): CodeCaller {
  checkOptions(options);
  const { role, context = {}, private: isPrivate, apply } = options;
  const signal = handle.signalFor(options.signal);
  const emit = quietly(options.onEvent);
  const { requestId = randomId(), agentId = role, userId } = context;
  return {
    ...askingBy({ ask: options.ask ?? handle.ask, language: runtime.language, emit, signal }),
    context: {
      request_id: requestId,
      ...(agentId !== undefined && { agent_id: agentId }),
      ...(userId !== undefined && { user_id: userId }),
    },
    // Whoever reads the outcome can call again with what is missing.
    attended: true,
    signal,
    onProgress: ({ fraction, message }) => emit({ type: 'progress', fraction, message }),
    ...(role !== undefined && { role: roleAllowance(readRole(runtime.project, role)) }),
    ...(isPrivate && { private: true }),
    ...(apply && { apply }),
    ...askedEffects(runtime),
  };
}

/** As the user's own settings say it. */
export function askedEffects({ config }: Runtime): Pick<Caller, 'effectsOnly'> {
  return { effectsOnly: config.executionLayers.user.ask === 'effects' ? 'setting' : undefined };
}
