import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { count, temporaryFolder } from '../../../test/support/support.ts';
import { anyStep, assertSameTree, takeStep } from '../../../test/support/workspace/file-step.ts';
import { absolutePath } from '../../base/value/absolute-path.ts';
import { loadConfig } from '../../config/config.ts';
import { describeHost } from '../../process/sandbox/host.ts';
import { launcherOf } from '../../process/sandbox/linux/launcher.ts';
import { changeSetOf } from '../change.ts';
import { compareTrees } from '../compare.ts';
import { openWorkspace } from '../workspace.ts';
import { openJournals } from './journal.ts';
import { transact } from './transaction.ts';
import { undo } from './undo.ts';

const steps = fc.array(anyStep, { maxLength: 25 });
/** Two names of one file in the project are two files in an overlay once one of them is written: declared. */
const withoutLinks = steps.map((some) => some.filter(({ op }) => op !== 'link'));

test('any change of a tree is applied exactly, and undone to the last bit', (t) => {
  const folder = temporaryFolder(t);
  let round = 0;
  fc.assert(
    fc.property(steps, steps, (before, after) => {
      const root = path.join(folder, String(round++));
      const [project, tree, original] = [`${root}/project`, `${root}/tree`, `${root}/original`];
      mkdirSync(project, { recursive: true });
      for (const step of before) takeStep(project, step);
      for (const copy of [tree, original]) execFileSync('cp', ['-a', project, copy]);
      for (const step of after) takeStep(tree, step);
      const { changes } = changeSetOf(compareTrees({ project, tree, isHidden: () => false }));
      const journals = openJournals(root, path.join(root, 'applies'));
      const content = ({ path: below }: { path: string }) => path.join(tree, below);
      const applied = transact({ kind: 'apply', project, run: 'r', of: undefined, changes, content, now: 0 }, journals);
      assertSameTree(tree, project);
      undo(applied, journals, 1000);
      assertSameTree(original, project);
      removeWhole(root);
    }),
    { numRuns: count(2000, 40) },
  );
});

test('what is done in a layer is what is done in a plain copy, and nothing reaches the project before it is applied', async (t) => {
  const launcher = launcherOf(describeHost());
  assert.ok(launcher);
  const mounts = { ...launcher, ownUsers: process.geteuid?.() === 0 };
  const folder = temporaryFolder(t);
  let round = 0;
  await fc.assert(
    fc.asyncProperty(withoutLinks, fc.array(steps, { minLength: 1, maxLength: 3 }), async (before, calls) => {
      const root = path.join(folder, String(round++));
      const [project, plain, original] = [`${root}/project`, `${root}/plain`, `${root}/original`];
      mkdirSync(project, { recursive: true });
      for (const step of before) takeStep(project, step);
      for (const copy of [plain, original]) execFileSync('cp', ['-a', project, copy]);
      const { workspace: bounds } = (await loadConfig({ project, home: root })).config;
      const place = { folder: absolutePath(`${root}/layer`), project: absolutePath(project), own: [], bounds };
      for (const after of calls) {
        const layer = await openWorkspace(() => place).open(mounts);
        try {
          const tree = layer.mechanism.kind === 'copy' ? layer.shown.from : layer.content('');
          for (const step of after) if (takeStep(tree, step) !== 'EXDEV') takeStep(plain, step);
          layer.remember(0);
          assertSameTree(plain, tree);
          assertSameTree(original, project);
        } finally {
          await layer.close();
        }
      }
      const layer = await openWorkspace(() => place).open(mounts);
      try {
        const { changes } = layer.changes();
        const journals = openJournals(root, path.join(root, 'applies'));
        const content = ({ path: below }: { path: string }) => layer.content(below);
        const applied = transact(
          { kind: 'apply', project, run: 'r', of: undefined, changes, content, now: 0 },
          journals,
        );
        assertSameTree(plain, project);
        undo(applied, journals, 1000);
        assertSameTree(original, project);
      } finally {
        await layer.close();
      }
      removeWhole(root);
    }),
    { numRuns: count(2000, 25) },
  );
});

/** Also what its owner may not change. */
function removeWhole(folder: string): void {
  execFileSync('chmod', ['-R', 'u+rwx', folder]);
  rmSync(folder, { recursive: true });
}
