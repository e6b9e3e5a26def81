// Reads one settings file and says what is wrong with it, by line and column. Never throws for a bad file.
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { cannotBeRead, type Diagnostic, diagnose } from '../base/diagnostic.ts';
import type { Text } from '../base/language.ts';
import { isInside, realPath } from '../base/paths.ts';
import { errorCode, isNotFound } from '../base/read-file.ts';
import { type Position, readConfigText } from './position.ts';
import type { Settings } from './schema.ts';

export interface ConfigFile {
  readonly settings: Settings;
  readonly diagnostics: readonly Diagnostic[];
  /** What the settings were read from, null where no file is; absent where it could not be read or was not looked for. */
  readonly bytes?: Uint8Array | null;
  positionOf?(path: readonly PropertyKey[]): Position;
}

const SIZE_LIMIT = 1024 * 1024;

/** `mustStayIn`: the folder the file may not lead out of by a link. */
export async function readConfigFile(file: string, mustStayIn?: string): Promise<ConfigFile> {
  const others = findOtherFormats(file);
  const content = readContent(file, mustStayIn);
  if (content === undefined) return { settings: {}, diagnostics: others, bytes: null };
  if (!Buffer.isBuffer(content)) return { settings: {}, diagnostics: [...others, content] };
  const read = readConfigText(content.toString('utf8'));
  if ('message' in read) {
    const message = { en: `not valid JSON: ${read.message.en}`, zh: `不是有效的 JSON: ${read.message.zh}` };
    return { settings: {}, diagnostics: [...others, mistake(file, message, read.position)] };
  }
  const { checkSettings } = await import('./schema.ts');
  const checked = checkSettings(read.value);
  if ('settings' in checked) return { ...checked, diagnostics: others, bytes: content, positionOf: read.positionOf };
  const mistakes = checked.issues.map(({ path: at, message, fix }) => mistake(file, message, read.positionOf(at), fix));
  return { settings: {}, diagnostics: [...others, ...mistakes] };
}

function readContent(file: string, mustStayIn: string | undefined): Buffer | Diagnostic | undefined {
  try {
    const { size } = statSync(file);
    if (!statSync(file).isFile()) return mistake(file, { en: 'is not a plain file', zh: '不是普通文件' });
    if (size > SIZE_LIMIT) return mistake(file, { en: 'is larger than 1 MiB', zh: '超过 1 MiB' });
    if (mustStayIn !== undefined && !isInside(realPath(mustStayIn) ?? mustStayIn, realPath(file) ?? '/')) {
      return mistake(file, { en: 'is a link that leaves the project', zh: '是指向项目之外的链接' });
    }
    return readFileSync(file);
  } catch (error) {
    return isNotFound(error) ? undefined : mistake(file, cannotBeRead(errorCode(error)));
  }
}

function findOtherFormats(file: string): Diagnostic[] {
  const toml = path.join(path.dirname(file), 'config.toml');
  if (!existsSync(toml)) return [];
  const message = {
    en: 'settings are read as JSON only; this file has no effect',
    zh: '配置仅以 JSON 读取；此文件不起作用',
  };
  const fix = { en: 'write the settings to config.json', zh: '请将配置写入 config.json' };
  return [diagnose({ code: 'config-not-json', severity: 'warning', path: toml, message, fix })];
}

function mistake(file: string, message: Text, position?: Position, fix?: Text): Diagnostic {
  return diagnose({ code: 'config-invalid', severity: 'error', path: file, ...position, message, fix });
}
