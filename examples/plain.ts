// An agent at the terminal: it says what it does, and asks before it does it.
//
//   node examples/plain.ts "what stands out in orders.csv"
//   node examples/plain.ts '@price-tag cake="Linzer torte" price=3.80'
//
// Who decides is the model of your settings; without settings it is the offline model, which needs no key.
import path from 'node:path';
import { createInterface } from 'node:readline';
import { type Ask, openSkillwright } from 'skillwright';

const request = process.argv[2] ?? 'what stands out in orders.csv';
const terminal = createInterface({ input: process.stdin });
const typed = terminal[Symbol.asyncIterator]();

/** A person decides. The model reads why not, and can try something else. */
const ask: Ask = async ({ text }) => {
  process.stderr.write(`${text}\n[y = yes, Enter = no, or say why not] `);
  const { value: line = '' } = await typed.next();
  return line === 'y' ? 'yes' : { no: line || 'not now' };
};

await using sw = await openSkillwright({ project: path.join(import.meta.dirname, 'bakery'), ask });
const run = sw.run(request);
for await (const event of run) {
  if (event.type === 'action') console.error(`> ${event.action}`);
  if (event.type === 'observation') console.error(`  ${event.summary}`);
}

const outcome = await run.outcome;
console.log(outcome.state === 'success' ? outcome.result.answer : outcome.summary);
for (const { kind, path: file } of outcome.changes?.applied ?? []) console.log(`${kind} ${file}`);
terminal.close();
