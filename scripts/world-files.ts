// Which test files a tier can change: those that open a sandbox or the door to one themselves, or by what they share with others.
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Whoever imports one of these in a test decides what runs in a sandbox. */
const CONFINED = [/^src\/process\/sandbox\//, /^src\/app\/open-door\.ts$/];

/** Workers and databases call through the same door: they are slow, and a tier changes no more about them than about a call. */
const WORKERS = [/^test\/support\/(?:jobs-support|server\/postgres-server|server\/postgres-shared)\.ts$/];

/** Going through the tiers as root and as an ordinary user is what these do themselves, from wherever they start. */
const TRAVELLER = /\b(?:worldsHere|worldWords|asOrdinaryUser|testAsOrdinaryUser)\(/;

export interface TierFiles {
  /** At every tier, as every user. */
  readonly everywhere: readonly string[];
  /** Once, from the strongest tier. */
  readonly travellers: readonly string[];
}

/** Relative to the root, sorted. */
export function filesOfTiers(root: string): TierFiles {
  // Contracts are about the text of the source.
  const files = globSync(['src/**/*.test.ts', 'test/{process,threat}/**/*.test.ts'], { cwd: root });
  const [confined, working] = [new Map<string, boolean>(), new Map<string, boolean>()];
  const found = files
    .filter((file) => reaches(CONFINED, { root, file, seen: confined }))
    .filter((file) => !reaches(WORKERS, { root, file, seen: working }))
    .sort();
  const travels = (file: string) => TRAVELLER.test(readFileSync(path.join(root, file), 'utf8'));
  return { everywhere: found.filter((file) => !travels(file)), travellers: found.filter(travels) };
}

interface Search {
  readonly root: string;
  readonly file: string;
  readonly seen: Map<string, boolean>;
}

/** Followed through the tests' own modules only: everything else of the product is below the door. */
function reaches(wanted: readonly RegExp[], { root, file, seen }: Search): boolean {
  const known = seen.get(file);
  if (known !== undefined) return known;
  seen.set(file, false);
  const imports = importsOf(root, file);
  const found =
    imports.some((name) => wanted.some((pattern) => pattern.test(name))) ||
    imports.some((name) => name.startsWith('test/') && reaches(wanted, { root, file: name, seen }));
  seen.set(file, found);
  return found;
}

function importsOf(root: string, file: string): string[] {
  const text = readFileSync(path.join(root, file), 'utf8');
  const names = [...text.matchAll(/^(?:import|export|\}).* from '(\.[^']+)';$/gm)].map(([, name = '']) => name);
  return names.map((name) => path.posix.join(path.posix.dirname(file), name));
}
