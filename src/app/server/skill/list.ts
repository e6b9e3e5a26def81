// The skills that a server of the user's offers, by what it says of them: no file of any is read.
import { servedAddress } from '../../../distribution/source/served.ts';
import type { RefusedEntry, ServerSkill } from '../../../network/mcp/server-skill.ts';
import { openServedSources } from '../../install/served-sources.ts';
import type { Runtime } from '../../runtime.ts';
import { lookHere, type SkillHere } from './here.ts';

export interface ListedServedSkill extends SkillHere {
  readonly skill: ServerSkill;
  /** As `inspect` and `install` take it. */
  readonly address: string;
}

export interface ServedSkillList {
  readonly skills: readonly ListedServedSkill[];
  /** Entries that no host could hold the server to. */
  readonly refused: readonly RefusedEntry[];
  /** The server has more than are taken. */
  readonly isCut: boolean;
}

/** Throws a Fault for a server that is not in the settings, does not answer, or offers no skills. */
export async function listServedSkills(server: string, runtime: Runtime): Promise<ServedSkillList> {
  runtime.requireConfig();
  await using servers = openServedSources(runtime);
  const { skills, refused, isCut } = await (await servers.open(server)).list();
  const here = lookHere(server, runtime);
  const listed = skills.map((skill) => ({
    skill,
    address: servedAddress(server, skill, skills),
    ...here(skill),
  }));
  return { skills: listed, refused, isCut };
}
