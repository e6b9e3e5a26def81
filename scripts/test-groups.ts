// Unit tests of one room share a process: starting one and loading the sources costs more than most of them do.
import { writeFileSync } from 'node:fs';
import path from 'node:path';

/** The files to start instead: `folder` gets one for each room, all others stay as they are. */
export function groupByRoom(files: readonly string[], { root, folder }: { root: string; folder: string }): string[] {
  const groups = Map.groupBy(files, (file) => /^src\/(\w+)\//.exec(path.relative(root, file))?.[1]);
  const alone = groups.get(undefined) ?? [];
  groups.delete(undefined);
  return [...[...groups].map(([room, tests]) => writeGroup(path.join(folder, `${room}.test.ts`), tests)), ...alone];
}

function writeGroup(file: string, tests: readonly string[]): string {
  writeFileSync(file, tests.map((test) => `import ${JSON.stringify(test)};\n`).join(''));
  return file;
}
