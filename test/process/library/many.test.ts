// Much at once in one process: programs wait in line, and no run sees anything of another one.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { scriptedModel } from '../../../src/model/scripted.ts';
import { answer, script, select } from '../../support/agent-support.ts';
import { skillFiles } from '../../support/door-support.ts';
import { openIn, processesWith } from '../../support/library/handle.ts';
import { count } from '../../support/support.ts';

const CALLS = count(50, 6);
const RUNS = count(100, 10);
const FILES = skillFiles('noter', 'name: noter\ndescription: Notes a line in a file of its own.', {
  'scripts/note.sh': 'echo "$1" > "note-$1.txt"\n',
  'scripts/nap.sh': 'sleep "$1"\n',
});

test(`${CALLS} calls at once are never more than two programs at a time, and one that is called off leaves the line`, async (t) => {
  const { sw } = await openIn(t, FILES, { concurrency: 2, ask: () => 'yes' });
  const time = `0.3${Math.floor(Math.random() * 1e9)}`;
  const off = new AbortController();
  const calls = Array.from({ length: CALLS }, () => sw.exec('noter', 'scripts/nap.sh', [time]));
  const called = sw.exec('noter', 'scripts/nap.sh', [time], { signal: off.signal });
  off.abort();
  let isOver = false;
  const all = Promise.all(calls).finally(() => {
    isOver = true;
  });
  let most = 0;
  while (!isOver) {
    most = Math.max(most, processesWith(time).filter(isSleep).length);
    await sleep(20);
  }
  for (const { state, summary } of await all) assert.equal(state, 'success', summary);
  assert.ok(most >= 1 && most <= 2, `${most} at a time`);
  assert.notEqual((await called).state, 'success');
});

test(`${RUNS} runs at once: each has its own record, layer, approvals and answer`, async (t) => {
  const { sw, project } = await openIn(t, FILES);
  const runs = Array.from({ length: RUNS }, async (_, at) => {
    const steps = [select('noter'), script('noter', 'note.sh', `n${at}`), answer(`noted ${at}`)];
    const asked: string[] = [];
    const outcome = await sw.run(`note ${at}`, {
      model: scriptedModel(steps),
      ask: (question) => {
        asked.push(question.about === 'call' ? question.words.join(' ') : question.text);
        return 'yes';
      },
    }).outcome;
    return { at, asked, outcome };
  });
  const ended = await Promise.all(runs);
  for (const { at, asked, outcome } of ended) {
    assert.ok(outcome.state === 'success', outcome.summary);
    assert.equal(outcome.result.answer, `noted ${at}`);
    assert.deepEqual(asked, [`scripts/note.sh n${at}`, `new note-n${at}.txt`]);
    assert.equal(readFileSync(path.join(project, `note-n${at}.txt`), 'utf8'), `n${at}\n`);
  }
  assert.equal(new Set(ended.map(({ outcome }) => outcome.runId)).size, RUNS);
  const checks = await sw.runs.verify();
  assert.deepEqual([checks.length, checks.every(({ ok }) => ok)], [RUNS, true]);
});

/** The program itself, not the launcher that has its words too. */
function isSleep(pid: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'sleep';
  } catch {
    return false;
  }
}
