// Which folder is the project, seen from where somebody stands.
import { existsSync, lstatSync, type Stats, statSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../base/errors.ts';
import { visible } from '../base/text.ts';

const PROJECT_MARKS = ['.agent', '.agents', '.claude', '.git'];
// Every role has one for its scripts: it marks no project there.
const ROLE_SKILLS = '.claude';

/**
 * The nearest folder above that looks like a project. Home is none, nor is a folder anyone may write to;
 * from inside a role, it is the folder whose agents/ holds the role.
 * Throws a Fault for one above that another user set up: whoever stands below did not choose it.
 */
export function findProject(start: string, home: string, user = process.getuid?.()): string {
  if (start === home || marksIn(start).length > 0) return start;
  let roles = isRole(start) ? path.dirname(start) : undefined;
  for (let folder = start; folder !== path.dirname(folder); ) {
    folder = path.dirname(folder);
    if (folder === home) break;
    const marks = marksIn(folder, roles);
    if (isRole(folder)) roles = path.dirname(folder);
    const stats = statSync(folder, { throwIfNoEntry: false });
    if (marks.length === 0 || (stats && isWritableByAll(stats))) continue;
    if ([stats, ...marks].some((one) => isForeign(one, user))) throw foreign(folder);
    return folder;
  }
  return start;
}

function marksIn(folder: string, roles?: string): (Stats | undefined)[] {
  const names = isRole(folder) ? PROJECT_MARKS.filter((mark) => mark !== ROLE_SKILLS) : PROJECT_MARKS;
  const marks = names.map((mark) => path.join(folder, mark)).filter((mark) => existsSync(mark));
  if (roles !== undefined && path.dirname(roles) === folder) marks.push(roles);
  return marks.map((mark) => lstatSync(mark, { throwIfNoEntry: false }));
}

function isRole(folder: string): boolean {
  return path.basename(path.dirname(folder)) === 'agents' && existsSync(path.join(folder, 'agent.yaml'));
}

function isWritableByAll({ mode }: Stats): boolean {
  return (mode & 0o002) !== 0;
}

/** What root owns could do anything to us anyway. */
function isForeign(stats: Stats | undefined, user: number | undefined): boolean {
  return stats !== undefined && user !== undefined && stats.uid !== user && stats.uid !== 0;
}

function foreign(folder: string): Fault {
  const shown = visible(folder);
  const detail = {
    en: `${shown}, above the current one, was set up by another user`,
    zh: `上级目录 ${shown} 由其他用户建立`,
  };
  return new Fault('NotTrusted', detail, {
    hint: {
      en: `If that is the project you mean, name it: \`--project ${shown}\`; for the current folder: \`--project .\``,
      zh: `若确为所需项目，请指明: \`--project ${shown}\`；若用当前目录: \`--project .\``,
    },
  });
}
