// Settings of installed programs below /etc: there for a call as for everybody, and nothing that holds a secret.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { isInside } from '../../../src/base/paths.ts';
import { skillFiles } from '../../support/door-support.ts';
import { enterWorld, execIn, worldsHere } from '../../support/world/enter.ts';

const LOOK = `for file in "$@"; do
  if [ -d "$file" ]; then ls "$file" >/dev/null 2>&1; else cat "$file" >/dev/null 2>&1; fi && echo "$file"
done; true
`;

const FILES = skillFiles('look', 'name: look\ndescription: Looks.', {
  'scripts/look.sh': LOOK,
  'scripts/who.sh': 'touch mine && ls -l mine | cut -d " " -f 3,4; id -un; id -gn\n',
});

/** What matplotlib, LibreOffice, fontconfig, OpenSSL, Java, Ghostscript, ImageMagick and Debian's Python do not work without. */
const NEEDED = [
  ...['/etc/matplotlibrc', '/etc/libreoffice/sofficerc', '/etc/libreoffice/registry/main.xcd', '/etc/fonts/fonts.conf'],
  ...['/etc/fonts/conf.d', '/etc/ssl/openssl.cnf', '/etc/ssl/certs/ca-certificates.crt', '/etc/alternatives'],
  ...['/etc/java-17-openjdk/security/java.security', '/etc/ImageMagick-6/policy.xml'],
  ...['/etc/localtime', '/etc/mime.types', '/etc/magic', '/etc/ld.so.cache', '/etc/services', '/var/cache/fontconfig'],
];

const SECRET = [
  ...['/etc/shadow', '/etc/gshadow', '/etc/ssl/private', '/etc/ssh', '/etc/gitconfig', '/etc/pip.conf', '/etc/npmrc'],
  ...['/etc/machine-id', '/etc/hostname', '/etc/fstab', '/etc/sudoers', '/etc/environment', '/etc/chromium.d/apikeys'],
  ...['/etc/postgresql', '/etc/redis', '/etc/maven', '/etc/wgetrc', '/etc/resolv.conf', '/var/log', '/var/lib/dpkg'],
];

for (const world of worldsHere()) {
  test(`${world.title}: settings of programs can be read, keys, accounts and addresses cannot`, async (t) => {
    const place = enterWorld(t, world, FILES);
    if (!place) return;
    const [there, closed] = [NEEDED, SECRET].map((list) => list.filter((file) => existsSync(file))) as [
      string[],
      string[],
    ];
    assert.ok(there.length > 3 && closed.length > 3);
    const links = linksOfAlternatives();
    const said = await execIn(place, world, ['look', 'scripts/look.sh', ...there, ...closed, ...links]);
    assert.deepEqual(said.trim().split('\n'), [...there, ...links]);
  });
}

for (const world of worldsHere().filter(({ tier }) => tier !== 'S1')) {
  test(`${world.title}: programs find a name for their user and for their group`, async (t) => {
    const place = enterWorld(t, world, FILES);
    if (place) assert.equal(await execIn(place, world, ['look', 'scripts/who.sh']), 'skill skill\nskill\nskill\n');
  });
}

/** Programs that are found through /etc/alternatives, and can be read by everybody. */
function linksOfAlternatives(): string[] {
  const folder = '/etc/alternatives';
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const links = names.filter((name) => !name.includes('.')).map((name) => path.join(folder, name));
  const found = links.filter((link) => existsSync(link) && isInside('/usr/bin', realpathSync(link)));
  return found.slice(0, 50);
}
