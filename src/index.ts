// The public API. Named exports only; what is not here may change without notice.

export { type EvalWorld, openEvalWorld } from './app/eval/world.ts';
export { type ExecuteOptions, executeSkill } from './app/execute-skill.ts';
export { openSkillwright } from './app/library/open.ts';
export type { RunBudget } from './app/library/public/budget.ts';
export type { ChangesLeft, ProjectChange } from './app/library/public/change.ts';
export type { Evals, EvalsWish } from './app/library/public/evals.ts';
export type {
  ActionChosen,
  ActionObserved,
  AnswerPiece,
  ModelRetry,
  OnEvent,
  ProgressMade,
  QuestionAnswered,
  QuestionAsked,
  RunEnded,
  RunEvent,
  RunStarted,
  TurnBegun,
} from './app/library/public/event.ts';
export type { CallToExplain, PolicyVerdict } from './app/library/public/explain.ts';
export type { GrantInfo, Grants, GrantWish } from './app/library/public/grants.ts';
export type {
  JobInfo,
  JobOptions,
  JobResult,
  Jobs,
  JobsWish,
  ScheduleInfo,
  WorkOptions,
} from './app/library/public/jobs.ts';
export type { CallerPolicy, CallOptions, ExecOptions, OpenOptions } from './app/library/public/options.ts';
export type {
  CallFailed,
  CallInterrupted,
  CallOutcome as Outcome,
  CallPartlyDone,
  CallPending,
  CallSucceeded,
  ErrorInfo,
  OpenQuestion,
} from './app/library/public/outcome.ts';
export type { PublishedSkill, PublishedSkills } from './app/library/public/published.ts';
export type {
  Ask,
  BudgetAsked,
  CallQuestion,
  ChangesAsked,
  HostAsked,
  NetworkAsked,
  Question,
  QuestionAnswer,
} from './app/library/public/question.ts';
export type { ExecResult, InvokeResult, Params } from './app/library/public/result.ts';
export type { AgentRun, RunOptions, RunResult } from './app/library/public/run.ts';
export type {
  AppliedChanges,
  ApplyWish,
  RunCheck,
  RunDetails,
  RunInfo,
  RunReplay,
  Runs,
  UndoneChanges,
  WaitingChanges,
} from './app/library/public/runs.ts';
export type { SavedDecision, WaitingQuestion } from './app/library/public/saved-question.ts';
export type {
  SkillCatalog,
  SkillHit,
  SkillInfo,
  SkillInstructions,
  SkillResource,
  SkillSearch,
  SkillsWish,
} from './app/library/public/skills.ts';
export type { Skillwright } from './app/library/public/skillwright.ts';
export type {
  SkillTool,
  SkillToolName,
  ToolAnnotations,
  ToolCallOptions,
  ToolDecision,
  ToolResult,
  ToolSchema,
  Toolset,
  ToolsOptions,
} from './app/library/public/toolset.ts';
export { createRuntime, type Runtime, type RuntimeOptions } from './app/runtime.ts';
export { runTask as task, type TaskCallOptions, type TaskOptions } from './app/task/run.ts';
export type { Diagnostic } from './base/diagnostic.ts';
export { ERRORS, type ErrorType } from './base/error/catalogue.ts';
export { Fault } from './base/errors.ts';
export { exitCodeOf as exitCode, type FlatOutcome } from './base/flat-outcome.ts';
export type { State } from './base/outcome.ts';
export { parseCompact, renderCompact } from './base/text/compact.ts';
export type { Config } from './config/value.ts';
export type { Attempt, CaseResult, RunCase } from './evals/attempt.ts';
export type { Case } from './evals/case/case.ts';
export { findSuiteFiles, readSuite, readSuites, type SuiteFile } from './evals/case/suite.ts';
export { type Comparison, compareResults } from './evals/compare.ts';
export { type CustomMatcher, type Judge, type Judgement, judgeRun } from './evals/judge.ts';
export type { Metrics } from './evals/metrics.ts';
export { readBaseline } from './evals/report/baseline.ts';
export { renderHtml } from './evals/report/html.ts';
export { renderJunit } from './evals/report/junit.ts';
export { renderMarkdown } from './evals/report/markdown.ts';
export { makeReport, type Report } from './evals/report/report.ts';
export { runSuite, type SuiteOrder, type SuiteResult } from './evals/run-suite.ts';
export type { CaseRun, Step, Trace } from './evals/trace.ts';
export type { SkillOrder, SkillResult } from './jobs/skill-order.ts';
export type { ModelLike, SdkModel } from './model/given.ts';
export type { Model, ModelMessage, ModelReply, ModelRequest, TokenUsage } from './model/model.ts';
export type { ApprovalQuestion } from './policy/question/facts.ts';
export { defineSkill, SkillError } from './protocol/sdk/define-skill.ts';
export type { Index, SkillEntry } from './registry/discover.ts';
export { resolveSkill } from './registry/resolve.ts';
export { digestSkill } from './skill/digest.ts';
export { parseSkill } from './skill/manifest.ts';
export type { Kind, Manifest, Profile, Source } from './skill/skill.ts';
export type { TaskRequest } from './task/request.ts';
