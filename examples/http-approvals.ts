// An agent behind HTTP. What needs a yes is saved, not held in memory: it can be answered tomorrow, and after a restart.
//
//   TOKEN=secret node examples/http-approvals.ts &
//   say() { curl -s -N -H 'authorization: Bearer secret' localhost:8040/"$@"; }
//   say runs -d 'use @price-tag cake=Cheesecake price=4.20'     events, one a line, as they happen
//   say questions                                               what waits for a person
//   say questions/ID -d yes                                     decides, and goes on
//   say runs/RUN/apply -d ''                                    takes its files over into the project
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { Fault, openSkillwright } from 'skillwright';

// Without `ask`: whatever needs a decision ends its run as `interrupted`, with a question that is on disk.
const sw = await openSkillwright({ project: path.join(import.meta.dirname, 'bakery') });

// Whoever can send a request decides what runs: nothing is answered without it.
const token = process.env.TOKEN;
if (!token) throw new Error('TOKEN says which secret a request has to bring');

const server = createServer(async (request, response) => {
  try {
    if (request.headers.authorization !== `Bearer ${token}`) return send(response, 401, { error: 'bring the token' });
    await answer(request, response);
  } catch (error) {
    // A Fault is a mistake of whoever asked, such as a run that does not exist, and says so.
    if (error instanceof Fault) send(response, 400, { error: error.message });
    else send(response, 500, { error: 'failed' });
  }
});
server.listen(Number(process.env.PORT ?? 8040), '127.0.0.1', () => console.log(JSON.stringify(server.address())));
process.once('SIGTERM', () => server.close(() => void sw.close()));

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [what, id = '', then] = new URL(request.url ?? '/', 'http://localhost').pathname.slice(1).split('/');
  const route = [request.method, what, id && ':id', then].filter(Boolean).join(' ');
  switch (route) {
    case 'POST runs':
      return await stream(await text(request), response);
    case 'POST runs :id apply':
      return send(response, 200, await sw.runs.apply(id));
    case 'GET questions':
      return send(response, 200, await sw.questions());
    case 'POST questions :id': {
      const decision = await text(request);
      return send(response, 200, await sw.answer(id, decision === 'yes' ? 'yes' : { no: decision }));
    }
    default:
      return send(response, 404, { error: `there is no ${request.method} ${request.url}` });
  }
}

/** Whoever hangs up ends the run, with every process it has started. */
async function stream(wish: string, response: ServerResponse): Promise<void> {
  const hungUp = new AbortController();
  response.on('close', () => hungUp.abort());
  const run = sw.run(wish, { signal: hungUp.signal });
  response.writeHead(200, { 'content-type': 'application/x-ndjson' });
  for await (const event of run) response.write(`${JSON.stringify(event)}\n`);
  response.end();
}

function send(response: ServerResponse, status: number, value: unknown): void {
  if (response.headersSent) return void response.end();
  response.writeHead(status, { 'content-type': 'application/json' }).end(`${JSON.stringify(value)}\n`);
}
