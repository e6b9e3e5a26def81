// Programs from outside the system folders and devices: not there before, there by a grant, gone with it.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { accessSync, chmodSync, constants, existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Desk, openDesk } from '../../support/consent/desk.ts';
import { runCli, temporaryFolder } from '../../support/support.ts';

const LOOKS = `import os, shutil, subprocess, sys
def opened(node):
    try: os.close(os.open(node, os.O_RDWR)); return "opened"
    except OSError as error: return type(error).__name__
tool = shutil.which("greeter")
print("program", subprocess.run([tool, "you"], capture_output=True, text=True).stdout.strip() if tool else "none")
print("device", opened("/dev/kvm"))
open(os.path.join(os.environ["SKILL_OUTPUT_DIR"], "written"), "w").write("x")
open("in-project.txt", "w").write("x")
`;

const FILES = {
  '.agent/skills/looks/SKILL.md': '---\nname: looks\ndescription: Looks around.\n---\n# Looks\n',
  '.agent/skills/looks/scripts/look.py': LOOKS,
  '.agent/skills/other/SKILL.md': '---\nname: other\ndescription: Looks around.\n---\n# Other\n',
  '.agent/skills/other/scripts/look.py': LOOKS,
};

async function look(desk: Pick<Desk, 'sw'>, skill: string): Promise<Record<string, string>> {
  const { code, stdout, stderr } = await desk.sw(['exec', skill, 'scripts/look.py', '--yes']);
  assert.equal(code, 0, stdout + stderr);
  const found = Object.fromEntries(
    [...stdout.matchAll(/^(program|device) (.*)$/gm)].map(([, kind, what]) => [kind, what]),
  );
  assert.deepEqual(Object.keys(found), ['program', 'device'], stdout + stderr);
  return found;
}

test('consent, program: one from a folder of the user’s runs for that skill alone, until the grant is revoked', async (t) => {
  const desk = openDesk(t, FILES);
  const bin = path.join(desk.home, 'tools');
  mkdirSync(bin);
  const file = path.join(bin, 'greet.sh');
  writeFileSync(file, '#!/bin/sh\necho "hello $1"\n');
  chmodSync(file, 0o755);
  symlinkSync(file, path.join(bin, 'greeter'));
  assert.equal((await look(desk, 'looks')).program, 'none');
  const id = await desk.grant('looks', '--program', path.join(bin, 'greeter'));
  assert.equal((await look(desk, 'looks')).program, 'hello you');
  assert.equal((await look(desk, 'other')).program, 'none');
  const { data } = await desk.ask(['grants', 'list']);
  const [grant] = data.grants as { reach: { programs: { name: string }[] } }[];
  assert.equal(grant?.reach.programs[0]?.name, 'greeter');
  await desk.sw(['grants', 'revoke', id]);
  assert.equal((await look(desk, 'looks')).program, 'none');
});

/** A device of this name that everybody may open, for one process: a mount of its own over the machine's. */
const OPEN_NODE = `mount -t tmpfs -o dev,mode=755 none "$0" && mknod -m 666 "$0/kvm" c 1 5 && mount --bind "$0/kvm" /dev/kvm && exec "$@"`;

/** As root through that mount; others need a device that they may open already. */
function deviceHere(t: TestContext): string[] | undefined {
  if (!existsSync('/dev/kvm')) return void t.skip('this machine has no /dev/kvm');
  if (process.geteuid?.() === 0) {
    const through = ['/usr/bin/unshare', '-m', '/bin/sh', '-c', OPEN_NODE, temporaryFolder(t)];
    const [program = '', ...words] = [...through, '/bin/true'];
    return spawnSync(program, words).status === 0 ? through : void t.skip('no mounts of our own here');
  }
  try {
    accessSync('/dev/kvm', constants.R_OK | constants.W_OK);
    return [];
  } catch {
    return void t.skip('we may not open /dev/kvm');
  }
}

test('consent, device: /dev/kvm opens for that skill alone, until the grant is revoked', async (t) => {
  const through = deviceHere(t);
  if (!through) return;
  const { project: cwd, home } = openDesk(t, FILES);
  const sw = (words: readonly string[]) => runCli(words, { cwd, home, ...(through.length > 0 && { through }) });
  const device = async (skill: string) => (await look({ sw }, skill)).device;
  assert.notEqual(await device('looks'), 'opened');
  const added = await sw(['grants', 'add', 'looks', '--device', 'kvm', '--tier', 'S1', '--json']);
  assert.equal(added.code, 0, added.stdout);
  assert.equal(await device('looks'), 'opened');
  assert.notEqual(await device('other'), 'opened');
  await sw(['grants', 'revoke', JSON.parse(added.stdout).data.id]);
  assert.notEqual(await device('looks'), 'opened');
});

test('consent, device: what calls of this user could not open is refused when it is granted', async (t) => {
  if (!existsSync('/dev/kvm')) return t.skip('this machine has no /dev/kvm');
  const mode = statSync('/dev/kvm').mode & 0o006;
  if (process.geteuid?.() !== 0 || mode === 0o006) return t.skip('everybody may open /dev/kvm, or we are not root');
  const desk = openDesk(t, FILES);
  const { code, summary } = await desk.ask(['grants', 'add', 'looks', '--device', 'kvm']);
  assert.equal(code, 2);
  assert.match(summary, /calls may not open \/dev\/kvm/);
});
