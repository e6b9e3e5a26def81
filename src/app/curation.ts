// What curation needs from the rest: usage, inspection, and the trash that skills go to and come back from.
import { lstatSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../base/errors.ts';
import { visible } from '../base/text.ts';
import { isAtLeast } from '../config/severity.ts';
import { placeAt } from '../distribution/place.ts';
import { openFolder } from '../distribution/source/folder.ts';
import { restoreSkill, uninstallSkill } from '../distribution/uninstall.ts';
import { openInspector } from '../distribution/vet/vet.ts';
import type { SkillEntry } from '../registry/discover.ts';
import { usageOf } from '../registry/usage.ts';
import { digestSkill } from '../skill/digest.ts';
import { type Curated, type Curation, curate, type Removable, type RemovedSkill } from '../task/curate.ts';
import { findSuspects, type Suspect } from '../task/suspect.ts';
import { locateSkill } from './install/locate.ts';
import { openProjectInterrupts } from './open-interrupts.ts';
import { recordOwn } from './own/record.ts';
import { broughtBack, removed } from './own/skill-change.ts';
import type { Runtime } from './runtime.ts';

/** `decide`: whoever is there to decide at once. */
export function openCuration(runtime: Runtime, decide?: Curation['decide']): Curation {
  return {
    by: runtime.answering('worker_agent', 'task'),
    interrupts: openProjectInterrupts(runtime),
    digestOf,
    remove: (skill) => remove(skill, runtime),
    ...(decide && { decide }),
  };
}

export interface CurationAnswers {
  /** Decisions that were made in advance, as item=choice. */
  readonly given: readonly string[];
  /** Brings them from a person. Without either, the question is saved. */
  readonly ask?: (() => Promise<readonly string[]>) | undefined;
}

export async function curateSkills(
  suspects: readonly Suspect[],
  { given, ask }: CurationAnswers,
  runtime: Runtime,
): Promise<Curated> {
  if (suspects.length === 0 && given.length > 0) throw nothingToDecide(given);
  const decide = given.length > 0 ? async () => given : ask;
  return await curate(suspects, openCuration(runtime, decide));
}

/** A skill somebody wants gone: a person decides about it, in advance or with `resume`. */
export async function curateOne(written: string, yes: boolean, runtime: Runtime): Promise<Curated> {
  const { place, skill } = locateSkill(runtime, written, undefined);
  const folder = path.join(place.root, skill.folderName);
  const { name, folderName } = skill;
  const item = `${place.scope}:${folderName}`;
  const wanted = {
    item,
    name,
    folderName,
    source: place.scope,
    root: place.root,
    folder,
    digest: digestOf(folder),
    why: [],
  };
  return await curateSkills([wanted], { given: yes ? ['uninstall'] : [] }, runtime);
}

export async function listSuspects(runtime: Runtime): Promise<Suspect[]> {
  using store = await runtime.openStore();
  return findSuspects(runtime.index(), {
    now: runtime.clock.now(),
    usageOf: (skill) => usageOf(store, skill),
    changedAt,
    digestOf,
    risksOf,
  });
}

async function remove({ name, folderName, root: folder, source }: Removable, runtime: Runtime): Promise<RemovedSkill> {
  const root = runtime.roots.find((one) => one.folder === folder && one.source === source);
  if (!root) throw new Fault('SkillNotFound', visible(name));
  const place = placeAt(root, runtime);
  const { scope } = place;
  const change = { command: 'curate', scope, skills: [removed({ name, folderName }, place)] } as const;
  const { record, trash = '' } = recordOwn(runtime, change, () =>
    uninstallSkill(place, { name, folderName }, { now: runtime.clock.now() }),
  );
  const undo = async () => {
    const skills = [broughtBack(record, place)];
    recordOwn(runtime, { command: 'restore', scope, skills }, () => restoreSkill(place, record.id));
  };
  return { trash, id: record.id, undo };
}

function digestOf(folder: string): string {
  try {
    return digestSkill(folder).digest;
  } catch {
    return '';
  }
}

/** The newest of its files; a folder that cannot be read is as young as can be. */
function changedAt(folder: string): number {
  try {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    return Math.max(...files.map((file) => lstatSync(path.join(folder, file)).mtimeMs));
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** The grave findings, each once. */
function risksOf(skill: SkillEntry): string[] {
  const inspector = openInspector();
  try {
    for (const { files } of openFolder(skill.folder, { names: [] }).skills)
      for (const file of files) inspector.see(file, file.read());
  } catch (error) {
    if (error instanceof Fault) return [error.message];
    throw error;
  }
  const { findings } = inspector.conclude(skill.manifest);
  return [...new Set(findings.filter(({ severity }) => isAtLeast(severity, 'HIGH')).map(({ id }) => id))];
}

/** A decision that does nothing would look like one that was carried out. */
function nothingToDecide(given: readonly string[]): Fault {
  const shown = visible(given.join(' '));
  return new Fault(
    'InvalidArgs',
    { en: `nothing is asked, so nothing is decided: ${shown}`, zh: `没有待决定的项目: ${shown}` },
    {
      hint: {
        en: 'Every skill is in order; `skillwright uninstall <skill>` takes one away all the same.',
        zh: '所有技能均正常；仍要移除请用 `skillwright uninstall <技能>`。',
      },
    },
  );
}
