// The settings as a model is told of them, where the program that has us as a library restricts more than they do.
import type { Config, Execution } from '../config/value.ts';
import type { Tightening } from '../policy/policy.ts';

/** The layers stay as they are: policy has the restrictions as one of its own. */
export function tightenConfig(config: Config, tightening: Tightening): Config {
  return { ...config, execution: tightenExecution(config.execution, tightening) };
}

function tightenExecution(execution: Execution, tightening: Tightening): Execution {
  const { requireApprovalFor = [], denied = [], programs, default: otherwise, ask } = tightening;
  const listed = programs && (execution.programs?.filter((name) => programs.includes(name)) ?? programs);
  return {
    ...execution,
    ...(otherwise === 'deny' && { default: otherwise }),
    ...(ask === 'each' && { ask }),
    requireApprovalFor: [...new Set([...execution.requireApprovalFor, ...requireApprovalFor])],
    denied: [...new Set([...execution.denied, ...denied])],
    ...(listed && { programs: listed }),
  };
}
