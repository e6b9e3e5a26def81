// Forty real prompt skills that ask for Bash(...): what their list names runs, and nothing else does.
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import type { OpenDoor } from '../../../src/app/open-door.ts';
import { perform } from '../../../src/door/perform.ts';
import { parseCommandPattern } from '../../../src/policy/pattern.ts';
import { parseSkill } from '../../../src/skill/manifest.ts';
import { door, makeProject, writeFiles } from '../../support/door-support.ts';
import { dataFolder, temporaryFolder } from '../../support/support.ts';

const WANTED = 40;
const STUB = '#!/bin/sh\necho "$0" "$@"\n';

interface Sample {
  readonly folder: string;
  readonly text: string;
  /** One command that the list covers. */
  readonly argv: readonly string[];
}

test('run_command under the allowed-tools of 40 real prompt skills runs what matches and refuses the rest', async (t) => {
  const data = dataFolder(t);
  if (data === undefined) return;
  const samples = readSamples(data);
  assert.equal(samples.length, WANTED);
  const project = makeProject(t, {});
  const bin = temporaryFolder(t);
  chmodSync(bin, 0o755);
  for (const { folder, text, argv } of samples) {
    writeFiles(project, { [`.claude/skills/${folder}/SKILL.md`]: text });
    placeProgram(argv[0] ?? '', project, bin);
  }
  const open = await door(project, {}, { PATH: `${bin}:${process.env.PATH}` });
  for (const { folder, argv } of samples) {
    const ran = await run(open, folder, argv);
    assert.equal(ran.state, 'success', `${folder}: ${argv.join(' ')}: ${ran.summary}`);
    for (const other of othersThan(argv)) {
      const refused = await run(open, folder, other);
      assert.equal(refused.data.code, 'PERMISSION_DENIED', `${folder}: ${other.join(' ')}`);
    }
  }
});

function run(open: OpenDoor, skill: string, argv: readonly string[]) {
  return perform({ kind: 'run_command', skill, argv, context: open.context }, open);
}

/** A shell that does more (one is judged by what it runs), another program, the words as one, another path. */
function othersThan(argv: readonly string[]): string[][] {
  const [program = ''] = argv;
  return [
    ['sh', '-c', `${argv.join(' ')}; id`],
    ['no-such-program'],
    [`${argv.join(' ')}; id`],
    [`../${program}`, ...argv.slice(1)],
  ];
}

function readSamples(data: string): Sample[] {
  const lines = readFileSync(path.join(data, 'skill-files', 'skills.jsonl'), 'utf8')
    .trim()
    .split('\n');
  const samples: Sample[] = [];
  for (const line of lines) {
    const { path: file, text } = JSON.parse(line) as { path: string; text: string };
    const folder = `real-${samples.length}`;
    const { manifest } = parseSkill(text, { path: file, folderName: folder });
    if (!manifest || manifest.command !== undefined || manifest.entry !== undefined) continue;
    const rules = (manifest.allowedTools ?? []).filter(({ tool }) => tool === 'Bash');
    // A list with the bare tool restricts no words.
    if (rules.length === 0 || rules.some(({ pattern = '*' }) => pattern.trim() === '*')) continue;
    const argv = rules.map(({ pattern = '' }) => commandFor(pattern)).find((words) => words !== undefined);
    if (argv) samples.push({ folder, text, argv });
    if (samples.length === WANTED) return samples;
  }
  return samples;
}

// Interpreters are found by the product itself, so no stub can stand in for them; starters of anything are refused.
const SPECIAL = /^(?:python|node|bash|sh|deno|bun|ruby|perl|pwsh|npx|npm)/;

function commandFor(pattern: string): string[] | undefined {
  const parsed = parseCommandPattern(pattern);
  if (!parsed || SPECIAL.test(parsed.words[0] ?? '')) return undefined;
  return [...parsed.words.map((word) => word.replaceAll('*', 'x')), ...(parsed.open ? ['status'] : [])];
}

function placeProgram(program: string, project: string, bin: string): void {
  const file = program.includes('/') ? path.resolve(project, program) : path.join(bin, program);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, STUB, { mode: 0o755 });
}
