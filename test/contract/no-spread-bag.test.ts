// No runtime, door or other bag of functions is spread: one for another place or another call is made by a function.
// And no getter acts: reading a field neither opens, reads nor begins anything.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isNode, parseSource, readSources } from '../../scripts/source-tree.ts';
import { findBagSpreads } from '../support/bag-spread.ts';
import { repository } from '../support/support.ts';

const SOURCES = readSources(repository);

test('no bag of functions is spread', () => {
  assert.deepEqual(findBagSpreads(SOURCES), []);
});

test('a spread bag is found as parameter, as part of one, as result, behind a rest and in a closure', () => {
  const text = `
    interface Runtime { readonly project: string; openStore(): Store; index(): Index }
    interface Door { readonly runtime: Runtime; resolve(): void; grants: () => void }
    interface OpenDoor extends Door { finish(): void }
    interface Options { ask?: () => void; onProgress?: () => void; file(): string }
    function openDoor(): OpenDoor { return make(); }
    const a = (runtime: Runtime) => ({ ...runtime, project: 'x' });
    const b = ({ runtime }: Door) => ({ ...runtime });
    const c = () => { const door = openDoor(); return { ...door }; };
    const d = ({ project, ...rest }: Runtime) => ({ ...rest });
    const e = (door: Door) => use((runtime) => ({ ...runtime }));
    const f = (door: Door) => ({ ...door.runtime });
    const g = (options: Options, some: Pick<Runtime, 'project' | 'index'>) => ({ ...options, ...some });
    const h = async (given: Promise<Door>) => ({ ...(await given) });`;
  const found = findBagSpreads([parseSource('src/a.ts', text)]).map((line) => line.replace(/.*\.\.\./, ''));
  assert.deepEqual(found, ['runtime', 'runtime', 'door', 'rest', 'runtime', 'door.runtime', '(await given)']);
});

/** Each computes from what is in memory and changes nothing but what it remembers. */
const GETTERS = new Set([
  'src/agent/state.ts at',
  'src/base/errors.ts sentence',
  'src/process/run.ts why',
  'src/registry/indexed-skill.ts description',
  'src/registry/indexed-skill.ts file',
  'src/registry/indexed-skill.ts folder',
  'src/registry/indexed-skill.ts manifest',
  'src/registry/indexed-skill.ts root',
  'src/registry/indexed-skill.ts skillId',
  'src/registry/indexed-skill.ts source',
  'src/registry/indexed-skill.ts userInvocable',
  'src/registry/plain-skill.ts description',
  'src/registry/plain-skill.ts userInvocable',
  'src/registry/rank/table.ts length',
  'src/registry/rank/table.ts size',
  'src/registry/record-buffer.ts length',
  'src/registry/walk.ts folder',
  'src/registry/walk.ts name',
  'src/registry/walk.ts near',
  'src/telemetry/span.ts ids',
  'src/telemetry/span.ts traceId',
  'src/telemetry/span.ts traceparent',
  'src/tools/run/find-lines.ts isFull',
]);

test('no getter acts: each is one that only computes', () => {
  const found = SOURCES.flatMap(({ file, nodes }) =>
    nodes.filter(({ kind }) => kind === 'get').map(({ key }) => `${file} ${isNode(key) ? key.name : ''}`),
  );
  assert.deepEqual([...new Set(found)].sort(), [...GETTERS].sort());
  for (const { file, text } of SOURCES) assert.doesNotMatch(text, /defineProperty\([^)]*\bget\b/s, file);
});
