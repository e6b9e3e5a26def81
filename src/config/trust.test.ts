import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Change, changed } from '../../test/support/changed/changed-source.ts';
import { temporaryFolder } from '../../test/support/support.ts';
import { Fault } from '../base/errors.ts';
import { loadConfig } from './config.ts';
import { isTrusted, revokeTrust, trustedFiles, trustProject } from './trust.ts';

function makeProject(t: TestContext): { project: string; home: string; write(name: string, text: string): void } {
  const folder = temporaryFolder(t);
  const [project, home] = [path.join(folder, 'project'), path.join(folder, 'home')];
  mkdirSync(home);
  const write = (name: string, text: string): void => {
    mkdirSync(path.dirname(path.join(project, name)), { recursive: true });
    writeFileSync(path.join(project, name), text);
  };
  write('.agent/config.json', '{}');
  write('agents/writer/agent.yaml', 'name: writer\n');
  return { project, home, write };
}

test('trust is given, seen through a link, and revoked', (t) => {
  const { project, home } = makeProject(t);
  assert.equal(isTrusted(project, home), false);
  trustProject(project, home, 0);
  assert.equal(isTrusted(project, home), true);
  const link = path.join(path.dirname(project), 'link');
  symlinkSync(project, link);
  assert.equal(isTrusted(link, home), true);
  assert.equal(revokeTrust(link, home), true);
  assert.equal(isTrusted(project, home), false);
  assert.equal(revokeTrust(project, home), false);
});

test('any change of settings or roles voids it, and going back restores it', (t) => {
  const { project, home, write } = makeProject(t);
  trustProject(project, home, 0);
  const changes: [string, () => void, () => void][] = [
    ['settings', () => write('.agent/config.json', '{ }'), () => write('.agent/config.json', '{}')],
    ['no settings', () => rmSync(path.join(project, '.agent/config.json')), () => write('.agent/config.json', '{}')],
    [
      'role',
      () => write('agents/writer/agent.yaml', 'name: x\n'),
      () => write('agents/writer/agent.yaml', 'name: writer\n'),
    ],
    [
      'new role',
      () => write('agents/b/agent.yaml', ''),
      () => rmSync(path.join(project, 'agents/b'), { recursive: true }),
    ],
    [
      'nested',
      () => write('agents/writer/a/agent.yaml', ''),
      () => rmSync(path.join(project, 'agents/writer/a'), { recursive: true }),
    ],
    [
      'capitals',
      () => write('agents/c/Agent.YML', ''),
      () => rmSync(path.join(project, 'agents/c'), { recursive: true }),
    ],
    [
      'linked role',
      () => symlinkSync('writer', path.join(project, 'agents/linked')),
      () => rmSync(path.join(project, 'agents/linked')),
    ],
    [
      'renamed role',
      () => renameSync(path.join(project, 'agents/writer'), path.join(project, 'agents/w')),
      () => renameSync(path.join(project, 'agents/w'), path.join(project, 'agents/writer')),
    ],
  ];
  for (const [name, change, restore] of changes) {
    change();
    assert.equal(isTrusted(project, home), false, name);
    restore();
    assert.equal(isTrusted(project, home), true, `${name} restored`);
  }
  write('agents/writer/notes.md', 'free to change');
  assert.equal(isTrusted(project, home), true);
});

test('text moved from one file to the next is a change', (t) => {
  const { project, home, write } = makeProject(t);
  write('agents/a/agent.yaml', 'xy');
  write('agents/b/agent.yaml', 'z');
  trustProject(project, home, 0);
  write('agents/a/agent.yaml', 'x');
  write('agents/b/agent.yaml', 'yz');
  assert.equal(isTrusted(project, home), false);
});

test('a copy of a trusted project elsewhere is not trusted', (t) => {
  const { project, home } = makeProject(t);
  trustProject(project, home, 0);
  const copy = path.join(path.dirname(project), 'copy');
  cpSync(project, copy, { recursive: true });
  assert.equal(isTrusted(copy, home), false);
});

