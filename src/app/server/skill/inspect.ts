// One skill of a server before it is installed: what the server says of it, and of its files only the one that is asked for.
import { Fault } from '../../../base/errors.ts';
import { visible } from '../../../base/text.ts';
import { findServed, listedFiles } from '../../../distribution/source/served.ts';
import { readServedName, type ServedName } from '../../../distribution/source/served-name.ts';
import type { SkillReader } from '../../../network/mcp/server-connection.ts';
import { type ServerSkill, SKILL_FILE } from '../../../network/mcp/server-skill.ts';
import { SOURCES } from '../../../skill/skill.ts';
import { openServedSources } from '../../install/served-sources.ts';
import type { Runtime } from '../../runtime.ts';
import { lookHere, type SkillHere } from './here.ts';

export interface InspectedServedSkill extends SkillHere {
  readonly server: string;
  readonly skill: ServerSkill;
  /** Why it could not be installed. */
  readonly problem?: Fault;
  /** The file that was asked for, as it was listed. */
  readonly read?: { readonly path: string; readonly bytes: Buffer };
}

/** `project:`, `user:` and `builtin:` are places of this machine, whatever servers are called. */
export function servedNameOf(written: string, { config }: Pick<Runtime, 'config'>): ServedName | undefined {
  const isPlace = SOURCES.some((source) => written.startsWith(`${source}:`));
  return isPlace ? undefined : readServedName(written, Object.keys(config.mcpServers));
}

export async function inspectServedSkill(
  name: ServedName,
  file: string | undefined,
  runtime: Runtime,
): Promise<InspectedServedSkill> {
  runtime.requireConfig();
  const { server } = name;
  await using servers = openServedSources(runtime);
  const skills = await servers.open(server);
  const skill = await findServed(name, skills);
  const read = file === undefined ? undefined : await readNamed(skill, file, skills);
  const problem = problemOf(server, skill);
  return { server, skill, ...(read && { read }), ...lookHere(server, runtime)(skill), ...(problem && { problem }) };
}

async function readNamed(
  skill: ServerSkill,
  written: string,
  skills: SkillReader,
): Promise<NonNullable<InspectedServedSkill['read']>> {
  const file = skill.files?.find(({ path }) => path === written);
  if (file) return { path: file.path, bytes: await skills.read(skill, file) };
  const shown = visible(`${skill.name}: ${written}`);
  throw new Fault(
    'DataNotFound',
    { en: `${shown} is no file that its server lists`, zh: `${shown} 不在服务器列出的文件之中` },
    {
      hint: {
        en: `Files are named as inspect lists them; ${SKILL_FILE} is one.`,
        zh: `文件名以 inspect 所列为准，例如 ${SKILL_FILE}。`,
      },
    },
  );
}

function problemOf(server: string, skill: ServerSkill): Fault | undefined {
  try {
    listedFiles(server, skill);
    return undefined;
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
}
