// Adds a skill to a role that is there: its script, the kit it is built on, and an item in the list of agent.yaml.
import { lstatSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../../base/errors.ts';
import { makeFolder, writeFileAtomic, writeNewFile } from '../../base/files.ts';
import { readTextIfThere } from '../../base/read-file.ts';
import { visible } from '../../base/text.ts';
import { isTrusted, trustProject } from '../../config/trust.ts';
import { requireRole } from '../../jobs/executor.ts';
import { findRoleSkill, type Role, requireUsable } from '../../registry/role/role.ts';
import type { ScriptLanguage } from '../author/new.ts';
import { recordTrust } from '../own/trust-change.ts';
import type { Runtime } from '../runtime.ts';
import { roleSkillFiles } from './skill-template.ts';

export interface AddedSkill {
  readonly folder: string;
  /** Below the folder; agent.yaml among them where it had to be changed. */
  readonly files: readonly string[];
  /** A trusted project stays trusted, since nothing but this was added. */
  readonly trusted: boolean;
}

export async function addSkill(
  roleName: string,
  name: string,
  language: ScriptLanguage,
  runtime: Runtime,
): Promise<AddedSkill> {
  const { project, home, clock } = runtime;
  const role = await requireRole(project, roleName);
  requireUsable(role);
  const { files, item } = roleSkillFiles(name, language);
  const [entry = ''] = files.keys();
  if (await isTaken(role, name, entry, project)) throw new Fault('AlreadyExists', visible(`${role.name}/${name}`));
  const text = readTextIfThere(role.file) ?? '';
  const listed = withItem(text, item);
  const trusted = isTrusted(project, home);
  const fresh = [...files].filter(([file]) => !isThere(path.join(role.folder, file)));
  const names = [...fresh.map(([file]) => file), ...(listed === text ? [] : [path.basename(role.file)])];
  const change = {
    command: 'roles add-skill',
    files: names.map((file) => path.relative(project, path.join(role.folder, file))),
  } as const;
  recordTrust(runtime, change, () => {
    for (const [file, content] of fresh) writeScript(path.join(role.folder, file), content);
    if (listed !== text) writeFileAtomic(role.file, listed, { mode: 0o644 });
    if (trusted) trustProject(project, home, clock.now());
  });
  return { folder: role.folder, files: names, trusted };
}

async function isTaken(role: Role, name: string, entry: string, project: string): Promise<boolean> {
  const known = await findRoleSkill(project, `${role.name}/${name}`);
  return known !== undefined || isThere(path.join(role.folder, entry));
}

function isThere(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
}

function writeScript(file: string, content: string): void {
  makeFolder(path.dirname(file), 0o755);
  writeNewFile(file, content, { mode: content.startsWith('#!') ? 0o755 : 0o644 });
}

/** The text of agent.yaml with one item more; unchanged where it has no list, for then every script is a skill. */
function withItem(text: string, item: readonly string[]): string {
  const lines = text.split('\n');
  const at = lines.findIndex((line) => /^skills:/.test(line));
  if (at < 0) return text;
  const [, inline = ''] = /^skills:\s*([^#]*)/.exec(lines[at] ?? '') ?? [];
  if (inline.trim() !== '' && !/^\[\s*\]$/.test(inline.trim())) throw writtenInOneLine(item);
  const next = lines.findIndex((line, index) => index > at && /^[^\s#-]/.test(line));
  const block = lines.slice(at + 1, next < 0 ? lines.length : next);
  const last = block.findLastIndex((line) => line.trim() !== '' && !/^#/.test(line));
  const indent = /^(\s*)-/.exec(block.find((line) => /^\s*-/.test(line)) ?? '')?.[1] ?? '  ';
  const own = item.map((line) => indent + line);
  return [
    ...lines.slice(0, at),
    'skills:',
    ...block.slice(0, last + 1),
    ...own,
    ...block.slice(last + 1),
    ...lines.slice(at + 1 + block.length),
  ].join('\n');
}

/** Nothing of what a person wrote is laid out anew. */
function writtenInOneLine([first = '', second = '']: readonly string[]): Fault {
  const shown = `{${[first, second].map((line) => line.replace(/^[-\s]+/, '')).join(', ')}}`;
  return new Fault(
    'ConfigInvalid',
    { en: 'skills in agent.yaml is written in one line', zh: 'agent.yaml 的 skills 写在一行内' },
    {
      hint: {
        en: `Write one item a line, or add \`${shown}\` yourself and put the script there.`,
        zh: `请每行写一项，或自行加入 \`${shown}\` 并放置脚本。`,
      },
    },
  );
}
