// Attempts on what is installed: a signer that nobody is, an old version that says nothing, a server that points elsewhere.
import path from 'node:path';
import { readLock, rewriteLock } from '../../distribution/lock.ts';
import type { GuardAttempts } from './attempt.ts';
import { listen } from './listen.ts';
import { type Project, plantFiles, type Stage, wasDone } from './stage.ts';

export const ON_INSTALLS: GuardAttempts = {
  'claimed-signer': { threat: 59, getsThrough: claimedSigner },
  'silent-downgrade': { threat: 59, getsThrough: silentDowngrade },
  'git-redirect': { threat: 63, getsThrough: gitRedirect },
};

/** Whoever writes into the project can name any signer in its lock. */
async function claimedSigner(stage: Stage): Promise<boolean> {
  const project = stage.project('claimed-signer');
  await project.must('install', writeSource(stage, 'claimed'), '--yes');
  const lockFile = path.join(project.folder, '.agent', 'skills.lock.json');
  const { skills } = readLock(lockFile);
  rewriteLock(
    lockFile,
    skills.map((skill) => ({ ...skill, signer: 'anybody' })),
  );
  await project.must('verify', '--strict');
  return wasDone(await project.ask('verify', '--signed', '--strict'), 'CheckFailed');
}

/** An old pack of the same publisher comes back, because it says nothing about its version. */
async function silentDowngrade(stage: Stage): Promise<boolean> {
  const project = stage.project('silent-downgrade');
  await project.must('keys', 'generate', 'publisher');
  const old = await signPack(stage, project, 'old.zip', '');
  const latest = await signPack(stage, project, 'new.zip', 'version: 2.0.0\n');
  await project.must('install', latest, '--yes');
  return wasDone(await project.ask('install', old, '--yes'), 'PermissionDenied');
}

async function signPack(stage: Stage, project: Project, name: string, fields: string): Promise<string> {
  const pack = path.join(stage.folder, name);
  await project.must('pack', writeSource(stage, 'versioned', fields), '--output', pack);
  await project.must('sign', pack, '--key', 'publisher');
  return pack;
}

function writeSource(stage: Stage, name: string, fields = ''): string {
  const folder = path.join(stage.folder, 'source', name);
  const text = `---\nname: ${name}\ndescription: Does ${name}. Use for ${name}.\n${fields}---\n# ${name}\n`;
  plantFiles(folder, { 'SKILL.md': text });
  return folder;
}

/** The server that was named sends git to one that was not. */
async function gitRedirect(stage: Stage): Promise<boolean> {
  const project = stage.project('git-redirect');
  await using inner = await listen(() => undefined);
  await using outer = await listen((url) => `${inner.origin}${url}`);
  await project.ask('install', `git+${outer.origin}/named.git`, '--yes');
  if (outer.arrived.length === 0) throw new Error('git did not ask the server that was named');
  return inner.arrived.length > 0;
}
