// A server and a browser in one sandbox: they talk over its loopback, and the browser reaches nothing outside but what was consented.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { findPlace } from '../../../src/process/sandbox/linux/cgroup-place.ts';
import { openOutside, tryInside } from '../../support/network/outside.ts';
import { missing, openLevel, trimmed } from '../../support/world/sandbox-support.ts';

const CHROMIUM = '/usr/bin/chromium';
const PYTHON = '/usr/bin/python3';
const BROWSE = `cd "$HOME" && mkdir www && echo '<p>inner page</p>' > www/index.html
${PYTHON} -m http.server --directory www --bind 127.0.0.1 8123 >/dev/null 2>&1 &
for try in 1 2 3 4 5 6 7 8 9 10; do (exec 3<>/dev/tcp/127.0.0.1/8123) 2>/dev/null && break; sleep 0.3; done
for url in http://127.0.0.1:8123/ "$@"; do
  echo "== $url"
  ${CHROMIUM} --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --user-data-dir="$HOME/chromium" --dump-dom "$url" 2>/dev/null
done
`;

for (const level of ['S3', 'S2'] as const) {
  test(`threat 77 blocked: ${level}: a browser finds the server beside it, and of the machine only what was consented`, async (t) => {
    const place = await openLevel(t, level);
    if (!place) return;
    if (!existsSync(CHROMIUM) || !existsSync(PYTHON))
      return missing(t, 'not run: chromium or python3 is not installed');
    // It reserves more addresses than a process may have where they stand for its memory.
    if (findPlace()?.memory === undefined) return t.skip('no cgroup can be made here');
    const outside = await openOutside(t);
    const urls = [
      `http://good.test:${outside.port}/`,
      `http://127.0.0.3:${outside.port}/`,
      `http://evil.test:${outside.port}/`,
    ];
    const argv = () => ['/bin/bash', '-c', BROWSE, 'bash', ...urls];
    const { lines, ended, attempts } = await tryInside(place, outside, { argv, rules: outside.rules() });
    const [, inner = '', good = '', ...refused] = lines.join('\n').split(/^== .*$/m);
    assert.match(inner, /inner page/, lines.join('\n') + trimmed(ended.stderr));
    assert.match(good, /page/, lines.join('\n'));
    assert.equal(refused.length, 2);
    for (const page of refused) assert.doesNotMatch(page, />page</);
    assert.deepEqual(
      outside.secret.flatMap(({ requests }) => requests),
      [],
    );
    const named = attempts.filter(({ verdict }) => verdict === 'refused').map(({ host }) => host);
    // Whatever begins with 127 it looks for beside itself, without the proxy.
    assert.ok(named.includes('evil.test'), named.join());
  });
}
