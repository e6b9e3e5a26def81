import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../test/support/support.ts';
import { findHiddenFiles, isHiddenFile } from './hidden-files.ts';

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

test('what a limit leaves unlooked at is hidden as a whole', (t) => {
  const project = temporaryFolder(t);
  for (const file of ['.env', 'a/open.txt', 'b/.env', 'b/c/.env']) write(project, file);
  const found = findHiddenFiles(project, 3).map((file) => path.relative(project, file));
  assert.deepEqual(found.sort(), ['.env', 'a', 'b']);
  assert.deepEqual(findHiddenFiles(path.join(project, 'nowhere')), []);
});

function write(project: string, file: string): void {
  mkdirSync(path.join(project, path.dirname(file)), { recursive: true });
  writeFileSync(path.join(project, file), 'x');
}
