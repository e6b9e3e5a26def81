// Runtimes that only say they are Node: skills are read there, and nothing is started whose output could be lost.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { openIn } from '../../support/library/handle.ts';

for (const [name, title] of [
  ['bun', 'Bun'],
  ['deno', 'Deno'],
] as const)
  test(`under ${title} skills are found and read, and a call says that it needs Node`, async (t) => {
    pretend(t, name);
    const { sw, project, open } = await openIn(t, undefined, { ask: () => 'yes' });
    assert.equal((await sw.search('write a line into a file')).hits[0]?.name, 'writer');
    assert.match((await sw.read('writer')).text, /writer/);
    const outcome = await sw.exec('writer', 'scripts/write.sh', ['hello']);
    assert.ok(outcome.state === 'error', outcome.summary);
    assert.equal(outcome.error.code, 'RUNTIME_FAILED');
    assert.match(outcome.error.message, new RegExp(`programs are started under Node only; this is ${title} 9\\.9\\.9`));
    assert.match(outcome.next ?? '', /Run this with Node 24 or newer/);
    const chinese = await (await open({ language: 'zh' })).exec('writer', 'scripts/write.sh', ['hello']);
    assert.match(chinese.summary, /只能在 Node 下启动程序/);
    assert.equal(existsSync(path.join(project, 'note.txt')), false);
  });

function pretend(t: TestContext, name: 'bun' | 'deno'): void {
  const { versions } = process;
  Object.defineProperty(process, 'versions', { value: { ...versions, [name]: '9.9.9' }, configurable: true });
  t.after(() => Object.defineProperty(process, 'versions', { value: versions, configurable: true }));
}
