// Everyday programs with a small real job each: what a skill would ask of them. Same output inside as outside.

export interface Job {
  readonly name: string;
  /** The program it is about; absent, the job is not run. */
  readonly program: string;
  /** The Debian package that brings it. */
  readonly apt: string;
  /** Bash, in an empty folder of its own; what it prints is compared. */
  readonly script: string;
}

const TABLE = 'printf "name,amount\\nann,3\\nbob,4\\nann,5\\n" >t.csv';
const NOTE = 'printf "# Title\\n\\nSome *text* and a list:\\n\\n- one\\n- two\\n" >note.md';
// A user without a name in /etc/passwd has no place for one by default.
const OFFICE = 'soffice -env:UserInstallation=file://$HOME/office --headless';
const PICTURE = 'montage -size 40x30 gradient:red-blue -geometry +0+0 p.png';
const PDF = `printf 'Hello page' >h.txt; python3 -c "
from PIL import Image
Image.new('RGB', (60, 40), 'white').save('a.pdf')"`;

const job = (name: string, program: string, apt: string, script: string): Job => ({ name, program, apt, script });
const python = (name: string, apt: string, code: string): Job =>
  job(name, 'python3', apt, `python3 - <<'END'\n${code}\nEND`);
const node = (name: string, code: string): Job => job(name, 'node', 'nodejs', `"$NODE" - <<'END'\n${code}\nEND`);

