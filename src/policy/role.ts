// What a role of the project may use, from its agent.yaml; a list that cannot be read is an empty list.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../base/errors.ts';
import { isNotFound, readTextIfThere } from '../base/read-file.ts';
import { nearest, visible } from '../base/text.ts';
import type { Role } from '../registry/role/role.ts';
import { parseToolList } from '../skill/read/tool-list.ts';
import { parseYaml } from '../skill/read/yaml.ts';
import type { Allowance } from './policy.ts';

const SIZE_LIMIT = 64 * 1024;
const FILES = ['agent.yaml', 'agent.yml'];

/** Throws a Fault for a role that is not there, with the nearest names, or whose file cannot be read. */
export function readRole(project: string, role: string): Allowance {
  const folder = path.join(project, 'agents');
  const roles = listFolders(folder);
  // Chosen from the list, so that no name leads out of the folder.
  const found = roles.includes(role) ? readRoleFile(path.join(folder, role)) : undefined;
  if (!found) throw unknownRole(role, roles);
  const { file, text } = found;
  if (text.length > SIZE_LIMIT)
    throw new Fault('ConfigInvalid', visible(`${file}: longer than ${SIZE_LIMIT} characters`));
  const parsed = parseYaml(text);
  if ('problem' in parsed) throw new Fault('ConfigInvalid', visible(`${file}: ${parsed.problem.reason}`));
  const written = parsed.values.allowed_tools;
  return written === undefined ? { name: role } : { name: role, allowedTools: parseToolList(written) ?? [] };
}

/** The same of a role that was read already. */
export function roleAllowance({ name, allowedTools }: Pick<Role, 'name' | 'allowedTools'>): Allowance {
  return { name, ...(allowedTools && { allowedTools }) };
}

function readRoleFile(folder: string): { file: string; text: string } | undefined {
  for (const name of FILES) {
    const file = path.join(folder, name);
    const text = readTextIfThere(file);
    if (text !== undefined) return { file, text };
  }
  return undefined;
}

function unknownRole(role: string, roles: readonly string[]): Fault {
  const suggestions = nearest(role, roles);
  const list = (suggestions.length > 0 ? suggestions : roles).map(visible).join(', ');
  return new Fault(
    'DataNotFound',
    { en: `no role ${visible(role)} in agents/`, zh: `agents/ 中没有角色 ${visible(role)}` },
    {
      details: { role, suggestions },
      hint:
        list === ''
          ? {
              en: 'A role is a folder agents/<role>/ with an agent.yaml.',
              zh: '角色是含有 agent.yaml 的 agents/<角色>/ 目录。',
            }
          : { en: `Did you mean ${list}?`, zh: `您是否想找 ${list}？` },
    },
  );
}

function listFolders(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter((entry) => !entry.isFile()).map(({ name }) => name);
  } catch (error) {
    if (isNotFound(error)) return [];
    throw error;
  }
}
