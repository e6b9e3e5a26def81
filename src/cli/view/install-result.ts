// An installation as people see it: the question before it, and what came of it.
import path from 'node:path';
import { gravePoints, type InstallPlan, type InstallResult } from '../../app/install/carry-out.ts';
import { describeNeed } from '../../app/need/view.ts';
import type { Runtime } from '../../app/runtime.ts';
import type { Language, Text } from '../../base/language.ts';
import { type Data, errorOutcome, interruptedOutcome, makeOutcome } from '../../base/outcome.ts';
import { visible } from '../../base/text.ts';
import type { CommandContext, Reply } from '../frame/command.ts';
import { shortPath } from './diagnostic.ts';
import { findingData } from './finding.ts';
import { renderPlan } from './install-plan.ts';

/** Whoever has to decide about something grave types more than a letter. */
export async function askToInstall(plan: InstallPlan, { runtime, terminal }: CommandContext): Promise<boolean> {
  const { language } = runtime;
  const { confirm } = await import('../frame/confirm.ts');
  const word = gravePoints(plan).length > 0 ? 'install' : 'y';
  process.stderr.write(`${showPlan(plan, runtime, terminal)}\n`);
  return await confirm(questionAbout(plan), word, language);
}

/** `again`: the command to type to be asked once more. */
export function replyToInstall(result: InstallResult, again: string, context: CommandContext): Reply {
  switch (result.ended) {
    case 'undecided':
      return undecided(result, again, context);
    case 'refused':
      return refused(result, context.runtime);
    case 'planned':
    case 'installed':
      return settled(result, context);
  }
}

function settled(result: InstallResult, { runtime, terminal }: CommandContext): Reply {
  const { language } = runtime;
  const isTrial = result.ended === 'planned';
  const data = { ...describe(result, language), ...(isTrial && { dry_run: true }) };
  const state = result.damaged.length > 0 ? 'partial' : 'success';
  return {
    outcome: makeOutcome(runtime.answering('skillwright', 'own'), state, summarize(result), data),
    human: showPlan(result, runtime, terminal),
  };
}

function refused(result: InstallResult, runtime: Runtime): Reply {
  const said = { en: 'not installed: the answer was no', zh: '未安装: 未获同意' };
  const failure = { type: 'ApprovalDenied', code: 'APPROVAL_DENIED' };
  const data = { ...describe(result, runtime.language), ...failure };
  const hint = { en: 'Nothing was changed.', zh: '未作任何更改。' }[runtime.language];
  return { outcome: errorOutcome(runtime.answering('skillwright', 'own'), said, failure, data), hint };
}

/** Nobody to ask: says what would happen and the exact command, which for grave cases only a person can run. */
function undecided(result: InstallResult, again: string, { runtime, terminal }: CommandContext): Reply {
  const { language } = runtime;
  const grave = gravePoints(result);
  const bound = boundTo(again, result);
  const command = grave.length > 0 ? bound : `${bound} --yes`;
  const question = questionAbout(result)[language];
  const outcome = interruptedOutcome(
    runtime.answering('skillwright', 'own'),
    { en: `a decision is needed: ${question}`, zh: `需要批准: ${question}` },
    { waitsFor: 'approval', question, next: command },
    {
      ...describe(result, language),
      type: 'ApprovalRequired',
      code: 'APPROVAL_REQUIRED',
      question,
      needs_person: grave.map((text) => text[language]),
      resume_command: command,
    },
  );
  const hint =
    grave.length > 0
      ? { en: `A person has to decide; run it in a terminal: ${command}`, zh: `需由人决定；请在终端运行: ${command}` }
      : { en: `Go on with: ${command}`, zh: `继续请运行: ${command}` };
  return { outcome, human: showPlan(result, runtime, terminal), hint: hint[language] };
}

/** A server may serve something else by then: the yes is for what was shown. */
function boundTo(again: string, { items }: InstallPlan): string {
  const served = items.filter(({ action, candidate }) => action !== 'unchanged' && candidate.origin.kind === 'mcp');
  if (served.length === 0 || again.includes(' --digest ')) return again;
  const all = items.filter(({ action }) => action !== 'unchanged');
  return [again, ...all.map(({ candidate }) => `--digest ${candidate.digest.digest}`)].join(' ');
}

function showPlan(
  { items, damaged, links }: InstallPlan,
  { language, project }: Runtime,
  terminal: CommandContext['terminal'],
): string {
  const broken = { en: 'damaged, left out', zh: '已损坏，未安装' }[language];
  const linked = { en: 'link for other agents', zh: '供其他智能体使用的链接' }[language];
  return [
    renderPlan(items, language, terminal),
    ...damaged.map(({ folder, reason }) => `  ✗ ${visible(folder)} (${broken}): ${visible(reason[language])}`),
    ...links.map((link) => `  → ${linked}: ${shortPath(link, project)}`),
  ]
    .filter((line) => line !== '')
    .join('\n');
}

function changedNames({ items }: InstallPlan): string {
  const changed = items.filter(({ action }) => action !== 'unchanged');
  return changed.map(({ candidate }) => visible(candidate.manifest.name)).join(', ');
}

function summarize(result: InstallResult): Text {
  const names = changedNames(result);
  const { scope } = result.place;
  if (names === '' && result.links.length === 0)
    return { en: 'nothing to do: everything is there already', zh: '无需操作: 均已安装' };
  if (names === '') return { en: `linked: ${result.links.length}`, zh: `已链接: ${result.links.length}` };
  return result.ended === 'planned'
    ? { en: `would install for the ${scope}: ${names}`, zh: `将安装到 ${scope}: ${names}` }
    : { en: `installed for the ${scope}: ${names}`, zh: `已安装到 ${scope}: ${names}` };
}

function questionAbout(plan: InstallPlan): Text {
  const [names, scope] = [changedNames(plan), plan.place.scope];
  return { en: `install ${names} for the ${scope}?`, zh: `将 ${names} 安装到 ${scope}？` };
}

function describe({ items, place, damaged, links }: InstallPlan, language: Language): Data {
  const entries = items.map(({ candidate, action, changes }) => ({
    name: candidate.manifest.name,
    version: candidate.manifest.version ?? null,
    digest: candidate.digest.digest,
    scope: place.scope,
    path: path.join(place.root, candidate.folderName),
    action,
    ...(candidate.signer !== undefined && { signer: candidate.signer }),
    ...(candidate.origin.commit !== undefined && { commit: candidate.origin.commit }),
    coverage: candidate.vetting.coverage.state,
    ...(changes && { changes }),
  }));
  return {
    installed: entries.filter(({ action }) => action !== 'unchanged'),
    ...(damaged.length > 0 && {
      damaged: damaged.map(({ folder, reason }) => ({ path: folder, reason: reason[language] })),
    }),
    ...(links.length > 0 && { links }),
    unchanged: entries.filter(({ action }) => action === 'unchanged').map(({ name }) => name),
    findings: items.flatMap(({ candidate }) =>
      findingData(candidate.manifest.name, candidate.vetting.findings, language),
    ),
    ...needsIn(items),
  };
}

/** Absent where no skill needs anything. */
function needsIn(items: InstallPlan['items']): Data {
  const needs = items.flatMap(({ candidate, needs: own }) =>
    own.map((need) => ({ skill: candidate.manifest.name, ...describeNeed(need) })),
  );
  return needs.length === 0 ? {} : { needs };
}
