// What is tried with every program of others that can be a client of ours: to list, to call, to be asked, to say no, to be
// told of progress, and to cancel, as far as that way to us can.
import assert from 'node:assert/strict';
import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { TestContext } from 'node:test';
import type { Client } from '@modelcontextprotocol/client';
import { skillFiles } from '../door-support.ts';
import { endOf, oddTime, sightOf, WRITER } from '../library/handle.ts';
import { answering } from '../protocol-support.ts';
import { runCli } from '../support.ts';
import { callTool } from './client.ts';
import { type Served, serveHttp } from './http.ts';

const WRITE = { skill: 'writer', script: 'scripts/write.sh', args: ['hello'] };

/** What a way to us can do beside listing and calling. */
export interface Ability {
  /** Whoever sits before the client is asked; otherwise a question waits for a terminal. */
  readonly asks: boolean;
  readonly progress: boolean;
  /** That a call is given up reaches us, so that its processes end. */
  readonly cancel: boolean;
}

export interface UsedClient {
  names(): Promise<readonly string[]>;
  call(
    name: string,
    given: Record<string, unknown>,
    options?: { readonly signal?: AbortSignal; readonly onprogress?: (told: { progress: number }) => void },
  ): Promise<Record<string, unknown>>;
}

/** A project with skills that write, tell and wait; what tells and waits is asked about no more. */
export async function servedToAll(t: TestContext): Promise<Served> {
  const place = await serveHttp(t, {
    ...WRITER,
    ...skillFiles('teller', 'name: teller\ndescription: Tells.\nentry: main.py\nactions: {x: {description: Tells.}}', {
      'main.py': answering('{}', 'for n in [10, 60, 90]: print(f"{n}% at {n}", file=sys.stderr, flush=True)\n'),
    }),
  });
  for (const words of [
    ['writer', '--script', 'scripts/wait.sh'],
    ['teller', '--action', 'x'],
  ]) {
    const given = await runCli(['grants', 'add', ...words, '--tier', 'S1'], { cwd: place.project, home: place.home });
    assert.equal(given.code, 0, given.stderr);
  }
  return place;
}

export function ofSdk(client: Client): UsedClient {
  return {
    names: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, given, options) => (await callTool(client, name, given, options)).result,
  };
}

/** `answers` are those of the person before it, one after the other. */
export async function useAll(client: UsedClient, { project }: Served, answers: boolean[], can: Ability): Promise<void> {
  assert.ok((await client.names()).includes('run_skill'));
  assert.match(JSON.stringify(await client.call('search_skills', { query: 'note a line' })), /writer/);
  await beAsked(client, path.join(project, 'note.txt'), answers, can);
  const told: number[] = [];
  const done = await client.call(
    'run_skill',
    { skill: 'teller', action: 'x' },
    { onprogress: ({ progress }) => told.push(progress) },
  );
  assert.equal(done.state, 'success', JSON.stringify(done));
  assert.deepEqual(told, can.progress ? [0.1, 0.6, 0.9] : []);
  await giveUp(client, can);
}

async function beAsked(client: UsedClient, note: string, answers: boolean[], { asks }: Ability): Promise<void> {
  answers.push(false);
  const declined = await client.call('run_skill', WRITE);
  assert.ok(!existsSync(note));
  const { code } = Object(declined.error);
  assert.deepEqual([code, declined.state === 'interrupted'], asks ? ['APPROVAL_DENIED', false] : [undefined, true]);
  if (!asks) return;
  answers.splice(0, answers.length, true, true);
  const approved = await client.call('run_skill', WRITE);
  assert.equal(approved.state, 'success', JSON.stringify(approved));
  assert.ok(existsSync(note));
  rmSync(note);
}

async function giveUp(client: UsedClient, { cancel }: Ability): Promise<void> {
  const word = oddTime();
  const cancelling = new AbortController();
  const given = { skill: 'writer', script: 'scripts/wait.sh', args: [word] };
  const running = client.call('run_skill', given, { signal: cancelling.signal });
  running.catch(() => {});
  await sightOf(word);
  cancelling.abort();
  await assert.rejects(running);
  if (cancel) await endOf(word);
}
