// Skills that lie where nobody looks for them: in folders of other agents, or in a plain `skills/` of the project.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { type Diagnostic, diagnose } from '../../base/diagnostic.ts';
import { realPath } from '../../base/paths.ts';
import { namesIfThere } from '../../base/read-file.ts';
import type { Runtime } from '../runtime.ts';

const OF_PROJECT = ['skills', '.github/skills'];
const OF_AGENTS = [
  '.codex/skills',
  '.cursor/skills',
  '.gemini/skills',
  '.opencode/skills',
  '.opencode/skill',
  '.windsurf/skills',
];

export function findOddPlaces({ project, home, roots }: Pick<Runtime, 'project' | 'home' | 'roots'>): Diagnostic[] {
  const places = [
    ...[...OF_PROJECT, ...OF_AGENTS].map((place) => path.join(project, place)),
    ...OF_AGENTS.map((place) => path.join(home, place)),
  ];
  const read = new Set(roots.map(({ folder }) => realPath(folder)));
  return [...new Set(places)].filter((place) => !read.has(realPath(place))).flatMap(tellSkills);
}

/** A folder that cannot be listed is nobody's place for skills. */
function namesIn(place: string): string[] {
  try {
    return namesIfThere(place);
  } catch {
    return [];
  }
}

function tellSkills(place: string): Diagnostic[] {
  const skills = namesIn(place).filter((name) => existsSync(path.join(place, name, 'SKILL.md')));
  if (skills.length === 0) return [];
  const message = {
    en: `skills lie here that nobody looks for in this folder: ${skills.length}`,
    zh: `此目录中有不会被查找的技能: ${skills.length} 个`,
  };
  const fix = {
    en: `skillwright install ${place}, or name the folder in skill_roots`,
    zh: `skillwright install ${place}，或在 skill_roots 中写明该目录`,
  };
  return [diagnose({ code: 'skills-elsewhere', severity: 'warning', path: place, message, fix })];
}
