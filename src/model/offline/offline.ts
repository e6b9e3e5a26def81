// The model that needs no key and no network: it does what the request names or clearly means, and asks for the rest.
import type { Language } from '../../base/language.ts';
import type { Index, SkillEntry } from '../../registry/discover.ts';
import { isForModels, type SearchIndex } from '../../registry/search/index.ts';
import { type Model, type ModelReply, type ModelRequest, NO_USAGE } from '../model.ts';
import { advance, type Move, type Situation, waitFor } from './advance.ts';
import { type Choice, chooseByFit, chooseByName } from './choose.ts';
import { readNames, type SkillNames } from './mention.ts';
import type { ProjectFiles } from './project.ts';
import { reportCandidates, reportNothing, reportUnknown } from './report.ts';
import type { OfflineView } from './view.ts';

export interface OfflineOptions {
  readonly index: Index;
  /** Opened when the request names no skill. */
  readonly search: () => Promise<Pick<SearchIndex, 'search'>>;
  readonly project: ProjectFiles;
  /** The language of answers to a request without prose. */
  readonly language: Language;
  /** The current view of the run. */
  readonly view: () => OfflineView;
}

/** Besides the decision: the answer is pending, or reports a failure. */
interface OfflineReply extends ModelReply {
  readonly pending?: Readonly<Record<string, unknown>>;
  readonly failed?: Readonly<Record<string, unknown>>;
}

interface OfflineModel extends Model {
  decide(request: ModelRequest): Promise<OfflineReply>;
}

export function createOfflineModel(options: OfflineOptions): OfflineModel {
  let names: SkillNames | undefined;
  return {
    name: 'offline',
    async decide({ signal, onText }) {
      signal?.throwIfAborted();
      const { index, project, language } = options;
      names ??= readNames(index);
      const view = options.view();
      const choice = await choose(view, names, options);
      const { action, plan, pending, failed } = nextMove({ index, project, view, language, choice });
      const text = JSON.stringify({ action, ...(plan && { plan_update: { mode: 'replace', plan } }) });
      onText?.(text);
      return { text, usage: NO_USAGE, ...(pending && { pending }), ...(failed && { failed }) };
    },
  };
}

/** A choice is kept: files the run wrote itself must not change it. */
async function choose(view: OfflineView, names: SkillNames, options: OfflineOptions): Promise<Choice> {
  const { index, search, project } = options;
  const { request, named, loaded, steps } = view;
  const byName = chooseByName(request, names);
  if (byName) return byName;
  const beside = index.skills.filter((skill) => named.includes(skill.skillId) && !isWritten(skill, request));
  if (beside.length > 0) {
    const parts = beside.map((skill) => ({ skill, text: request, behind: request }));
    return { kind: 'chosen', by: 'name', parts };
  }
  const taken = steps.length > 0 ? index.skills.find(({ skillId }) => skillId === loaded[0]) : undefined;
  const only: Choice | undefined = taken && { kind: 'chosen', by: 'fit', parts: [{ skill: taken, text: request }] };
  if (only && loaded.length === 1) return only;
  const choice = await chooseByFit(request, { names, search, exists: project.exists });
  const isChain = choice.kind === 'chosen' && choice.parts.length > 1;
  return isChain ? choice : (only ?? choice);
}

function nextMove(situation: Situation): Move {
  const { choice, language, view, index } = situation;
  switch (choice.kind) {
    case 'unknown':
      return waitFor(reportUnknown(choice.name, choice.suggestions, language), {
        reason: 'skill',
        candidates: choice.suggestions.map((name) => ({ name })),
      });
    case 'open': {
      const candidates = choice.candidates.map(({ skill, score, matched }) => ({
        name: skill.name,
        source: skill.source,
        description: skill.manifest.description,
        score,
        matched,
      }));
      const text =
        candidates.length > 0
          ? reportCandidates(choice.candidates, view.request, language)
          : reportNothing(
              index.skills.filter(isForModels).map(({ name }) => name),
              language,
            );
      return waitFor(text, { reason: 'skill', candidates });
    }
    case 'chosen':
      return advance(choice.parts, situation);
  }
}

function isWritten({ name, folderName }: SkillEntry, request: string): boolean {
  const text = request.toLowerCase();
  return text.includes(name.toLowerCase()) || text.includes(folderName.toLowerCase());
}
