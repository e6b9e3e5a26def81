// Packing, unpacking and verifying, in this process, beside the tools of the system that do less.
import { spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { LockedSkill } from '../src/distribution/lock.ts';
import { packSkills, writePack } from '../src/distribution/publish/pack.ts';
import { openArchiveFile } from '../src/distribution/source/archive.ts';
import { stageSkill } from '../src/distribution/stage.ts';
import { verifySkill } from '../src/distribution/verify.ts';
import { digestSkill } from '../src/skill/digest.ts';
import { type Goal, ratio, type SuiteOptions, type SuiteResult } from './goal.ts';
import type { Measured } from './measure.ts';
import { plantSkills } from './tree.ts';

interface Work {
  readonly name: string;
  readonly before?: () => void;
  readonly run: () => void;
}

const FILES = 200;
const BYTES = 20 * 1024 * 1024;
const SKILLS = 1_000;

export async function bench({ folder, rounds }: SuiteOptions): Promise<SuiteResult> {
  const skill = plantLargeSkill(path.join(folder, 'large'));
  const measured = interleave([...unpacking(folder, skill), ...packing(folder, skill), ...verifying(folder)], rounds);
  return { measured: [...measured.values()], goals: goalsOf(measured) };
}

/** Half of it text that packs well, half of it noise that does not. */
function plantLargeSkill(parent: string): string {
  const skill = path.join(parent, 'large');
  mkdirSync(path.join(skill, 'data'), { recursive: true });
  writeFileSync(path.join(skill, 'SKILL.md'), '---\nname: large\ndescription: For measuring.\n---\n# Large\n');
  const text = Buffer.from('The report lists each table with its figures and the day it was made. '.repeat(2000));
  for (let number = 0; number < FILES - 1; number++) {
    const size = Math.floor(BYTES / (FILES - 1));
    const content = number % 2 === 0 ? randomBytes(size) : mixed(text, size);
    writeFileSync(path.join(skill, 'data', `${number}.bin`), content);
  }
  return skill;
}

// Words among numbers, so that it packs like text and not like a bomb.
function mixed(text: Buffer, size: number): Buffer {
  const content = Buffer.from(text.subarray(0, size));
  for (let at = 0; at < content.length; at += 40) content.write(randomBytes(3).toString('hex'), at);
  return content;
}

function unpacking(folder: string, skill: string): Work[] {
  const zip = path.join(folder, 'large.zip');
  writePack(zip, packSkills([skill], { blockAngleBrackets: true }));
  const target = path.join(folder, 'unpacked');
  const before = () => {
    rmSync(target, { recursive: true, force: true });
    mkdirSync(target);
  };
  const ours = () => {
    for (const offered of openArchiveFile(zip, { names: [] }).skills) stageSkill(offered, path.join(target, 'large'));
  };
  const tools = [
    ['bsdtar -xf', 'bsdtar', ['-xf', zip, '-C', target]],
    ['unzip -q', 'unzip', ['-q', zip, '-d', target]],
  ] as const;
  return [
    { name: 'unpack: skillwright', before, run: ours },
    ...tools.flatMap(([name, file, args]) => tool(`unpack: ${name}`, file, args, before)),
  ];
}

function packing(folder: string, skill: string): Work[] {
  const [mine, theirs] = [path.join(folder, 'mine.zip'), path.join(folder, 'theirs.zip')];
  const before = () => {
    for (const file of [mine, theirs]) rmSync(file, { force: true });
  };
  return [
    {
      name: 'pack: skillwright',
      before,
      run: () => writePack(mine, packSkills([skill], { blockAngleBrackets: true })),
    },
    ...tool('pack: zip -6', 'zip', ['-6', '-q', '-r', theirs, 'large'], before, path.dirname(skill)),
  ];
}

function verifying(folder: string): Work[] {
  const project = path.join(folder, 'verify');
  plantSkills(project, SKILLS);
  const root = path.join(project, '.claude', 'skills');
  const locked = readdirSync(root).map((name) => ({
    name,
    folder: name,
    source: { kind: 'folder' as const, location: root },
    installed: '',
    ...digestSkill(path.join(root, name)),
  }));
  const files = locked.flatMap((skill) => skill.files.map((file) => path.join(root, skill.folder, file.path)));
  return [
    { name: `verify: skillwright, ${SKILLS} skills`, run: () => verifyAll(root, locked) },
    { name: 'verify: read and hash the same bytes', run: () => hashAll(files) },
  ];
}

function verifyAll(root: string, locked: readonly LockedSkill[]): void {
  for (const skill of locked) {
    const { state } = verifySkill(path.join(root, skill.folder), skill);
    if (state !== 'ok') throw new Error(`${skill.name}: ${state}`);
  }
}

function hashAll(files: readonly string[]): void {
  for (const file of files) createHash('sha256').update(readFileSync(file)).digest();
}

/** None where the machine has no such tool. */
function tool(name: string, file: string, args: readonly string[], before: () => void, cwd?: string): Work[] {
  if (spawnSync(file, ['--version']).error) return [];
  const run = () => {
    const { status } = spawnSync(file, args, cwd === undefined ? {} : { cwd });
    if (status !== 0) throw new Error(`${name}: exit ${status}`);
  };
  return [{ name, before, run }];
}

function interleave(works: readonly Work[], rounds: number): Map<string, Measured> {
  const times = new Map<string, number[]>(works.map(({ name }) => [name, []]));
  for (let round = -1; round < rounds; round++) {
    for (const { name, before, run } of works) {
      before?.();
      const startedAt = performance.now();
      run();
      if (round >= 0) times.get(name)?.push(performance.now() - startedAt);
    }
  }
  const peakMb = process.resourceUsage().maxRSS / 1024;
  return new Map(
    [...times].map(([name, list]) => {
      const sorted = list.sort((a, b) => a - b);
      return [name, { name, median: sorted[sorted.length >> 1] ?? Number.NaN, min: sorted[0] ?? Number.NaN, peakMb }];
    }),
  );
}

function goalsOf(measured: Map<string, Measured>): Goal[] {
  const pick = (name: string) => measured.get(name);
  const unpacked = pick('unpack: skillwright');
  // Where bsdtar is missing the other tool stands in, and the table says so.
  const [name, other] =
    ['bsdtar -xf', 'unzip -q'].map((one) => [one, pick(`unpack: ${one}`)] as const).find(([, one]) => one) ?? [];
  return [
    ...(other ? [ratio(`unpack 200 files, 20 MB / ${name}`, unpacked, other, 1.6)] : []),
    ...(pick('pack: zip -6') ? [ratio('pack / zip -6', pick('pack: skillwright'), pick('pack: zip -6'), 1.3)] : []),
    ratio(
      'verify 1,000 skills / read and hash',
      pick(`verify: skillwright, ${SKILLS} skills`),
      pick('verify: read and hash the same bytes'),
      2,
    ),
  ];
}
