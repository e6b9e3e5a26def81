// Attempts to make a file tool read what is no file: what is opened before it is looked at can hold the program for ever.
import { once } from 'node:events';
import { createServer } from 'node:net';
import path from 'node:path';
import type { GuardAttempts } from './attempt.ts';
import type { Stage } from './stage.ts';

export const ON_FILES: GuardAttempts = { 'read-before-look': { threat: 32, getsThrough: readBeforeLook } };

/** A socket stands in for a pipe or a device: who opens it unseen gets an error at once, and does not wait for ever. */
async function readBeforeLook(stage: Stage): Promise<boolean> {
  // Short names: the path of a socket may not be long.
  const project = stage.project('look', { plain: 'a' });
  const [plain = '', special = ''] = ['plain', 's'].map((name) => path.join(project.folder, name));
  await project.must('edit', 'replace', plain, 'a', 'b', '--dry-run');
  const server = createServer().listen(special);
  await once(server, 'listening');
  try {
    const { data } = await project.ask('edit', 'replace', special, 'a', 'b');
    return data.type !== 'PathBlocked';
  } finally {
    server.close();
  }
}
