// Archives, signatures and installations with single checks taken out of the source: what each of them keeps out.
import { type Change, changed } from './changed-source.ts';

type Archive = typeof import('../../../src/distribution/archive/archive.ts');
type ArchiveSource = typeof import('../../../src/distribution/source/archive.ts');
type Install = typeof import('../../../src/distribution/install.ts');
type Signature = typeof import('../../../src/distribution/sign/signature.ts');

const ARCHIVE = 'src/distribution/archive/archive.ts';
const FORMAT = 'src/distribution/archive/format.ts';
const INSTALL = 'src/distribution/install.ts';
const JUDGE = 'src/distribution/judge.ts';
const SIGNATURE = 'src/distribution/sign/signature.ts';

const ARCHIVE_CHECKS = {
  /** The end of the file and its list. */
  frame: [
    replace(
      FORMAT,
      'const end = zip.length - END_SIZE;',
      "const end = zip.lastIndexOf(Buffer.from('504b0506', 'hex'));",
    ),
    replace(FORMAT, 'checkFrame(zip, end, start + size);', ''),
    replace(FORMAT, 'if (central.readUInt16LE(at + 34) !== 0) throw', 'if (false) throw'),
    replace(FORMAT, 'if (at !== central.length) throw', 'if (false) throw'),
  ],
  /** What an entry may be. */
  exotic: [
    replace(FORMAT, 'function checkExtra(extra: Buffer): void {', 'function checkExtra(): void { return;'),
    replace(FORMAT, 'function checkPlain(header: Header): void {', 'function checkPlain(): void { return;'),
    replace(
      FORMAT,
      'if ((flags & FLAG_UTF8) === 0 && nameBytes',
      "return nameBytes.toString((flags & FLAG_UTF8) === 0 ? 'latin1' : 'utf8'); if (nameBytes",
    ),
  ],
  /** That both headers agree. */
  mismatch: [
    replace(FORMAT, 'compareHeaders(zip, at, header, zip.subarray(at + LOCAL_SIZE, nameEnd));', ''),
    replace(FORMAT, 'if (said.some((value', 'if (false && said.some((value'),
  ],
  name: [
    replace(ARCHIVE, 'segments: checkName(name)', "segments: name.split('/').filter((segment) => segment !== '')"),
  ],
  type: [replace(ARCHIVE, 'checkType(header, name);', ';')],
  collision: [replace(ARCHIVE, 'refuseCollisions(entries);', '')],
  overlap: [replace(ARCHIVE, 'checkTiling(zip, headers, start);', '')],
  limit: [
    replace(ARCHIVE, 'limits.entries)', 'Number.POSITIVE_INFINITY)'),
    replace(ARCHIVE, 'checkSizes(headers, limits);', ''),
  ],
  compiled: [replace(ARCHIVE, 'if (isCompiled(name)) throw', 'if (false) throw')],
  content: [
    replace(
      ARCHIVE,
      'const content = header.method',
      'return header.method === 0 ? Buffer.from(packed) : inflateRawSync(packed); const content = header.method',
    ),
  ],
} satisfies Record<string, Change[]>;

const INSTALL_CHECKS = {
  manifest: [replace(INSTALL, 'checkAgainstManifest(offer.manifest, offered, digest);', ';')],
  staged: [replace(INSTALL, 'checkStaged(staging.newFolder(staged), item.candidate.digest);', ';')],
  publisher: [replace(JUDGE, '    ...checkPublisher(candidate, locked, around, options),\n', '')],
  version: [replace(JUDGE, '    ...checkVersion(candidate, locked, around, options),\n', '')],
  findings: [replace(JUDGE, '    ...graveFindings(candidate, around),\n', '')],
} satisfies Record<string, Change[]>;

const SIGNATURE_CHECKS = {
  key: [replace(SIGNATURE, 'const key = keys.find(id);', 'return id; const key = keys.find(id);')],
  content: [replace(SIGNATURE, 'if (!isGenuine) throw', 'if (false) throw')],
  subject: [replace(SIGNATURE, 'requireSubject(file, pack);', '')],
} satisfies Record<string, Change[]>;

export type ArchiveCheck = keyof typeof ARCHIVE_CHECKS;

export async function archiveWithout(...checks: readonly ArchiveCheck[]): Promise<Archive['openArchive']> {
  return (await changed<Archive>(ARCHIVE, ...checks.flatMap((check) => ARCHIVE_CHECKS[check]))).openArchive;
}

export async function archiveSourceWithout(check: ArchiveCheck): Promise<ArchiveSource['openArchiveBytes']> {
  const file = 'src/distribution/source/archive.ts';
  return (await changed<ArchiveSource>(file, ...ARCHIVE_CHECKS[check])).openArchiveBytes;
}

export async function installWithout(check: keyof typeof INSTALL_CHECKS): Promise<Install['prepareInstall']> {
  return (await changed<Install>(INSTALL, ...INSTALL_CHECKS[check])).prepareInstall;
}

export async function signatureWithout(check: keyof typeof SIGNATURE_CHECKS): Promise<Signature['checkSignature']> {
  return (await changed<Signature>(SIGNATURE, ...SIGNATURE_CHECKS[check])).checkSignature;
}

function replace(file: string, from: string, to: string): Change {
  return { file, from, to };
}