test('threat 62 blocked: trust, caches and grants planted in a project change nothing', async (t) => {
  const { project, home, write } = makeProject(t);
  write('.agent/config.json', '{ "security": { "block_angle_brackets_in_frontmatter": false } }');
  plantTrust(project);
  assert.equal(isTrusted(project, home), false);
  const loaded = await loadConfig({ project, home });
  assert.equal(loaded.isTrusted(), false);
  assert.equal(loaded.config.security.blockAngleBracketsInFrontmatter, true);
});

test('threat 62 control: the same files count where home is', (t) => {
  const { project } = makeProject(t);
  plantTrust(project);
  assert.equal(isTrusted(project, project), true);
});

/** What an attacker can do who knows where the victim will put the clone. */
function plantTrust(project: string): void {
  trustProject(project, project, 0);
}

test('a damaged or foreign record is no trust', (t) => {
  const { project, home } = makeProject(t);
  const other = path.join(path.dirname(project), 'other');
  cpSync(project, other, { recursive: true });
  const folder = path.join(home, '.agent/trust');
  trustProject(other, home, 0);
  const [foreign = ''] = readdirSync(folder);
  const foreignRecord = readFileSync(path.join(folder, foreign), 'utf8');
  trustProject(project, home, 0);
  for (const text of [foreignRecord, '', '[]', 'null', '{"fingerprint":1}', '{']) {
    cpSync(folder, `${folder}.kept`, { recursive: true });
    for (const file of readdirSync(folder)) writeFileSync(path.join(folder, file), text);
    assert.equal(isTrusted(project, home), false, text);
    rmSync(folder, { recursive: true });
    renameSync(`${folder}.kept`, folder);
  }
  assert.equal(isTrusted(project, home), true);
});

test('circles of links and very large trees end, and what cannot be checked cannot be trusted', (t) => {
  const { project, home, write } = makeProject(t);
  symlinkSync('..', path.join(project, 'agents/writer/up'));
  trustProject(project, home, 0);
  assert.equal(isTrusted(project, home), true);
  const more = ['up2', 'up3', 'up4', 'up5', 'up6'];
  for (const name of more) symlinkSync('..', path.join(project, 'agents/writer', name));
  assert.throws(() => trustProject(project, home, 0), Fault);
  assert.equal(isTrusted(project, home), false);
  for (const name of ['up', ...more]) rmSync(path.join(project, 'agents/writer', name));
  write('agents/writer/agent.yaml', ' '.repeat(1024 * 1024 + 1));
  assert.throws(() => trustProject(project, home, 0), Fault);
});

test('what is trusted can be shown to the person who is asked', (t) => {
  const { project, write } = makeProject(t);
  write('agents/writer/node_modules/x/agent.yaml', '');
  assert.deepEqual(trustedFiles(project), ['.agent/config.json', 'agents/writer/agent.yaml']);
});

/** Somebody renames files: hostile settings are read, and trusted ones lie there when the trust is looked up. */
async function alternate(t: TestContext, ...changes: Change[]): Promise<string> {
  const { project, home, write } = makeProject(t);
  trustProject(project, home, 0);
  write('.agent/config.json', JSON.stringify({ output_folder: 'hostile' }));
  const read = 'const { user, own } = await readLayers(places);';
  const pause = { file: 'src/config/config.ts', from: read, to: `${read} process.emit('settings-read' as 'exit', 0);` };
  const onRead = () => write('.agent/config.json', '{}');
  process.once('settings-read', onRead);
  t.after(() => process.removeListener('settings-read', onRead));
  const { loadConfig: load } = await changed<typeof import('./config.ts')>('src/config/config.ts', pause, ...changes);
  const { config } = await load({ project, home });
  assert.equal(readFileSync(path.join(project, '.agent/config.json'), 'utf8'), '{}', 'it was changed meanwhile');
  return path.relative(project, config.outputFolder);
}

test('alternating settings blocked: the bytes that are used are the bytes that were trusted', async (t) => {
  assert.equal(await alternate(t), 'mybox/output');
});

test('alternating settings control: looked up by a second reading, hostile settings count as trusted', async (t) => {
  const again = {
    file: 'src/config/config.ts',
    from: 'isTrusted(project, home, own.bytes)',
    to: 'isTrusted(project, home)',
  };
  assert.equal(await alternate(t, again), 'hostile');
});
