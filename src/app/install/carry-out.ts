// The common way of `install` and `update`: prepare, show, ask, put in place, answer.
import path from 'node:path';
import { makeFolder, removeTree } from '../../base/files.ts';
import { randomId } from '../../base/ids.ts';
import type { Text } from '../../base/language.ts';
import { makeOutcome } from '../../base/outcome.ts';
import { visible } from '../../base/text.ts';
import { type CommandContext, isOn, type OptionValues, type Reply } from '../../cli/frame/command.ts';
import { decideInstall } from '../../cli/view/install-decision.ts';
import { renderPlan } from '../../cli/view/install-plan.ts';
import type { InstallOptions } from '../../distribution/candidate.ts';
import { type InstallPlaces, type Prepared, prepareInstall } from '../../distribution/install.ts';
import type { JudgedSkill } from '../../distribution/judge.ts';
import { findPlace, type InstallPlace, SCOPES } from '../../distribution/place.ts';
import type { Offer } from '../../distribution/source/offer.ts';
import type { SourcePlaces } from '../../distribution/source/source.ts';
import type { Runtime } from '../runtime.ts';
import { findingData } from '../view/finding.ts';

export interface InstallRun {
  readonly place: InstallPlace;
  readonly offers: readonly Offer[];
  readonly options: InstallOptions;
  /** The command to type again. */
  readonly again: string;
  /** A last look before anybody is asked; throws where it must not go on. */
  readonly check?: (items: readonly JudgedSkill[]) => void;
}

export function choosePlace(runtime: Runtime, options: OptionValues): InstallPlace {
  return findPlace(
    runtime,
    SCOPES.find((scope) => scope === options.scope),
  );
}

export function installOptions(options: OptionValues): InstallOptions {
  return {
    force: isOn(options, 'force'),
    replace: isOn(options, 'replace'),
    allowDowngrade: isOn(options, 'allow-downgrade'),
    backup: isOn(options, 'backup'),
  };
}

/** Gives the work a private folder, and takes it away again. */
export async function withSourcePlaces<T>(
  { home, project, env }: Runtime,
  cwd: string,
  work: (places: SourcePlaces) => Promise<T>,
): Promise<T> {
  const folder = path.join(home, '.agent', 'tmp', randomId(8));
  makeFolder(folder);
  try {
    return await work({ cwd, home, project, env, work: folder });
  } finally {
    removeTree(folder);
  }
}

export async function runInstall(run: InstallRun, context: CommandContext): Promise<Reply> {
  const { runtime, options } = context;
  const prepared = prepareInstall(run.offers, placesFor(run.place, runtime), run.options);
  try {
    run.check?.(prepared.items);
    if (isOn(options, 'dry-run')) return answer('would', prepared.items, run.place, context);
    const data = describe(prepared.items, run.place, runtime);
    const question = askAbout(prepared.items, run.place);
    const decision = await decideInstall({ items: prepared.items, question, again: run.again, data }, context);
    if (!decision.yes) return decision.reply;
    return finish(prepared, run.place, context);
  } finally {
    prepared.discard();
  }
}

function finish(prepared: Prepared, place: InstallPlace, context: CommandContext): Reply {
  prepared.commit();
  context.runtime.index();
  return answer('did', prepared.items, place, context);
}

function placesFor(place: InstallPlace, runtime: Runtime): InstallPlaces {
  const { home, clock, project, config } = runtime;
  return {
    place,
    home,
    clock,
    ...(place.scope === 'project' && { base: project }),
    known: runtime.index().skills,
    blockAngleBrackets: config.security.blockAngleBracketsInFrontmatter,
    trashDays: config.retention.trashDays,
    vet: config.security.vet,
  };
}

function answer(
  tense: 'would' | 'did',
  items: readonly JudgedSkill[],
  place: InstallPlace,
  context: CommandContext,
): Reply {
  const { runtime, terminal } = context;
  const changed = items.filter(({ action }) => action !== 'unchanged');
  const names = changed.map(({ candidate }) => visible(candidate.manifest.name)).join(', ');
  const summary = summarize(tense, changed.length, names, place);
  return {
    outcome: makeOutcome(
      runtime.answering('skillwright', 'own'),
      'success',
      summary,
      describe(items, place, runtime, tense === 'would'),
    ),
    human: renderPlan(items, runtime.language, terminal),
  };
}

function summarize(tense: 'would' | 'did', count: number, names: string, { scope }: InstallPlace): Text {
  if (count === 0) return { en: 'nothing to do: everything is there already', zh: '无需操作: 均已安装' };
  return tense === 'would'
    ? { en: `would install for the ${scope}: ${names}`, zh: `将安装到 ${scope}: ${names}` }
    : { en: `installed for the ${scope}: ${names}`, zh: `已安装到 ${scope}: ${names}` };
}

function askAbout(items: readonly JudgedSkill[], { scope }: InstallPlace): Text {
  const names = items
    .filter(({ action }) => action !== 'unchanged')
    .map(({ candidate }) => visible(candidate.manifest.name));
  return { en: `install ${names.join(', ')} for the ${scope}?`, zh: `将 ${names.join(', ')} 安装到 ${scope}？` };
}

function describe(
  items: readonly JudgedSkill[],
  place: InstallPlace,
  { language }: Runtime,
  dry = false,
): Record<string, unknown> {
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
    unchanged: entries.filter(({ action }) => action === 'unchanged').map(({ name }) => name),
    findings: items.flatMap(({ candidate }) =>
      findingData(candidate.manifest.name, candidate.vetting.findings, language),
    ),
    ...(dry && { dry_run: true }),
  };
}
