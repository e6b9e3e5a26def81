import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { temporaryFolder } from '../../test/support/support.ts';
import { findHiddenFiles, isHiddenFile, isHiddenIn } from './hidden-files.ts';

/** A change that is younger could be followed by one at the same time. */
const SETTLE_MS = 2_200;

const HIDDEN = [
  '.env',
  '.env.local',
  'deep/er/.envrc',
  'server.pem',
  'certs/a.key',
  'id_rsa',
  'keys/id_ed25519',
  '.npmrc',
  '.netrc',
  '.git-credentials',
  '.git/config',
  '.git/worktrees/side/config.worktree',
  'mirrors/lib.git/config',
  'prod.env',
  'settings/secrets.yml',
  'secrets.yaml',
  'secrets.json',
  'terraform.tfstate',
  'infra/prod.tfstate.backup',
  'infra/prod.tfvars',
  'infra/prod.auto.tfvars.json',
  '.cargo/credentials',
  '.cargo/credentials.toml',
  '.dockercfg',
  '.my.cnf',
  '.pgpass',
  'vendor/lib/.git/config',
  '.ssh/known_hosts',
  '.docker/config.json',
  '.agent/state.db',
  '.agent/runs/x/events.jsonl',
  '.agent/config.json',
];

const OPEN = [
  'README.md',
  'src/environment.ts',
  'keyboard.ts',
  'config',
  'settings/secrets.ts',
  'src/git/config',
  'secrets/README.md',
  'infra/main.tf',
  'infra/prod.tfvars.example',
  'infra/.terraform.lock.hcl',
  '.cargo/config.toml',
  'my.cnf',
  'mirrors/lib.git/HEAD',
  'docs/key/notes.md',
  'src/credentials/form.ts',
  '.git/HEAD',
  '.git/hooks/pre-commit',
  '.docker/Dockerfile',
  '.agent/skills/a/SKILL.md',
  '.agent/evals/a.json',
  'examples/.agent/skills/a/SKILL.md',
  '.github/workflows/ci.yml',
];

test('secrets and records are hidden, code is not', () => {
  for (const file of HIDDEN) assert.ok(isHiddenFile(file), file);
  for (const file of OPEN) assert.ok(!isHiddenFile(file), file);
});

test('another spelling of a hidden name is hidden too', () => {
  for (const file of [
    '.ENV',
    '.Env.Local',
    '.ſsh/id',
    '.SSH/x',
    'ID_RSA',
    './.env',
    'a//.env',
    '.env.',
    '.env ',
    '.AGENT/State.db',
  ])
    assert.ok(isHiddenFile(file), file);
});

test('what is looked for in a project is what is judged by name', (t) => {
  const project = temporaryFolder(t);
  const beside = ['node_modules/.env', '.venv/.netrc'];
  for (const file of [...HIDDEN, ...OPEN, ...beside, 'node_modules/x/.env', '.git/objects/.env']) write(project, file);
  symlinkSync('.', path.join(project, 'loop'));
  const found = findHiddenFiles(project).map((file) => path.relative(project, file));
  for (const file of [...HIDDEN, ...beside])
    assert.ok(
      found.some((entry) => file === entry || file.startsWith(`${entry}/`)),
      file,
    );
  for (const file of OPEN) assert.ok(!found.some((entry) => file === entry || file.startsWith(`${entry}/`)), file);
  assert.ok(!found.some((entry) => entry.startsWith('node_modules/x') || entry.startsWith('loop')));
});

test('samples of settings are open, and what only may be a key is told by its content', (t) => {
  const project = temporaryFolder(t);
  for (const file of ['.env.example', '.env.local.sample', '.ENV.Template']) assert.ok(!isHiddenFile(file), file);
  for (const file of ['.env.examples', '.env.template.bak', 'sample.env']) assert.ok(isHiddenFile(file), file);
  write(project, 'word.key');
  write(project, 'text.key', 'some plain words\n');
  write(project, 'folder.pem/inside.txt');
  mkdirSync(path.join(project, 'id_rsa'));
  symlinkSync('text.key', path.join(project, 'linked.key'));
  symlinkSync('nowhere', path.join(project, 'dangling.key'));
  const hidden = ['dangling.key', 'folder.pem', 'id_rsa', 'word.key'];
  assert.deepEqual(names(project, findHiddenFiles(project)), hidden);
  for (const file of ['text.key', 'linked.key']) assert.ok(isHiddenFile(file) && !isHiddenIn(project, file), file);
  for (const file of [...hidden, 'missing.key', 'folder.pem/inside.txt']) assert.ok(isHiddenIn(project, file), file);
});

test('a project with more than can be looked through is refused; what is left out is hidden as it is', (t) => {
  const project = temporaryFolder(t);
  for (const file of ['.env', 'a/open.txt', 'b/.env', 'b/c/.env']) write(project, file);
  assert.throws(() => findHiddenFiles(project, { mostEntries: 6 }), { type: 'LIMIT_PROJECT_FILES' });
  assert.deepEqual(names(project, findHiddenFiles(project, { mostEntries: 7 })), ['.env', 'b/.env', 'b/c/.env']);
  assert.deepEqual(names(project, findHiddenFiles(project, { mostEntries: 4, leaveOut: ['b'] })), ['.env', 'b']);
  assert.deepEqual(findHiddenFiles(path.join(project, 'nowhere')), []);
});

test('what is remembered is not read again, and every change since is found', async (t) => {
  const project = temporaryFolder(t);
  const memory = path.join(temporaryFolder(t), 'deep', 'hidden.json');
  for (const file of ['a/open.txt', 'b/.env', '__proto__/x/open.txt', 'k/text.key'])
    write(project, file, 'a few words');
  const look = () => names(project, findHiddenFiles(project, { memory }));
  assert.deepEqual(look(), ['b/.env']);
  await sleep(SETTLE_MS);
  assert.deepEqual(look(), ['b/.env']);
  const remembered = readFileSync(memory, 'utf8');
  writeFileSync(memory, remembered.replace('".env"', '".env","told.txt"'));
  assert.deepEqual(look(), ['b/.env', 'b/told.txt'], 'b is not read');
  writeFileSync(memory, remembered);
  write(project, '__proto__/x/.env');
  write(project, 'a/new/er/.netrc');
  write(project, 'k/text.key', '-----BEGIN PRIVATE KEY-----');
  renameSync(path.join(project, 'b'), path.join(project, 'c'));
  const changed = ['__proto__/x/.env', 'a/new/er/.netrc', 'c/.env', 'k/text.key'];
  assert.deepEqual(look(), changed);
  await sleep(SETTLE_MS);
  assert.deepEqual([look(), look()], [changed, changed]);
  writeFileSync(memory, '{"rules":"other","root":{}}');
  assert.deepEqual(look(), changed);
});

function names(project: string, files: readonly string[]): string[] {
  return files.map((file) => path.relative(project, file)).sort();
}

function write(project: string, file: string, text = 'x'): void {
  mkdirSync(path.join(project, path.dirname(file)), { recursive: true });
  writeFileSync(path.join(project, file), text);
}
