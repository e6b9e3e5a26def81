// Two other readers of zip files, to compare ours with: yauzl in this process, Python's zipfile in one of its own.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { type Entry, fromBuffer, type ZipFile } from 'yauzl';

/** Name, size and sha256 of each file, in the order of the list; or why there are none. */
export type Reading = { readonly files: readonly (readonly [string, number, string])[] } | { readonly error: string };

export const hasPython = spawnSync('python3', ['--version']).status === 0;

export function describeFile(name: string, content: Buffer): readonly [string, number, string] {
  return [name, content.length, createHash('sha256').update(content).digest('hex')];
}

export async function readWithYauzl(zip: Buffer): Promise<Reading> {
  try {
    const opened = await open(zip);
    const files: (readonly [string, number, string])[] = [];
    for (const entry of await listEntries(opened)) {
      if (!entry.fileName.endsWith('/'))
        files.push(describeFile(entry.fileName, await buffer(await openEntry(opened, entry))));
    }
    return { files };
  } catch (error) {
    return { error: String(error) };
  }
}

function open(zip: Buffer): Promise<ZipFile> {
  const { promise, resolve, reject } = Promise.withResolvers<ZipFile>();
  fromBuffer(zip, { lazyEntries: true, autoClose: false }, (error, opened) =>
    error ? reject(error) : resolve(opened),
  );
  return promise;
}

function listEntries(opened: ZipFile): Promise<Entry[]> {
  const { promise, resolve, reject } = Promise.withResolvers<Entry[]>();
  const entries: Entry[] = [];
  opened.on('error', reject);
  opened.on('end', () => resolve(entries));
  opened.on('entry', (entry: Entry) => {
    entries.push(entry);
    opened.readEntry();
  });
  opened.readEntry();
  return promise;
}

function openEntry(opened: ZipFile, entry: Entry): Promise<Readable> {
  const { promise, resolve, reject } = Promise.withResolvers<Readable>();
  opened.openReadStream(entry, (error, stream) => (error ? reject(error) : resolve(stream)));
  return promise;
}

const SCRIPT = `import hashlib,io,json,struct,sys,zipfile
def read(data):
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as z:
            files=[(i.filename,z.read(i)) for i in z.infolist() if not i.is_dir()]
        return {'files':[[n,len(c),hashlib.sha256(c).hexdigest()] for n,c in files]}
    except Exception as e:
        return {'error':type(e).__name__+': '+str(e)}
while len(head:=sys.stdin.buffer.read(4))==4:
    print(json.dumps(read(sys.stdin.buffer.read(struct.unpack('<I',head)[0]))),flush=True)`;

/** One process for all of them: starting Python costs more than reading a hundred archives. */
export function startPython(t: TestContext): (zip: Buffer) => Promise<Reading> {
  const child: ChildProcess = spawn('python3', ['-c', SCRIPT], { stdio: ['pipe', 'pipe', 'inherit'] });
  t.after(() => child.stdin?.end());
  if (!child.stdout) throw new Error('no output');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return async (zip) => {
    const length = Buffer.alloc(4);
    length.writeUInt32LE(zip.length);
    child.stdin?.write(Buffer.concat([length, zip]));
    const { value = '{"error":"Python has ended"}' } = await lines.next();
    return JSON.parse(value) as Reading;
  };
}
