// Brings the authoring kits into the built-in skills and the templates of `new`, then writes skills/manifest.json.
// With --check it only compares, and fails where something differs.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import path from 'node:path';
import { digestSkill } from '../src/skill/digest.ts';

const root = path.join(import.meta.dirname, '..');
const skills = path.join(root, 'skills');
const kits = path.join(root, 'src', 'protocol', 'sdk');
const templates = 'src/cli/templates';

if (import.meta.main) main(process.argv.includes('--check'));

function main(checkOnly: boolean): void {
  settle(renderKits(), checkOnly);
  settle({ 'skills/manifest.json': renderManifest() }, checkOnly);
}

/** What each skill carries along of the kits. Node strips no types inside node_modules, so ours is plain JavaScript. */
export function renderKits(): Record<string, string> {
  const typescript = readFileSync(path.join(kits, 'define-skill.ts'), 'utf8');
  const javascript = format(stripTypeScriptTypes(typescript));
  const python = readFileSync(path.join(kits, 'skillwright_skill.py'), 'utf8');
  return {
    'skills/csv-insights/scripts/define-skill.mjs': javascript,
    'skills/build-analysis/scripts/skillwright_skill.py': python,
    [`${templates}/protocol-typescript/scripts/define-skill.mts`]: typescript,
    [`${templates}/protocol-javascript/scripts/define-skill.mjs`]: javascript,
    [`${templates}/protocol-python/scripts/skillwright_skill.py`]: python,
  };
}

/** Name and digest of each built-in skill. */
export function renderManifest(): string {
  const names = readdirSync(skills)
    .filter((name) => existsSync(path.join(skills, name, 'SKILL.md')))
    .sort();
  const digests = names.map((name) => [name, digestSkill(path.join(skills, name)).digest]);
  return `${JSON.stringify(Object.fromEntries(digests), null, 2)}\n`;
}

function format(source: string): string {
  const biome = path.join(root, 'node_modules', '.bin', 'biome');
  const { status, stdout, stderr } = spawnSync(biome, ['format', '--stdin-file-path=skills/kit.mjs'], {
    cwd: root,
    input: source,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`the kit cannot be formatted: ${stderr}`);
  return stdout;
}

function settle(files: Record<string, string>, checkOnly: boolean): void {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(root, name);
    if (!checkOnly) writeFileSync(file, text);
    else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
      console.error(`${name} is out of date: run node scripts/builtin-manifest.ts`);
      process.exitCode = 1;
    }
  }
}