export const JOBS: readonly Job[] = [
  job(
    'git',
    'git',
    'git',
    'git init -q r && cd r && git config user.name a && git config user.email a@b.c && echo x >f && git add f && git commit -qm first --date=2020-01-01T00:00:00Z && git log --format=%s && git diff --stat HEAD && git fsck',
  ),
  job('jq', 'jq', 'jq', `echo '{"a":[1,2,{"b":3}]}' | jq -c '.a | map(numbers) | add'`),
  job('ripgrep', 'rg', 'ripgrep', 'mkdir d; echo needle >d/a; echo hay >d/b; rg -n needle d; rg -c hay d'),
  job('pandoc to HTML', 'pandoc', 'pandoc', `${NOTE}; pandoc note.md -t html`),
  job('pandoc to Word and back', 'pandoc', 'pandoc', `${NOTE}; pandoc note.md -o n.docx && pandoc n.docx -t plain`),
  job(
    'ffmpeg',
    'ffmpeg',
    'ffmpeg',
    'ffmpeg -loglevel error -f lavfi -i testsrc=d=1:s=64x48:r=5 -y o.mp4 && ffprobe -v error -show_entries stream=codec_name,width,nb_frames -of csv o.mp4',
  ),
  job('poppler', 'pdftotext', 'poppler-utils', `${PDF}; pdfinfo a.pdf | grep Pages; pdftoppm -png a.pdf p && ls`),
  job(
    'ImageMagick',
    // Other programs are called convert, too.
    'mogrify',
    'imagemagick',
    `${PICTURE} && mogrify -resize 50% -format jpg p.png && identify -format '%m %wx%h\\n' p.png p.jpg`,
  ),
  job(
    'LibreOffice sheet to CSV',
    'soffice',
    'libreoffice-calc-nogui',
    `${TABLE}; ${OFFICE} --convert-to ods t.csv >/dev/null 2>&1; ${OFFICE} --convert-to csv:"Text - txt - csv (StarCalc)" --outdir o t.ods >/dev/null 2>&1; cat o/t.csv`,
  ),
  job(
    'LibreOffice text to PDF',
    'soffice',
    'libreoffice-writer-nogui',
    `echo hello >h.txt; ${OFFICE} --convert-to pdf h.txt >/dev/null 2>&1; pdftotext h.pdf - | head -1`,
  ),
  job(
    'sqlite3',
    'sqlite3',
    'sqlite3',
    `sqlite3 d.db 'pragma journal_mode=wal; create table t(a); insert into t values(1),(2); select sum(a) from t'`,
  ),
  job(
    'curl without network',
    'curl',
    'curl',
    'echo local >f; curl -s "file://$PWD/f"; curl -V | head -1 | cut -d" " -f1',
  ),
  job(
    'make',
    'make',
    'make',
    `printf 'all: b\\n\\t@cat b\\nb: a\\n\\t@tr a-z A-Z <a >b\\n' >Makefile; echo made >a; make -s -j4`,
  ),
  job('gcc', 'gcc', 'gcc', `echo '#include <stdio.h>\nint main(){puts("compiled");}' >m.c; gcc -O2 m.c -o m && ./m`),
  job(
    'tar',
    'tar',
    'tar',
    'mkdir d; echo x >d/f; ln -s f d/l; tar czf d.tgz d && rm -r d && tar xzf d.tgz && ls d && cat d/l',
  ),
  job('zip and unzip', 'zip', 'zip', 'mkdir d; echo x >d/f; zip -qr d.zip d && rm -r d && unzip -q d.zip && cat d/f'),
  job(
    'qpdf',
    'qpdf',
    'qpdf',
    `${PDF}; qpdf a.pdf --pages a.pdf 1 a.pdf 1 -- b.pdf && qpdf --show-npages b.pdf && qpdf --check b.pdf | tail -1`,
  ),
  job(
    'find and xargs',
    'find',
    'findutils',
    'touch b a "c d"; find . -type f -print0 | sort -z | xargs -0 -n1 -P2 basename | sort',
  ),
  job(
    'sed, awk, sort, diff',
    'awk',
    'mawk',
    `${TABLE}; awk -F, 'NR>1{s[$1]+=$2}END{for(k in s)print k,s[k]}' t.csv | sort; sed 's/ann/eve/' t.csv >u.csv; diff t.csv u.csv; test $? = 1`,
  ),
  job('patch', 'patch', 'patch', `echo a >f; echo b >g; diff f g | patch -s f; cat f`),
  job(
    'openssl',
    'openssl',
    'openssl',
    'echo x | openssl dgst -sha256; openssl req -x509 -newkey rsa:2048 -nodes -keyout k -out c -subj /CN=t -days 1 2>/dev/null && openssl x509 -in c -noout -subject',
  ),
  job('gzip, bzip2, xz', 'xz', 'xz-utils', 'for z in gzip bzip2 xz; do seq 1000 | $z | $z -dc | md5sum; done'),
  job(
    'perl',
    'perl',
    'perl',
    `perl -MList::Util=sum -MFile::Temp=tempfile -e '($h)=tempfile; print $h "x"; print sum(1..10),"\\n"'`,
  ),
  job('bc and file', 'bc', 'bc', 'echo "2^70" | bc; echo "#!/bin/sh" >s; file -b s'),
  job('rsync', 'rsync', 'rsync', 'mkdir a; echo x >a/f; rsync -a a/ b/ && ls b'),
  job('xmllint', 'xmllint', 'libxml2-utils', `echo '<a><b>1</b></a>' >x.xml; xmllint --xpath 'string(//b)' x.xml`),
  job(
    'graphviz',
    'dot',
    'graphviz',
    `echo 'digraph{a->b}' | dot -Tplain; echo 'digraph{a->b}' | dot -Tpng -o g.png && file -b --mime-type g.png`,
  ),
  job(
    'ghostscript',
    'gs',
    'ghostscript',
    `${PDF}; gs -q -dNOPAUSE -dBATCH -sDEVICE=png16m -o o.png a.pdf && file -b --mime-type o.png`,
  ),
  job('tree and stat', 'tree', 'tree', 'mkdir -p a/b; echo x >a/b/f; tree a; stat -c %s a/b/f'),
  job(
    'shell: pipes, traps, here-documents, temporary files',
    'bash',
    'bash',
    `trap 'echo bye' EXIT; f=$(mktemp); cat >"$f" <<X\nin\nX\ncat "$f" | tee /dev/stderr 2>/dev/null >/dev/stdout; diff <(echo a) <(echo a) && echo same; sleep 0.1 & wait; echo done`,
  ),
  python(
    'numpy',
    'python3-numpy',
    'import numpy as np; a=np.arange(12.).reshape(3,4); print((a@a.T).sum(), np.linalg.det(np.eye(3)*2), np.fft.fft(a[0]).real)',
  ),
  python(
    'pandas',
    'python3-pandas',
    'import io, pandas as pd; d=pd.read_csv(io.StringIO("k,v\\na,1\\nb,2\\na,3\\n")); print(d.groupby("k").v.sum().to_json()); d.to_pickle("d.pkl"); print(len(pd.read_pickle("d.pkl")))',
  ),
  python(
    'matplotlib',
    'python3-matplotlib',
    'import matplotlib; matplotlib.use("Agg"); import matplotlib.pyplot as p; p.plot([1,3,2]); p.title("t"); p.savefig("f.png"); p.savefig("f.pdf"); import os; print(sorted(f for f in os.listdir(".") if f.startswith("f.")), open("f.png","rb").read(4))',
  ),
  python(
    'openpyxl',
    'python3-openpyxl',
    'import openpyxl as o; w=o.Workbook(); w.active["A1"]=42; w.save("w.xlsx"); print(o.load_workbook("w.xlsx").active["A1"].value)',
  ),
  python(
    'pypdf',
    'python3-pypdf',
    'from pypdf import PdfWriter, PdfReader; w=PdfWriter(); w.add_blank_page(72,72); w.add_blank_page(72,72); w.write("w.pdf"); print(len(PdfReader("w.pdf").pages))',
  ),
  python(
    'pillow',
    'python3-pil',
    'from PIL import Image, ImageDraw, ImageFilter; i=Image.new("RGB",(50,50),"red"); ImageDraw.Draw(i).line((0,0,49,49),fill="blue"); i=i.filter(ImageFilter.BLUR); i.save("i.webp"); print(Image.open("i.webp").size, i.getpixel((25,10)))',
  ),
  python(
    'multiprocessing',
    'python3',
    `
import multiprocessing as m, concurrent.futures as c
def square(x): return x * x
if __name__ == '__main__':
    with m.get_context('fork').Pool(4) as p: print(p.map(square, range(10)))
    q = m.get_context('fork').Queue(); q.put('queued'); print(q.get(timeout=10))
    v = m.get_context('fork').Value('i', 3); print(v.value)
    with c.ThreadPoolExecutor(8) as e: print(sum(e.map(square, range(100))))`,
  ),
  python(
    'subprocess, asyncio, tempfile, sqlite',
    'python3',
    `
import asyncio, sqlite3, subprocess, tempfile
print(subprocess.run(['sort'], input='b\\na\\n', text=True, capture_output=True).stdout)
async def run():
    p = await asyncio.create_subprocess_exec('echo', 'child', stdout=subprocess.PIPE)
    return (await p.communicate())[0]
print(asyncio.run(run()))
with tempfile.NamedTemporaryFile() as f: f.write(b'x'); f.flush(); print(open(f.name).read())
d = sqlite3.connect(':memory:'); print(d.execute('select 1+1').fetchone())`,
  ),
  python(
    'venv',
    'python3-venv',
    `import subprocess, sys; subprocess.run([sys.executable, '-m', 'venv', '--without-pip', 'v'], check=True); print(subprocess.run(['v/bin/python', '-c', 'import sys; print(sys.prefix != sys.base_prefix)'], capture_output=True, text=True).stdout)`,
  ),
  python(
    'reserved addresses',
    'python3',
    `# As Node 20 does for WebAssembly, and so for fetch.
import mmap; print(len(mmap.mmap(-1, 10 << 30, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=0)))`,
  ),
  node(
    'node worker threads',
    `const { Worker } = require('node:worker_threads');
const w = new Worker("require('node:worker_threads').parentPort.postMessage(6*7)", { eval: true });
w.on('message', (m) => console.log(m));`,
  ),
  node(
    'node wasm',
    `const bytes = Buffer.from('0061736d0100000001070160027f7f017f030201000707010361646400000a09010700200020016a0b', 'hex');
WebAssembly.instantiate(bytes).then(({ instance }) => console.log(instance.exports.add(2, 3)));`,
  ),
  node(
    'node child processes',
    `const { execFileSync, spawn, fork } = require('node:child_process');
console.log(execFileSync('sort', { input: 'b\\na\\n' }).toString());
require('node:fs').writeFileSync('c.js', "process.on('message', (m) => { process.send(m + 1); process.disconnect(); })");
const c = fork('./c.js'); c.on('message', (m) => console.log('forked', m)); c.send(1);
spawn('cat', { stdio: ['pipe', 'inherit', 'inherit'] }).stdin.end('piped\\n');`,
  ),
  node(
    'node crypto, zlib, streams, files',
    `const z = require('node:zlib'), c = require('node:crypto'), fs = require('node:fs');
console.log(c.createHash('sha256').update('x').digest('hex'), z.gunzipSync(z.gzipSync('zip')).toString());
fs.writeFileSync('a', 'x'.repeat(1e6)); fs.createReadStream('a').pipe(fs.createWriteStream('b')).on('finish', () => console.log(fs.statSync('b').size));
console.log(require('node:os').cpus().length > 0, c.generateKeyPairSync('ed25519').publicKey.asymmetricKeyType);`,
  ),
];
