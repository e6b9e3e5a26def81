// Gathers what the model of a run is told of where it is.
import { describeWhereabouts } from '../../agent/told/whereabouts.ts';
import { findHiddenFiles } from '../../base/hidden-files.ts';
import type { Door } from '../../door/door.ts';
import { isUnconfined } from '../../policy/tier.ts';
import { COMMAND_SECONDS, SCRIPT_SECONDS } from '../../skill/time-limit.ts';
import type { Runtime } from '../runtime.ts';

export async function whereaboutsOf({ config, places }: Runtime, { sandbox, folders }: Door): Promise<string> {
  const { tier, notEnforced } = await sandbox();
  const { timeoutSeconds: longest } = config.limits;
  const { requireApprovalFor, denied, enabled, default: otherwise, programs } = config.execution;
  const isRefused = (tool: string) => otherwise === 'deny' && !enabled.includes(tool);
  return describeWhereabouts({
    project: places.project,
    output: folders.output,
    hidden: findHiddenFiles(places.project),
    sandbox: { tier, isConfined: !isUnconfined(tier), notEnforced },
    seconds: { script: Math.min(SCRIPT_SECONDS, longest), command: Math.min(COMMAND_SECONDS, longest), longest },
    asked: requireApprovalFor.filter((tool) => !denied.includes(tool) && !isRefused(tool)),
    denied: [...new Set([...denied, ...requireApprovalFor.filter(isRefused)])],
    programs,
  });
}
