// An archive type for one file in plain text, its name in the first line: imported by changed source only.
import { checkName } from '../../../src/distribution/archive/name.ts';
import type { ArchiveType } from '../../../src/distribution/archive/type.ts';

const MARK = 'SCROLL ';

export const scrollArchive: ArchiveType = {
  suffixes: ['.scroll'],
  recognises: (bytes) => bytes.toString('latin1', 0, MARK.length) === MARK,
  open(bytes) {
    const end = bytes.indexOf('\n');
    const name = bytes.toString('utf8', MARK.length, end);
    const content = bytes.subarray(end + 1);
    return [{ name, segments: checkName(name), executable: false, size: content.length, read: () => content }];
  },
};
