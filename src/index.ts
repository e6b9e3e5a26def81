// The public API. Named exports only; what is not here may change without notice.

export { parseCompact, renderCompact } from './base/compact.ts';
export type { Diagnostic } from './base/diagnostic.ts';
export { ERRORS, type ErrorType } from './base/error-catalogue.ts';
export { Fault } from './base/errors.ts';
export { exitCode, type Outcome, type State } from './base/outcome.ts';
export { runTask as task, type TaskOptions } from './cli/run-task.ts';
export type { Config } from './config.ts';
export { defineSkill, SkillError } from './protocol/sdk/define-skill.ts';
export type { Index, SkillEntry } from './registry/discover.ts';
export { resolveSkill } from './registry/resolve.ts';
export { createRuntime, type Runtime } from './runtime.ts';
export { digestSkill } from './skill/digest.ts';
export { parseSkill } from './skill/manifest.ts';
export type { Kind, Manifest, Profile, Source } from './skill/skill.ts';
export type { TaskRequest } from './worker/task.ts';
