// A bare repository of our own in the private folder of a call: git obeys its settings, and none that it finds elsewhere.
import path from 'node:path';
import { makeFolder, writeNewFile } from '../../base/files.ts';

export interface OwnRepository {
  readonly folder: string;
  readonly format: 'sha1' | 'sha256';
  /** Names and objects. */
  readonly refs: ReadonlyMap<string, string>;
}

/** Nothing runs, nothing is fetched from elsewhere, nothing but the objects themselves is believed, and they are checked. */
const SETTINGS = `
[core]
	bare = true
	hooksPath = /dev/null
	fsmonitor = false
	attributesFile = /dev/null
	alternateRefsCommand = true
	commitGraph = false
	multiPackIndex = false
	logAllRefUpdates = false
[fetch]
	fsckObjects = true
	writeCommitGraph = false
	recurseSubmodules = false
[transfer]
	fsckObjects = true
	bundleURI = false
[protocol]
	allow = never
[protocol "file"]
	allow = always
[submodule]
	recurse = false
[gc]
	auto = 0
[maintenance]
	auto = false
[pack]
	threads = 1
[log]
	showSignature = false
	mailmap = false
[safe]
	directory = *
`;

export function makeRepository({ folder, format, refs }: OwnRepository): void {
  for (const below of ['objects/pack', 'objects/info', 'refs/heads']) makeFolder(path.join(folder, below));
  const version = format === 'sha1' ? 0 : 1;
  const extension = format === 'sha1' ? '' : `[extensions]\n\tobjectformat = ${format}\n`;
  writeNewFile(
    path.join(folder, 'config'),
    `[core]\n\trepositoryformatversion = ${version}\n${extension}${SETTINGS.trimStart()}`,
  );
  writeNewFile(path.join(folder, 'HEAD'), 'ref: refs/heads/none\n');
  const lines = [...refs].sort(([one], [other]) => (one < other ? -1 : 1)).map(([name, id]) => `${id} ${name}\n`);
  writeNewFile(path.join(folder, 'packed-refs'), `# pack-refs with: sorted \n${lines.join('')}`);
}
