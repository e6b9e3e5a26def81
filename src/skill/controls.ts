// What a skill says about who may use it and how, as an index of skills shows it.
import type { Manifest, ToolRule } from './skill.ts';

export interface SkillControls {
  readonly disable_model_invocation: boolean;
  readonly user_invocable: boolean;
  readonly run_mode: Manifest['runMode'];
  readonly allowed_tools: readonly ToolRule[] | null;
  readonly network: boolean;
}

export function describeControls(manifest: Manifest): SkillControls {
  return {
    disable_model_invocation: manifest.disableModelInvocation,
    user_invocable: manifest.userInvocable,
    run_mode: manifest.runMode,
    allowed_tools: manifest.allowedTools ?? null,
    network: manifest.network,
  };
}
