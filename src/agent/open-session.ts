// Opens a session: renders the catalog once, reads the instructions of loaded skills, restores the state machine.
import type { Tracer } from '../base/telemetry.ts';
import { type Catalog, renderCatalog } from '../loader/catalog.ts';
import type { SkillEntry } from '../registry/discover.ts';
import { describeControls } from '../skill/controls.ts';
import type { SkillId } from '../skill/skill-id.ts';
import type { Ending } from './ending.ts';
import { renewBudget } from './extend-budget.ts';
import type { RunState } from './run-state.ts';
import { activeSkills } from './selection.ts';
import type { LeftOffInside, Session, SessionParts } from './session.ts';
import { readSkillText } from './skill-text.ts';
import { createMachine } from './state.ts';

export interface SessionStart {
  readonly state: RunState;
  readonly save: (state: RunState) => void;
  readonly runInside: (inner: Session) => Promise<Ending>;
  /** Where an earlier part of the run stopped. */
  readonly left?: LeftOffInside & { readonly inner?: LeftOffInside };
}

/** What one session does not share with a run inside it. */
type OwnParts = Pick<
  Session,
  'state' | 'machine' | 'catalog' | 'bodies' | 'depth' | 'within' | 'save' | 'runInside'
> & {
  readonly tracer: Tracer | undefined;
  readonly left: LeftOffInside | undefined;
};

export async function openSession(surroundings: SessionParts, start: SessionStart): Promise<Session> {
  const { state, save, left, runInside } = start;
  const { run, tracer, whereabouts, servers } = surroundings;
  if (whereabouts) state.whereabouts ??= await whereabouts();
  if (servers) state.servers ??= await servers();
  const session = createSession(surroundings, {
    state,
    machine: createMachine((from, to) => run.record({ type: 'state', from, to }), left?.at),
    catalog: await openCatalog(surroundings, state),
    bodies: readBodies(surroundings, state),
    depth: 0,
    within: [],
    save: () => save(state),
    runInside,
    tracer,
    left,
  });
  if (left?.inner) session.inner = left.inner;
  if (left) renewBudget(session);
  return session;
}

/** Field by field: what is left out here would be taken from another session unnoticed. */
export function createSession(shared: SessionParts, own: OwnParts): Session {
  const { trace, goOn, serverOf } = shared;
  const { tracer, left } = own;
  return {
    model: shared.model,
    index: shared.index,
    search: shared.search,
    run: shared.run,
    effects: shared.effects,
    requireUnchanged: shared.requireUnchanged,
    ...(serverOf && { serverOf }),
    context: shared.context,
    noteArtifact: shared.noteArtifact,
    clock: shared.clock,
    bodyLines: shared.bodyLines,
    catalogTokens: shared.catalogTokens,
    readKept: shared.readKept,
    ...(goOn && { goOn }),
    stop: shared.stop,
    ...(trace && { trace }),
    ...(tracer && { tracer }),
    state: own.state,
    machine: own.machine,
    catalog: own.catalog,
    bodies: own.bodies,
    depth: own.depth,
    within: own.within,
    save: own.save,
    runInside: own.runInside,
    ...(left?.recovered && { recovered: left.recovered }),
    ...(left?.badAnswer !== undefined && { badAnswer: left.badAnswer }),
  };
}

/** What the model sees of the skills is part of the state of the run; by reference, because a state is saved every turn. */
async function openCatalog(parts: SessionParts, state: RunState): Promise<string> {
  const { run, index } = parts;
  const { text, shown } = await readCatalog(parts, state);
  state.skill_index = run.keep(JSON.stringify(indexedSkills(index.skills, shown)));
  run.record({ type: 'skill-index', index: state.skill_index });
  return text.trimEnd();
}

/** The description is absent where the catalog has room for the name alone. */
function indexedSkills(skills: readonly SkillEntry[], shown: Catalog['shown']) {
  return skills.flatMap(({ skillId, name, source, manifest }) => {
    const how = shown.get(skillId);
    if (how === undefined) return [];
    const description = how === 'described' && { description: manifest.description };
    return [{ name, ...description, source, controls: describeControls(manifest) }];
  });
}

/** The router is queried only when not everything fits. */
async function readCatalog({ index, search, catalogTokens }: SessionParts, { request }: RunState): Promise<Catalog> {
  const all = renderCatalog(index.skills, { tokenBudget: catalogTokens });
  if (!all.cut.some(({ why }) => why === 'budget')) return all;
  const found = await search();
  const shortlist = found.shortlist(request.normalized);
  return renderCatalog(index.skills, { tokenBudget: catalogTokens, shortlist: () => shortlist });
}

function readBodies(parts: SessionParts, state: RunState): Map<SkillId, string> {
  const { index, bodyLines, requireUnchanged, serverOf } = parts;
  const bodies = new Map<SkillId, string>();
  for (const skill of activeSkills({ index, state })) {
    bodies.set(skill.skillId, readSkillText(skill, { state, bodyLines, requireUnchanged, serverOf }).text);
  }
  const order = state.loaded_skills.map(({ skill_id }) => skill_id);
  return new Map([...bodies].sort(([a], [b]) => order.indexOf(a) - order.indexOf(b)));
}
