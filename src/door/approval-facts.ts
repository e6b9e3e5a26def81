// Makes the facts of a question from the call: what it would do to the files as they are now, and where its code comes from.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../base/errors.ts';
import { showHostRule } from '../base/host-rule.ts';
import type { Language } from '../base/language.ts';
import { realPath } from '../base/paths.ts';
import type { Policy, PolicyDecision } from '../policy/policy.ts';
import type { ApprovalFacts, FactsReach } from '../policy/question/facts.ts';
import { renderFacts } from '../policy/render-approval.ts';
import { digestSkill } from '../skill/digest.ts';
import { type CallView, headOf, linesIn, type ScriptView, sizeOf } from '../tools/call-view.ts';
import { decodeText } from '../tools/file/decode-text.ts';
import type { Call } from './call.ts';
import type { Consent } from './consent/consent.ts';
import { homeFolder, homeOwner } from './consent/home-place.ts';
import type { Door } from './door.ts';
import type { CallEffect, Work } from './work.ts';

export interface DescribedCall {
  readonly call: Call;
  readonly work: CallEffect | Work;
  readonly policy: Policy;
  readonly decision: PolicyDecision;
  readonly consent: Consent;
}

export async function factsOf(described: DescribedCall, door: Door): Promise<ApprovalFacts> {
  const { call, work, decision, policy } = described;
  const { digest, tool, network, skill, words, runs = [], asked } = work;
  const { obeyed = [] } = asked;
  const { mixed } = described.consent;
  const role = policy.role?.name ?? call.role;
  const view = await viewOf(work, door);
  const since = skill && digest !== '' ? door.seen.since(skill.skillId, digestSkill(skill).files) : undefined;
  const reach = reachOf(described, door);
  return {
    subject: { digest, tool, network, ...(obeyed.length > 0 && { obeyed }), ...(mixed.length > 0 && { mixed }) },
    risk: decision.risk,
    words,
    ...(view && { view }),
    ...(runs.length > 0 && { runs }),
    ...(skill && { skill: skill.skillId }),
    ...(role !== undefined && { role }),
    ...(Object.keys(reach).length > 0 && { reach }),
    ...(policy.tier && { tier: policy.tier }),
    ...(since && { since }),
  };
}

/** By its declaration, by grants for its code, or, for a text that only names the skill, by this very yes. */
function reachOf({ work, consent }: DescribedCall, { places, folders }: Door): FactsReach {
  const { hosts, variables: read, programs, devices, home } = consent.reach;
  const variables = [...new Set([...('secrets' in work ? work.secrets : []), ...read])];
  const kept = home && work.skill ? homeFolder(folders.homes, homeOwner(work.skill, places.project)) : undefined;
  return {
    ...(hosts.length > 0 && { hosts: hosts.map(showHostRule) }),
    ...(variables.length > 0 && { variables }),
    ...(programs.length > 0 && { programs: programs.map(({ file }) => file) }),
    ...(devices.length > 0 && { devices: [...devices] }),
    ...(kept !== undefined && { home: [kept] }),
  };
}

/** After a person's yes: the next question says what is new since. */
export function rememberSeen({ skill, digest }: CallEffect, { seen }: Door): void {
  if (!skill || digest === '') return;
  const now = digestSkill(skill);
  if (now.digest === digest) seen.keep(skill.skillId, now.files);
}

/** What a person reads who answers later: the same facts as at the prompt. */
export function tellFacts(facts: ApprovalFacts, language: Language): string {
  return renderFacts(facts, language).join('\n');
}

/** With `most` lines. Undefined where it cannot be told beforehand: then the words are shown. */
export async function viewOf(work: CallEffect | Work, door: Door, most?: number): Promise<CallView | undefined> {
  try {
    if (work.preview) return await work.preview(most);
    if (!('program' in work)) return undefined;
    if ('script' in work.program) return scriptView(work, work.program.script, door, most);
    return 'shell' in work.program ? shellView(work.program.shell, most) : undefined;
  } catch (error) {
    // What the guard refuses after any yes is refused before the question.
    if (error instanceof Fault && error.type !== 'PathBlocked') return undefined;
    throw error;
  }
}

function shellView(script: string, most?: number): CallView {
  return { kind: 'shell', head: headOf(linesIn(script), most), size: sizeOf(Buffer.from(script), script) };
}

function scriptView({ skill, words }: Work, script: string, { places }: Door, most?: number): ScriptView | undefined {
  if (!skill) return undefined;
  const { files } = digestSkill(skill);
  const bytes = readFileSync(path.join(skill.folder, script));
  const text = decodeText(bytes);
  const real = realPath(skill.folder) ?? skill.folder;
  const below = path.relative(places.project, real);
  return {
    kind: 'script',
    path: script,
    source: skill.source,
    folder: below.startsWith('..') ? real : below,
    sha256: files.find((file) => file.path === script)?.sha256 ?? '',
    size: sizeOf(bytes, text),
    head: headOf(text === undefined ? [] : linesIn(text), most),
    words,
  };
}
