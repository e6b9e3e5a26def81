import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isAlive, unmetNeeds, whyNobody } from './able.ts';

test('who can take a job: labels and files must be with the same worker, and one that names no files takes any', () => {
  const plain = { labels: [], digests: ['d1'] };
  const gpu = { labels: ['gpu', 'eu'], digests: ['d2'] };
  const said = (need: { digest?: string; labels?: string[] }, workers = [plain, gpu]) =>
    whyNobody(need, workers)?.en ?? '';
  for (const need of [{}, { digest: 'd1' }, { digest: 'd2', labels: ['eu', 'gpu'] }, { labels: ['gpu'] }])
    assert.equal(said(need), '', JSON.stringify(need));
  assert.match(said({ labels: ['tpu'] }), /labels it asks for \(tpu\): skillwright start --label tpu$/);
  assert.match(said({ digest: 'd1', labels: ['gpu'] }), /no live worker with gpu has the files/);
  assert.match(said({ digest: 'd3' }), /jobs publish/);
  assert.match(said({}, []), /skillwright start/);
  assert.equal(whyNobody({ digest: 'd3' }, [{ labels: [] }]), undefined);
});

test('a worker that was not heard of for a while takes nothing', async () => {
  const now = 1_000_000;
  assert.deepEqual([isAlive({ seenAt: now - 14_000 }, now), isAlive({ seenAt: now - 16_000 }, now)], [true, false]);
  const silent = { id: 'w', host: 'h', pid: 1, labels: [], capacity: 1, running: 0, startedAt: 0, seenAt: 0 };
  const queue = { needs: () => [{ jobs: 3 }], workers: () => [silent] };
  const unmet = await unmetNeeds(queue, now);
  assert.deepEqual(
    unmet.map(({ jobs, why }) => [jobs, /no worker/.test(why.en)]),
    [[3, true]],
  );
});
