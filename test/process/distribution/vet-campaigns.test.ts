import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { isAtLeast, type VetSeverity } from '../../../src/config/severity.ts';
import { makeDesk } from '../../support/install-desk.ts';
import { CAMPAIGNS, type Lure } from '../../support/vet/campaigns.ts';

/** The one rule that has to know addresses by name. */
const NAMES_ADDRESSES = 'exfiltration-address';

interface Found {
  readonly skill: string;
  readonly id: string;
  readonly severity: VetSeverity;
}

test('vet --json finds each of 60 malicious skills at HIGH or above, whatever their products and hosts are called', async (t) => {
  assert.equal(CAMPAIGNS.length, 60);
  const found = await vetAll(t, 'bad');
  const caught = new Set(found.filter(({ id }) => id !== NAMES_ADDRESSES).map(({ skill }) => skill));
  assert.deepEqual(
    CAMPAIGNS.filter(({ name }) => !caught.has(name)).map(({ name }) => name),
    [],
  );
});

test('control: none of their 60 honest twins, which speak of the same things, is found at HIGH or above', async (t) => {
  assert.deepEqual(await vetAll(t, 'fine'), []);
});

/** What is found at HIGH or above, by the command line, in one folder of all skills. */
async function vetAll(t: TestContext, kind: 'bad' | 'fine'): Promise<Found[]> {
  const desk = makeDesk(t);
  const folder = path.join(desk.folder, kind);
  for (const lure of CAMPAIGNS) writeLure(folder, lure, kind);
  const { data } = await desk.sw('vet', folder);
  return (data.findings as readonly Found[]).filter(({ severity }) => isAtLeast(severity, 'HIGH'));
}

function writeLure(folder: string, { name, file = 'SKILL.md', bad, fine }: Lure, kind: 'bad' | 'fine'): void {
  const names = { P: word(), Q: word(), H: `${word()}.${word().slice(0, 3)}` };
  const text = { bad, fine }[kind].replace(/\{([PQH])\}/g, (_, which: keyof typeof names) => names[which]);
  const skill = `---\nname: ${name}\ndescription: Helps with ${names.P}. Use it for ${names.P}.\n---\n`;
  const place = path.join(folder, name, file);
  mkdirSync(path.dirname(place), { recursive: true });
  writeFileSync(path.join(folder, name, 'SKILL.md'), `${skill}\n# ${names.P}\n`);
  writeFileSync(place, file === 'SKILL.md' ? `${skill}\n${text}\n` : text);
}

/** A name that nobody gave to anything: syllables drawn by lot. */
function word(): string {
  const one = (letters: string): string => letters[Math.floor(Math.random() * letters.length)] ?? '';
  return Array.from({ length: 4 }, () => one('bdfgklmnprstvz') + one('aeiou')).join('');
}
