// `curate`: asks about every suspect skill, and does what was decided, all of it or nothing; what went can come back.
import { sha256 } from '../base/ids.ts';
import { canonicalJson, isRecord } from '../base/json.ts';
import { inLanguage, type Language } from '../base/language.ts';
import { type Answering, type Data, interruptedOutcome, makeOutcome, type Outcome } from '../base/outcome.ts';
import { isListOf, isObject, isText, isWord } from '../base/value/shape.ts';
import { type Decisions, decideInterrupt, interrupt } from '../policy/interrupt/interrupt.ts';
import { damagedQuestion, notDecided } from '../policy/interrupt/not-decided.ts';
import { SOURCES } from '../skill/skill.ts';
import type { Interrupt, InterruptStore, ListedInterrupt } from '../store/interrupt-store.ts';
import type { Asked } from './host.ts';
import { decisionOf, pausedFor } from './paused.ts';
import type { Suspect } from './suspect.ts';

export const CHOICES = ['keep', 'uninstall'] as const;

export interface Curation {
  readonly by: Answering;
  readonly interrupts: InterruptStore;
  /** Takes a skill away, to a place it can come back from. */
  remove(skill: Removable): Promise<RemovedSkill>;
  /** What is in the folder now; empty where its files cannot be hashed. */
  digestOf(folder: string): string;
  /** Whoever is there to decide: words as `resume` takes them, or nothing. */
  decide?(asked: Asked & { readonly suspects: readonly Suspect[] }): Promise<readonly string[] | undefined>;
}

export type Removable = Pick<Suspect, 'item' | 'name' | 'folderName' | 'source' | 'root' | 'folder' | 'digest'>;

export interface RemovedSkill {
  /** Where it lies now, and its number there. */
  readonly trash: string;
  readonly id: string;
  undo(): Promise<void>;
}

export interface Curated {
  readonly outcome: Outcome;
  readonly uninstalled: readonly UninstalledItem[];
}

export interface UninstalledItem {
  readonly item: string;
  readonly trash: string;
  readonly restore_command: string;
}

export async function curate(suspects: readonly Suspect[], curation: Curation): Promise<Curated> {
  const { by, interrupts, decide } = curation;
  const findings = suspects.map((suspect) => describe(suspect, by.language));
  if (suspects.length === 0) {
    const summary = { en: 'every skill is in order', zh: '所有技能均正常' };
    return { outcome: makeOutcome(by, 'success', summary, { findings }), uninstalled: [] };
  }
  const saved = (await findOpen(suspects, interrupts, by)) ?? (await save(suspects, interrupts, by));
  const words = await decide?.({ question: saved.question, items: saved.items, choices: saved.choices, suspects });
  if (words) return await resumeCuration(saved.id, words, curation);
  const data = {
    id: saved.id,
    interrupted_skills: saved.items,
    question: saved.question,
    allowed: saved.choices,
    resume_command: saved.resumeCommand,
    expires: new Date(saved.expires).toISOString(),
    findings,
  };
  const decision = decisionOf(saved);
  const asks = { waitsFor: 'decisions', question: saved.question, decision, next: saved.resumeCommand } as const;
  return { outcome: interruptedOutcome(by, pausedFor(suspects.length), asks, data), uninstalled: [] };
}

/** Throws a Fault for decisions that are incomplete, unknown, too late, or about skills that have changed. */
export async function resumeCuration(id: string, words: readonly string[], curation: Curation): Promise<Curated> {
  const { by, interrupts, digestOf } = curation;
  const digestNow = (found: Interrupt) =>
    bindTo(skillsOf(found).map((skill) => ({ ...skill, digest: digestOf(skill.folder) })));
  const decided = await decideInterrupt(interrupts, { id, words, digestNow }, by.now());
  if (!decided.ok) throw notDecided(id, decided, { dismissible: true });
  return await apply(skillsOf(decided.interrupt), decided.decisions, curation);
}

/** Whether a saved question is one of ours. */
export function isCuration(saved: Interrupt): boolean {
  return saved.kind === 'worker' && isRecord(saved.payload) && Array.isArray(saved.payload.curation);
}

async function apply(skills: readonly Removable[], decisions: Decisions, { by, remove }: Curation): Promise<Curated> {
  const removed: (RemovedSkill & { readonly item: string })[] = [];
  try {
    for (const skill of skills.filter(({ item }) => decisions[item] === 'uninstall'))
      removed.push({ item: skill.item, ...(await remove(skill)) });
  } catch (error) {
    for (const { undo } of removed.reverse()) await undo();
    throw error;
  }
  const kept = skills.map(({ item }) => item).filter((item) => decisions[item] === 'keep');
  const summary = {
    en: `${removed.length} uninstalled, ${kept.length} kept`,
    zh: `已卸载 ${removed.length} 个, 保留 ${kept.length} 个`,
  };
  const uninstalled = removed.map(({ item, trash, id }) => ({
    item,
    trash,
    restore_command: `skillwright restore ${id}`,
  }));
  return { outcome: makeOutcome(by, 'success', summary, { uninstalled, kept }), uninstalled };
}

/** The very same question, asked before and not yet answered: asking it again would only make another. */
async function findOpen(
  suspects: readonly Suspect[],
  interrupts: InterruptStore,
  by: Answering,
): Promise<ListedInterrupt | undefined> {
  const digest = bindTo(suspects);
  const open = await interrupts.list();
  return open.find((one) => one.isHere && one.digest === digest && one.expires > by.now());
}

function save(suspects: readonly Suspect[], interrupts: InterruptStore, by: Answering): Promise<Interrupt> {
  const skills = suspects.map(removable);
  const question = { en: 'Which of these skills stay?', zh: '保留哪些技能？' };
  const payload = { curation: skills.map((skill) => ({ ...skill })) };
  return interrupt(
    interrupts,
    {
      kind: 'worker',
      question: inLanguage(question, by.language),
      items: skills.map(({ item }) => item),
      choices: CHOICES,
      digest: bindTo(skills),
      payload,
    },
    by.now(),
  );
}

function removable({ item, name, folderName, source, root, folder, digest }: Suspect): Removable {
  return { item, name, folderName, source, root, folder, digest };
}

function bindTo(skills: readonly Pick<Removable, 'item' | 'folder' | 'digest'>[]): string {
  return sha256(canonicalJson(skills.map(({ item, folder, digest }) => ({ item, folder, digest }))));
}

const areRemovable = isListOf(
  isObject<Removable>({
    item: isText,
    name: isText,
    folderName: isText,
    source: isWord(SOURCES),
    root: isText,
    folder: isText,
    digest: isText,
  }),
);

function skillsOf({ id, payload }: Interrupt): readonly Removable[] {
  const skills = isRecord(payload) ? payload.curation : undefined;
  if (!areRemovable(skills)) throw damagedQuestion(id);
  return skills;
}

function describe({ item, name, folder, why }: Suspect, language: Language): Data {
  const reasons = why.map(({ reason }) => reason);
  return { item, name, path: folder, reasons, why: why.map(({ detail }) => inLanguage(detail, language)) };
}
