// Where tables come from and where reports go: the only place that touches files.
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { decodeCsv, parseCsv } from './csv.mjs';
import { SkillError } from './define-skill.mjs';
import { makeTable } from './table.mjs';

const MAX_BYTES = 32 * 1024 * 1024;
const EXTENSION = /\.(?:csv|tsv)$/i;
const REFUSED = new Set(['EACCES', 'EPERM', 'EROFS']);

/** The table of a file; without a name, of the only CSV file in the working folder. */
export function readTable(file = onlyFile()) {
  const bytes = readBytes(file);
  const { text, encoding } = decodeCsv(bytes);
  const { rows, delimiter } = parseCsv(text);
  const table = makeTable(path.basename(file), rows);
  if (table.rows === 0) throw new SkillError('DATA_NOT_FOUND', `${file} has no rows`, { source: file });
  return { ...table, encoding, delimiter };
}

const ENDINGS = { markdown: /\.(?:md|markdown)$/i, html: /\.html?$/i };

/** Where a report goes: the file that was asked for, or one of the usual name in a folder. */
export function chooseOutput(asked, base, format) {
  const usual = { folder: asked ?? outputFolder(), base, ending: format === 'html' ? '.html' : '.md' };
  const stats = asked === undefined ? undefined : statsOf(asked);
  if (asked === undefined || stats?.isDirectory()) return usual;
  const { dir, name, ext } = path.parse(asked);
  if (ENDINGS[format].test(asked)) return { folder: dir || '.', base: name, ending: ext };
  if (!stats && !Object.values(ENDINGS).some((ending) => ending.test(asked))) return usual;
  throw new SkillError(
    'INVALID_PARAM',
    `output is no ${format} file: ${asked}; name a folder, or a file that ends in ${usual.ending}`,
    { param: 'output' },
  );
}

function statsOf(file) {
  try {
    return statSync(file);
  } catch {
    // Writing to it says what is wrong.
    return undefined;
  }
}

/** The folder the host chose, as seen from the working folder; the usual one without a host. */
function outputFolder() {
  const inside = path.relative('.', process.env.SKILL_OUTPUT_DIR || path.join('mybox', 'output'));
  return inside.startsWith('..') ? path.resolve(inside) : inside;
}

/** The path as it was asked for, so that the caller recognises it. */
export function writeOutput(folder, name, text) {
  const file = path.join(folder, name);
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, text);
    return file;
  } catch (error) {
    throw (
      refuse(error, folder) ??
      new SkillError('INVALID_PARAM', `output cannot be written to: ${folder} (${error.code})`, { param: 'output' })
    );
  }
}

function onlyFile() {
  const files = readdirSync('.')
    .filter((name) => EXTENSION.test(name))
    .sort();
  if (files.length === 1) return files[0];
  if (files.length === 0) throw new SkillError('DATA_NOT_FOUND', 'there is no CSV file in the working folder');
  throw new SkillError('MISSING_PARAM', `Missing required parameters: [target]; found ${files.join(', ')}`, {
    missing: ['target'],
    found: files,
  });
}

function readBytes(file) {
  try {
    const { size } = statSync(file);
    if (size > MAX_BYTES) throw new SkillError('INVALID_PARAM', `${file} is larger than ${MAX_BYTES} bytes`, { size });
    return readFileSync(file);
  } catch (error) {
    if (error instanceof SkillError) throw error;
    throw (
      refuse(error, file) ??
      new SkillError('DATA_NOT_FOUND', `${file} cannot be read (${error.code})`, { source: file })
    );
  }
}

function refuse(error, where) {
  if (!REFUSED.has(error.code)) return undefined;
  return new SkillError('PERMISSION_DENIED', `no permission for ${where}`, { path: where, reason: error.code });
}
