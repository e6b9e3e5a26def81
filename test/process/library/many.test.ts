// Much at once in one process: programs wait in line, and no run sees anything of another one.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import v8 from 'node:v8';
import vm from 'node:vm';
import type { AgentRun, RunEvent, Skillwright } from '../../../src/index.ts';
import { scriptedModel } from '../../../src/model/scripted.ts';
import { answer, script, select } from '../../support/agent-support.ts';
import { skillFiles } from '../../support/door-support.ts';
import { openIn, processesWith } from '../../support/library/handle.ts';
import { count, isLong } from '../../support/support.ts';

const CALLS = count(50, 6);
const RUNS = count(100, 10);
/** One in so many is told no. */
const REFUSED = 5;
const LIFE = count(2_000, 60);
/** For each run: compiled code is most of it. */
const MOST_BYTES = 1_000;
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

test(`${RUNS} runs at once, of two handles in two languages: each has its own record, layer, answers and events`, async (t) => {
  const { sw: english, project, open } = await openIn(t, FILES);
  const chinese = await open({ language: 'zh' });
  const ended = await Promise.all(Array.from({ length: RUNS }, (_, at) => note(at, at % 2 ? chinese : english)));
  for (const { at, asked, told, outcome } of ended) {
    const isRefused = at % REFUSED === 0;
    assert.ok(outcome.state === 'success', outcome.summary);
    assert.equal(outcome.result.answer, `noted ${at}`);
    assert.deepEqual(
      asked.map(({ about, words }) => [about, words]),
      [['call', `scripts/note.sh n${at}`], ...(isRefused ? [] : [['changes', '']])],
    );
    for (const { text } of asked.slice(0, 1)) assert.match(text, at % 2 ? /请求使用/ : /wants to use/);
    assert.equal(existsSync(noteOf(project, at)), !isRefused);
    if (!isRefused) assert.equal(readFileSync(noteOf(project, at), 'utf8'), `n${at}\n`);
    // Whatever another run says has its number in it.
    const numbers = new Set(
      [...told.matchAll(/\bn(\d+)\b|\bnot (\d+)\b|\brequest-(\d+)\b/g)].flatMap((found) => found.slice(1)),
    );
    assert.deepEqual([...numbers].filter(Boolean), [String(at)]);
    assert.equal(told.includes(`not ${at}`), isRefused);
  }
  assert.equal(new Set(ended.map(({ outcome }) => outcome.runId)).size, RUNS);
  const checks = await english.runs.verify();
  assert.deepEqual([checks.length, checks.every(({ ok }) => ok)], [RUNS, true]);
});

test(`${LIFE} runs one after another leave no memory taken and no file open`, async (t) => {
  const { sw } = await openIn(t, FILES, { ask: () => 'yes' });
  const warm = LIFE / 2;
  const before = { heap: 0, files: 0 };
  for (let at = 0; at < LIFE; at++) {
    if (at === warm) Object.assign(before, inUse());
    const steps = at % 10 === 0 ? [script('noter', 'note.sh', `n${at % 7}`), answer('x')] : [answer('x')];
    const outcome = await sw.run(`note ${at}`, { model: scriptedModel([select('noter'), ...steps]) }).outcome;
    assert.equal(outcome.state, 'success', outcome.summary);
  }
  const { heap, files } = inUse();
  assert.ok(files <= before.files, `${files} files open, ${before.files} before`);
  // A short life is all compiling.
  if (isLong())
    assert.ok(
      (heap - before.heap) / (LIFE - warm) < MOST_BYTES,
      `${(heap - before.heap) / (LIFE - warm)} bytes more a run`,
    );
});

interface Noted {
  readonly at: number;
  readonly asked: readonly { readonly about: string; readonly words: string; readonly text: string }[];
  /** All that this run told: its events, and its record. */
  readonly told: string;
  readonly outcome: Awaited<AgentRun['outcome']>;
}

async function note(at: number, sw: Skillwright): Promise<Noted> {
  const asked: { about: string; words: string; text: string }[] = [];
  const run = sw.run(`note n${at}`, {
    model: scriptedModel([select('noter'), script('noter', 'note.sh', `n${at}`), answer(`noted ${at}`)]),
    context: { requestId: `request-${at}` },
    ask: ({ about, text, ...more }) => {
      asked.push({ about, words: 'words' in more ? more.words.join(' ') : '', text });
      return at % REFUSED === 0 ? { no: `not ${at}` } : 'yes';
    },
  });
  const events: RunEvent[] = [];
  for await (const event of run) events.push(event);
  const outcome = await run.outcome;
  const { events: recorded, printed } = await sw.runs.show(outcome.runId ?? '');
  return { at, asked, told: JSON.stringify([events, recorded, printed]), outcome };
}

function noteOf(project: string, at: number): string {
  return path.join(project, `note-n${at}.txt`);
}

function inUse(): { heap: number; files: number } {
  v8.setFlagsFromString('--expose-gc');
  const collect: unknown = vm.runInNewContext('gc');
  if (typeof collect === 'function') collect();
  return { heap: process.memoryUsage().heapUsed, files: readdirSync('/proc/self/fd').length };
}

/** The program itself, not the launcher that has its words too. */
function isSleep(pid: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'sleep';
  } catch {
    return false;
  }
}
