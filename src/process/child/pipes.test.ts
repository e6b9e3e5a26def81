import assert from 'node:assert/strict';
import { closeSync, fstatSync, mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { changed } from '../../../test/support/changed/changed-source.ts';
import { temporaryFolder } from '../../../test/support/support.ts';
import { canMakePipes, openPipe, type Pipe } from './pipes.ts';

type Module = typeof import('./pipes.ts');

// Whatever lies in stock, another call moves it away first.
const OTHERS_ARE_FASTER = {
  from: 'moveTree(path.join(stock, name), file);',
  to: "throw new Error('taken meanwhile');",
};

function openIn(t: TestContext, open: Module['openPipe']): { pipe: Pipe | undefined; left: string[] } {
  const folder = temporaryFolder(t);
  const [stock, work] = [path.join(folder, 'stock'), path.join(folder, 'work')];
  mkdirSync(work);
  const pipe = open(stock, work);
  for (const descriptor of pipe ? [pipe.read, pipe.write] : []) t.after(() => closeSync(descriptor));
  return { pipe, left: readdirSync(work) };
}

test('a pipe is one, and leaves no name', { skip: !canMakePipes() }, (t) => {
  const { pipe, left } = openIn(t, openPipe);
  assert.deepEqual([pipe && fstatSync(pipe.write).isFIFO(), left], [true, []]);
});

test('attack empty-stock blocked: calls that empty the stock make nobody print into a socket', {
  skip: !canMakePipes(),
}, async (t) => {
  const { openPipe: open } = await changed<Module>('src/process/child/pipes.ts', OTHERS_ARE_FASTER);
  const { pipe, left } = openIn(t, open);
  assert.deepEqual([pipe && fstatSync(pipe.write).isFIFO(), left], [true, []]);
});

test('attack empty-stock control: where only the stock is filled, there is no pipe to be had', {
  skip: !canMakePipes(),
}, async (t) => {
  const stockOnly = { from: 'const names = [file, ...spare];', to: 'const names = spare;' };
  const { openPipe: open } = await changed<Module>('src/process/child/pipes.ts', OTHERS_ARE_FASTER, stockOnly);
  assert.equal(openIn(t, open).pipe, undefined);
});

test('where no mkfifo is to be had, the sandbox says that output goes through sockets; elsewhere it does not', async (t) => {
  const cacheFolder = temporaryFolder(t);
  const entry = 'src/process/sandbox/sandbox.ts';
  for (const found of [true, false]) {
    const change = {
      file: 'src/process/child/pipes.ts',
      from: "findTrusted('mkfifo') !== undefined",
      to: String(found),
    };
    const { openSandbox } = await changed<typeof import('../sandbox/sandbox.ts')>(entry, change);
    const { notEnforced, openIn } = await openSandbox({ cacheFolder, tier: 'S0', without: ['cgroup'] });
    for (const points of [notEnforced, openIn(cacheFolder)])
      assert.equal(points.includes('output-sockets'), !found, points.join());
  }
});
