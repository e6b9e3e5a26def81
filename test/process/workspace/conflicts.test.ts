// A person works in the project while a run works in its layer: whatever both touched is a conflict that names it;
// nothing of either is lost, and nothing is applied by half.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  globSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { skillFiles } from '../../support/door-support.ts';
import { isLong } from '../../support/support.ts';
import { type EnteredProject, enterWorld, type NamedWorld, worldsHere } from '../../support/world/enter.ts';

/** Changes, then waits in its private folder for the person. */
const WORK = `echo run > a.txt; echo run > b.txt; rm gone.txt; rm -r folder; echo run > folder
echo made > new.txt; mkdir made; echo made > made/in.txt; mv from.txt moved.txt; ln keep.txt linked.txt; chmod 755 mode.txt; touch "$TMPDIR/changed"
until [ -e "$TMPDIR/go" ]; do sleep 0.05; done
`;

const FILES = {
  ...skillFiles('does', 'name: does\ndescription: Does it.', { 'scripts/do.sh': WORK }),
  ...Object.fromEntries(
    ['a.txt', 'b.txt', 'gone.txt', 'mode.txt', 'folder/in.txt', 'from.txt', 'moved.txt', 'keep.txt'].map((name) => [
      name,
      'first\n',
    ]),
  ),
};

interface Act {
  readonly name: string;
  /** What the conflict names. */
  readonly named: string;
  /** At S1 no modes can be set, which is declared. */
  readonly needsModes?: boolean;
  /** How the person leaves the project. */
  does(project: string): void;
}

const at = path.join;
const write = (project: string, name: string, text: string) => writeFileSync(at(project, name), text);

const ACTS: readonly Act[] = [
  { name: 'edits it', named: 'a.txt', does: (project) => write(project, 'a.txt', 'person\n') },
  {
    name: 'saves it anew, as editors do',
    named: 'a.txt',
    does: (project) => {
      write(project, '.a.swp', 'person\n');
      renameSync(at(project, '.a.swp'), at(project, 'a.txt'));
    },
  },
  { name: 'deletes it', named: 'a.txt', does: (project) => rmSync(at(project, 'a.txt')) },
  {
    name: 'replaces it by a link',
    named: 'a.txt',
    does: (project) => {
      rmSync(at(project, 'a.txt'));
      symlinkSync('b.txt', at(project, 'a.txt'));
    },
  },
  {
    name: 'replaces it by a folder',
    named: 'a.txt',
    does: (project) => {
      rmSync(at(project, 'a.txt'));
      mkdirSync(at(project, 'a.txt'));
    },
  },
  { name: 'changes its mode', named: 'a.txt', does: (project) => chmodSync(at(project, 'a.txt'), 0o600) },
  {
    name: 'changes the mode of what only got another mode',
    named: 'mode.txt',
    needsModes: true,
    does: (project) => chmodSync(at(project, 'mode.txt'), 0o640),
  },
  { name: 'edits what the run deleted', named: 'gone.txt', does: (project) => write(project, 'gone.txt', 'person\n') },
  { name: 'makes what the run made', named: 'new.txt', does: (project) => write(project, 'new.txt', 'person\n') },
  {
    name: 'makes a file where the run made a folder',
    named: 'made',
    does: (project) => write(project, 'made', 'person\n'),
  },
  {
    name: 'adds a file to a folder that the run replaced',
    named: 'folder',
    does: (project) => write(project, 'folder/more.txt', 'person\n'),
  },
  {
    name: 'edits a file in a folder that the run replaced',
    named: 'folder/in.txt',
    does: (project) => write(project, 'folder/in.txt', 'person\n'),
  },
  {
    name: 'replaces a folder by a link to another',
    named: 'folder',
    does: (project) => {
      renameSync(at(project, 'folder'), at(project, 'elsewhere'));
      symlinkSync('elsewhere', at(project, 'folder'));
    },
  },
];

for (const [number, world] of worldsHere().entries())
  test(`${world.title}: what a person did while the run works, or after it, is named, nothing is lost, nothing applied by half`, async (t) => {
    const some = isLong() ? ACTS : ACTS.filter((_, index) => index % 6 === number);
    for (const act of some.filter(({ needsModes }) => world.tier !== 'S1' || !needsModes))
      for (const during of [true, false]) {
        const entered = enterWorld(t, world, FILES);
        if (!entered) return;
        const before = await meet(entered, world, act, during);
        await judge(entered, act, before);
      }
    t.diagnostic(`${some.length} acts, each while the run works and after it`);
  });

async function judge({ project, run }: EnteredProject, { name, named }: Act, before: Record<string, string>) {
  const apply = await run(['runs', 'apply', 'latest']);
  assert.equal(apply.code, 1, `${name}: ${apply.stdout}${apply.stderr}`);
  assert.match(apply.stderr, new RegExp(`Conflict: .*${named.replace('.', '\\.')}`), name);
  assert.deepEqual(treeOf(project), before, name);
  const mine = await run(['runs', 'apply', 'latest', '--keep', 'mine']);
  assert.equal(mine.code, 0, `${name}: ${mine.stdout}${mine.stderr}`);
  assert.equal(readFileSync(at(project, 'b.txt'), 'utf8'), 'run\n', name);
  assert.equal(treeOf(project)[named], before[named], name);
  const undone = await run(['runs', 'undo', 'latest']);
  assert.equal(undone.code, 0, `${name}: ${undone.stderr}`);
  assert.deepEqual(treeOf(project), before, name);
}

/** Runs the script, and lets the person act while it works or after it. Returns the project as the person left it. */
async function meet(entered: EnteredProject, world: NamedWorld, act: Act, during: boolean) {
  const { project, run } = entered;
  const running = run(['exec', 'does', 'scripts/do.sh', '--yes', ...(during ? [] : ['--apply', 'never']), '--json']);
  const work = await workFolder(project);
  if (during) act.does(project);
  writeFileSync(at(work, 'go'), '');
  const { stdout, stderr } = await running;
  const { data } = JSON.parse(stdout || stderr);
  assert.equal(data.sandbox?.tier, world.tier, stdout);
  if (!during) act.does(project);
  else assert.ok(JSON.stringify(data.changes.conflict ?? '').includes(act.named), `${act.name}: ${stdout}`);
  return treeOf(project);
}

/** The private folder of the call, once its script has changed what it changes. */
async function workFolder(project: string): Promise<string> {
  const pattern = at(project, '../home/.agent', 'work', 'call-*', 'changed');
  for (let tries = 0; tries < 3000; tries++) {
    const [found] = globSync(pattern);
    if (found) return path.dirname(found);
    await sleep(20);
  }
  throw new Error('the script did not begin');
}

/** Everything of the person: kind, mode and content by path; without records of the product. */
function treeOf(project: string): Record<string, string> {
  const names = execFileSync('find', ['.', '-mindepth', '1', '-not', '-path', './.agent*'], { cwd: project })
    .toString()
    .split('\n')
    .filter((name) => name !== '');
  return Object.fromEntries(
    names.map((name) => {
      const file = at(project, name);
      const stats = lstatSync(file);
      const content = stats.isSymbolicLink() ? readlinkSync(file) : stats.isFile() ? readFileSync(file, 'utf8') : '';
      return [path.normalize(name), `${stats.mode.toString(8)} ${content}`];
    }),
  );
}
