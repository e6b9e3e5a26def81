// Servers by their address that lead elsewhere, never end, or play with what keeps a conversation together; each ends in
// time, and no token goes anywhere but to the address that the settings name.
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { type Answering, addressed, butForCalls, honest, honestly } from '../../support/mcp/addressed.ts';
import { CONTROL, hostWorld, observed, useOnce } from '../../support/mcp/host.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const STREAM = { 'content-type': 'text/event-stream' };
const TOKEN = 'secret-token-of-mine';

/** A call of the tool of a server that answers so; the run ends well, whatever it did. */
async function called(t: TestContext, answering: Answering, seconds = 15): Promise<string> {
  const world = hostWorld(t);
  const url = await addressed(t, answering);
  world.settle({ odd: { url, token_env: 'MY_TOKEN', timeout_seconds: seconds } });
  const ran = await useOnce(world, { env: { MY_TOKEN: TOKEN } });
  assert.equal(ran.outcome.state, 'success', ran.stdout);
  const said = observed(ran);
  assert.doesNotMatch(said, CONTROL);
  assert.doesNotMatch(ran.stdout + ran.stderr + ran.prompts.join('\n'), new RegExp(TOKEN));
  assert.ok(said.length < 1_400_000);
  return said;
}

function floods(response: ServerResponse, part: string | Buffer): void {
  const more = () => {
    while (!response.destroyed && response.write(part));
    response.once('drain', more);
  };
  more();
}

function event(message: object): string {
  return `data: ${JSON.stringify(message)}\n\n`;
}

const FAILED = /ExternalServiceError[^\n]*odd/;
const ENDED = /ExternalServiceError|Timeout/;

test('threat 87 control: an honest server by its address is served, in one piece, as a stream, and compressed', async (t) => {
  assert.match(await called(t, honest, 50), /echo: hi/);
  const streaming = butForCalls((_, response, asked) =>
    response.writeHead(200, STREAM).end(event(honestly(asked) ?? {})),
  );
  assert.match(await called(t, streaming, 50), /echo: hi/);
  const compressed = butForCalls((_, response, asked) =>
    response
      .writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' })
      .end(gzipSync(JSON.stringify(honestly(asked)))),
  );
  assert.match(await called(t, compressed, 50), /echo: hi/);
});

for (const status of [301, 302, 303, 307, 308])
  test(`threat 87 blocked: a redirect (${status}) leads nowhere, and takes no token along`, async (t) => {
    let reached = 0;
    const elsewhere = await addressed(t, (_, response) => {
      reached += 1;
      response.end();
    });
    const said = await called(t, (_, response) => response.writeHead(status, { location: elsewhere }).end());
    assert.match(said, FAILED);
    assert.equal(reached, 0);
  });

test('threat 87 blocked: who is not let in is told so, and asks nobody else for a token', async (t) => {
  let reached = 0;
  const elsewhere = await addressed(t, (_, response) => {
    reached += 1;
    response.end('{}');
  });
  const tokens = new Set<unknown>();
  const said = await called(t, (request, response) => {
    tokens.add(request.headers.authorization);
    const challenge = `Bearer resource_metadata="${elsewhere}", scope="all"`;
    response.writeHead(401, { 'www-authenticate': challenge }).end();
  });
  assert.match(said, FAILED);
  assert.deepEqual([...tokens], [`Bearer ${TOKEN}`]);
  assert.equal(reached, 0);
});

const ENDLESS: Readonly<Record<string, Answering>> = {
  'an answer without end': (_, response) => floods(response.writeHead(200, JSON_TYPE), 'x'.repeat(1 << 20)),
  'a stream without end': (_, response) => floods(response.writeHead(200, STREAM), `: ${'x'.repeat(1 << 20)}\n`),
  'an event without end': (_, response) => floods(response.writeHead(200, STREAM), `data: ${'x'.repeat(1 << 20)}`),
  'an answer that grows when it is unpacked': (_, response) =>
    response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(300 << 20, 32))),
  'an error without end': (_, response) =>
    floods(response.writeHead(500, { 'content-type': 'text/plain' }), 'x'.repeat(1 << 20)),
};

for (const [what, answering] of Object.entries(ENDLESS))
  test(`threat 87 blocked: ${what} is cut`, async (t) => {
    const began = performance.now();
    assert.match(await called(t, butForCalls(answering)), ENDED);
    assert.ok(performance.now() - began < 60_000);
  });

const SLOW: Readonly<Record<string, Answering>> = {
  'never answers': () => {},
  'never ends its answer': (_, response) => void response.writeHead(200, JSON_TYPE).write('{"jsonrpc":'),
  'sends a byte now and then': (_, response) => {
    response.writeHead(200, STREAM);
    const dripping = setInterval(() => response.write(':\n\n'), 50);
    response.once('close', () => clearInterval(dripping));
  },
  'ends its stream again and again': (_, response) => void response.writeHead(200, STREAM).end('id: 1\nretry: 1\n\n'),
};

for (const [what, answering] of Object.entries(SLOW))
  test(`threat 87 blocked: one that ${what} ends in time`, async (t) => {
    const began = performance.now();
    assert.match(await called(t, butForCalls(answering), 3), ENDED);
    assert.match(await called(t, answering, 3), ENDED);
    assert.ok(performance.now() - began < 120_000);
  });

const WRONG: Readonly<Record<string, Answering>> = {
  'a page': (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>\u001b[31mHello</h1>'),
  'no type': (_, response, asked) => response.writeHead(200).end(JSON.stringify(honestly(asked))),
  'no message': (_, response) => response.writeHead(200, JSON_TYPE).end('{"hello":"\\u001b[31m"}'),
  'half a message': (_, response) => response.writeHead(200, JSON_TYPE).end('{"jsonrpc":"2.0","id"'),
  'an error with codes': (_, response) => response.writeHead(500).end('\u001b[2J\u202eit broke'),
  'another id': (_, response, asked) => {
    response.writeHead(200, JSON_TYPE).end(JSON.stringify({ ...honestly(asked), id: 987 }));
  },
};

for (const [what, answering] of Object.entries(WRONG))
  test(`threat 87 blocked: ${what} instead of an answer fails the call`, async (t) => {
    assert.match(await called(t, butForCalls(answering), 3), ENDED);
  });

test('threat 87 blocked and control: a session has the name that a header can hold, and one that is gone ends the call', async (t) => {
  const seen: unknown[] = [];
  const named = (name: string): Answering => {
    return (request, response, asked) => {
      seen.push(request.headers['mcp-session-id']);
      if (asked.method === 'initialize') response.setHeader('mcp-session-id', name);
      honest(request, response, asked);
    };
  };
  assert.match(await called(t, named('a-session'), 50), /echo: hi/);
  assert.ok(seen.includes('a-session'));
  assert.match(await called(t, named('x'.repeat(12_000)), 5), /ExternalServiceError|Timeout|echo: hi/);
  const gone = butForCalls((_, response) => response.writeHead(404).end());
  assert.match(await called(t, gone), FAILED);
});

test('threat 87 blocked: a stream that nobody asked for is not read for ever', async (t) => {
  let bytes = 0;
  const said = await called(
    t,
    (request, response, asked) => {
      if (request.method !== 'GET') return honest(request, response, asked);
      response.writeHead(200, STREAM);
      const part = `: ${'x'.repeat(1 << 20)}\n`;
      const more = () => {
        while (!response.destroyed && response.write(part)) bytes += part.length;
        response.once('drain', more);
      };
      more();
    },
    50,
  );
  assert.match(said, /echo: hi|ExternalServiceError/);
  assert.ok(bytes < 400 << 20, String(bytes));
});
