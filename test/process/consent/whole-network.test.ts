// Where a sandbox cannot tell hosts apart, consented hosts do not count: a person is asked about the whole network.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { skillFiles } from '../../support/door-support.ts';
import { serveHttp } from '../../support/network/loopback.ts';
import { atTerminal } from '../../support/terminal.ts';
import { enterWorld } from '../../support/world/enter.ts';
import { worldWords } from '../../support/world/world.ts';

const REACH = `import sys, urllib.request
try: print(urllib.request.urlopen(sys.argv[1], timeout=60).read().decode().strip())
except Exception as error: sys.exit(str(error))
`;

const WORLD = { tier: 'S1' } as const;

test('consent at S1: the terminal asks for the whole network, and says what that includes; without a yes there is none, and why', async (t) => {
  const entered = enterWorld(
    t,
    WORLD,
    skillFiles('reach', 'name: reach\ndescription: Reaches.\ncommand: python3 reach.py $1', { 'reach.py': REACH }),
  );
  if (!entered) return;
  const server = await serveHttp(t, '127.0.0.2');
  const url = `http://127.0.0.2:${server.port}/`;
  const words = ['invoke', '@reach', url];
  const added = await entered.run(['grants', 'add', 'reach', '--host', `127.0.0.2:${server.port}`, '--tier', 'S1']);
  assert.equal(added.code, 0, added.stdout + added.stderr);

  const alone = JSON.parse((await entered.run([...words, '--yes', '--json'])).stdout);
  assert.equal(alone.state, 'error');
  assert.match(alone.data.hint, /Hosts do not count in sandbox S1: .*services of this machine included/);

  const home = path.join(path.dirname(entered.project), 'home');
  const at = { cwd: entered.project, home, through: worldWords(WORLD), columns: 200, type: 'y\n' };
  const refused = await atTerminal(words, { ...at, more: [['Enter = no', '\n']] });
  const asked = /only open the whole network, services of this machine included\.\s[\s\S]*Open the whole network\?/;
  assert.match(refused.shown, asked);
  assert.equal(refused.code, 1, refused.shown);
  assert.equal(server.requests.length, 0);
  const allowed = await atTerminal(words, { ...at, more: [['Enter = no', 'y\n']] });
  assert.equal(allowed.code, 0, allowed.shown);
  assert.equal(server.requests.length, 1);

  writeFileSync(path.join(home, '.agent/config.json'), JSON.stringify({ execution: { denied: ['network_request'] } }));
  const denied = await atTerminal(words, { ...at, more: [['Enter = no', 'y\n']] });
  assert.doesNotMatch(denied.shown, /Open the whole network\?/);
  assert.match(denied.shown, /Hosts do not count in sandbox S1/);
  assert.deepEqual([denied.code, server.requests.length], [1, 1], denied.shown);
});
