// What `vet` says of skills that people published: whoever is warned of each second one stops reading warnings.
import assert from 'node:assert/strict';
import { cpSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { isAtLeast, type VetSeverity } from '../../src/config/severity.ts';
import { makeDesk } from '../support/install-desk.ts';
import { realFolder } from '../support/real/real-folder.ts';
import { dataFolder, temporaryFolder } from '../support/support.ts';

/** Of all skills, those at HIGH or above, which are more than the false ones: malware and programs nobody can read. */
const MOST = 0.005;

test('of the real skill files, at most one in 200 is an alarm', async (t) => {
  const data = dataFolder(t);
  if (data === undefined) return;
  const desk = makeDesk(t);
  const folder = path.join(desk.folder, 'files');
  const lines = readFileSync(path.join(data, 'skill-files', 'skills.jsonl'), 'utf8')
    .trim()
    .split('\n');
  for (const [number, line] of lines.entries()) {
    const place = path.join(folder, `skill-${number}`);
    mkdirSync(place, { recursive: true });
    writeFileSync(path.join(place, 'SKILL.md'), (JSON.parse(line) as { text: string }).text);
  }
  report(t, await vetFolder(desk, folder), lines.length);
});

test('of the skills of public repositories, with all their files, at most one in 200 is an alarm', async (t) => {
  const root = realFolder(t);
  if (root === undefined) return;
  const desk = makeDesk(t);
  const alarms: Alarm[] = [];
  let skills = 0;
  for (const repository of readdirSync(root).filter((name) => name !== 'node_modules')) {
    const vetted = await vetFolder(desk, copyWithoutLinks(path.join(root, repository), temporaryFolder(t)));
    skills += vetted.skills;
    alarms.push(...vetted.alarms);
  }
  report(t, { skills, alarms }, 500);
});

/** A folder with links in it is refused as a whole, and what a compiler left is none of its author's. */
function copyWithoutLinks(from: string, to: string): string {
  const isTheirs = (file: string) => !lstatSync(file).isSymbolicLink() && path.basename(file) !== 'target';
  cpSync(from, to, { recursive: true, filter: isTheirs });
  return to;
}

interface Alarm {
  readonly skill: string;
  readonly id: string;
  readonly file: string;
  readonly severity: VetSeverity;
  readonly excerpt: string;
}

interface VettedFolder {
  readonly skills: number;
  readonly alarms: readonly Alarm[];
}

async function vetFolder(desk: ReturnType<typeof makeDesk>, folder: string): Promise<VettedFolder> {
  const { data, text } = await desk.sw('vet', folder);
  assert.ok(Array.isArray(data.coverage), text.slice(0, 500));
  const alarms = (data.findings as unknown as readonly Alarm[]).filter(({ severity }) => isAtLeast(severity, 'HIGH'));
  return { skills: data.coverage.length, alarms };
}

function report(t: TestContext, { skills, alarms }: VettedFolder, atLeast: number): void {
  for (const { skill, id, file, excerpt } of alarms) t.diagnostic(`${skill} ${id} ${file}: ${excerpt}`);
  const alarmed = new Set(alarms.map(({ skill }) => skill)).size;
  t.diagnostic(`${alarmed} of ${skills}`);
  assert.ok(skills >= atLeast, `${skills} skills were read`);
  assert.ok(alarmed <= skills * MOST, `${alarmed} of ${skills}`);
}
