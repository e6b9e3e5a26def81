// Starts a run of the agent: the request read, the model opened, the door opened, the record begun.
import path from 'node:path';
import { readRequest } from '../../agent/request.ts';
import { claimRun } from '../../agent/resume/run-owner.ts';
import { newRunState } from '../../agent/run-state.ts';
import type { Outcome } from '../../base/outcome.ts';
import { isInside } from '../../base/paths.ts';
import { nameModel } from '../../model/choice.ts';
import { preferSource } from '../../registry/prefer-source.ts';
import type { Source } from '../../skill/skill.ts';
import { openDoor } from '../open-door.ts';
import type { Runtime } from '../runtime.ts';
import { installedOrRefused } from '../skill/refuse-role-skill.ts';
import { driveRun } from './drive.ts';
import { openModelFor } from './model.ts';
import { doorOptionsOf, limitsOf, type RunOrder } from './order.ts';
import { keepRole } from './role.ts';

export interface WantedRun {
  readonly text: string;
  /** Skills that are named beside those in the text. */
  readonly skills?: readonly string[];
  /** Where the skills it names are taken from. */
  readonly source?: Source | undefined;
  /** The folder its paths are meant from; outside of the project they are meant from that. */
  readonly from?: string;
}

export async function runRequest(runtime: Runtime, wanted: WantedRun, order: RunOrder): Promise<Outcome> {
  runtime.requireConfig();
  const startedAt = runtime.clock.now();
  const index = preferSource(runtime.index(), wanted.source);
  const role = order.role && keepRole(order.role);
  const from = folderInProject(wanted.from, runtime.project);
  const state = newRunState({
    request: await installedOrRefused(() => readRequest(wanted.text, index, { ...wanted, from }), runtime),
    model: nameModel(order.model ?? runtime.config.model.provider, process.cwd()),
    ...(role && { role }),
    limits: limitsOf(runtime, order),
    skillLimits: order.skillBudgets ?? {},
  });
  const model = await openModelFor(runtime, order, state, index, 0);
  const door = openDoor(runtime, { ...doorOptionsOf(state, order), index });
  const run = door.begin();
  const release = claimRun(run.folder);
  try {
    run.saveState(state);
    return await driveRun({ runtime, startedAt, order, index, model, door, run, state });
  } finally {
    release();
  }
}

function folderInProject(from: string | undefined, project: string): string | undefined {
  return from !== undefined && isInside(project, from) ? path.relative(project, from) : undefined;
}
