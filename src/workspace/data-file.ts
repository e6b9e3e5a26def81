// Which files are nothing but data: no interpreter, module loader or tool runs them, or does what they say, by itself.
import path from 'node:path';

const DATA: ReadonlySet<string> = new Set([
  ...['.txt', '.md', '.csv', '.tsv', '.json', '.jsonl', '.ndjson', '.geojson', '.xml', '.log', '.srt', '.vtt', '.bib'],
  ...['.html', '.htm', '.css', '.svg', '.png', '.jpg', '.jpeg', '.gif', '.webp', '.ico', '.bmp', '.tif', '.tiff'],
  ...['.pdf', '.docx', '.xlsx', '.pptx', '.odt', '.ods', '.odp', '.epub', '.wav', '.mp3', '.mp4', '.webm', '.ogg'],
  ...['.db', '.sqlite', '.sqlite3', '.parquet', '.npy', '.dat', '.yaml', '.yml', '.ttf', '.otf', '.woff', '.woff2'],
]);

/** Settings by these names decide which code is loaded, or are obeyed by what starts in their folder. */
const SETTINGS =
  /^(?:package(?:-lock)?|npm-shrinkwrap|deno|jsr|[jt]sconfig.*|import[_-]?map|composer|.*\.config|skill)\.\w+$/;

/** By its name and mode: what is not known to be data is none. */
export function isDataFile(below: string, mode: number): boolean {
  const name = path.posix.basename(below).toLowerCase();
  if ((mode & 0o111) !== 0 || below.split('/').some((step) => CODE_FOLDERS.has(step))) return false;
  return DATA.has(path.posix.extname(name)) && !name.startsWith('.') && !SETTINGS.test(name);
}

const CODE_FOLDERS: ReadonlySet<string> = new Set(['node_modules', '.git', '.venv', '__pycache__']);
