// What this machine has of the things skills and we ourselves need.
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { inLanguage, type Text } from '../../base/language.ts';
import { REMOTE_PROVIDERS } from '../../model/provider/providers.ts';
import type { Runtime } from '../runtime.ts';

export interface MachineCheck {
  readonly name: string;
  readonly ok: boolean;
  /** Without it nothing works; the others only some skills need. */
  readonly needed: boolean;
  readonly detail: string;
}

export function checkMachine(runtime: Runtime): MachineCheck[] {
  const { home, env, isTrusted, project, language } = runtime;
  const trusted = isTrusted();
  const say = (text: Text) => inLanguage(text, language);
  const program = (name: string, file: string, purpose: Text): MachineCheck => {
    const found = findProgram(file, env.PATH);
    const absent = { en: `not found on PATH; ${purpose.en}`, zh: `PATH 中未找到；${purpose.zh}` };
    return { name, ok: found !== undefined, needed: false, detail: found ?? say(absent) };
  };
  const trust = trusted
    ? { en: 'is trusted', zh: '已受信任' }
    : { en: 'is not trusted (`skillwright trust`)', zh: '未受信任（`skillwright trust`）' };
  return [
    { name: 'node', ok: true, needed: true, detail: process.version },
    { name: 'home', ok: isWritable(home), needed: true, detail: path.join(home, '.agent') },
    program('git', 'git', { en: 'needed to install from a repository', zh: '从仓库安装时需要' }),
    program('python', 'python3', { en: 'needed for Python skills', zh: 'Python 技能需要' }),
    checkModel(runtime),
    { name: 'trust', ok: trusted, needed: false, detail: `${project} ${say(trust)}` },
  ];
}

/** Which model decides in `run`, and whether its key is there. */
function checkModel({ config, env, language }: Runtime): MachineCheck {
  const { provider, name = '', keyEnv = REMOTE_PROVIDERS.find((one) => one.name === provider)?.keyEnv } = config.model;
  const check = { name: 'model', needed: false };
  if (provider === 'offline') return { ...check, ok: true, detail: inLanguage(OFFLINE, language) };
  const chosen = name === '' ? provider : `${provider}:${name}`;
  if (keyEnv === undefined || env[keyEnv]?.trim()) return { ...check, ok: true, detail: chosen };
  const missing = { en: `${chosen}; its key ${keyEnv} is not set`, zh: `${chosen}；密钥 ${keyEnv} 未设置` };
  return { ...check, ok: false, detail: inLanguage(missing, language) };
}

const OFFLINE: Text = {
  en: 'offline, the built-in one; set model.provider and model.name in ~/.agent/config.json for another',
  zh: '离线（内置）；如需其他模型，请在 ~/.agent/config.json 中设置 model.provider 与 model.name',
};

function findProgram(name: string, searchPath = ''): string | undefined {
  const candidates = searchPath.split(path.delimiter).filter(path.isAbsolute);
  return candidates.map((folder) => path.join(folder, name)).find((file) => isAccessible(file, constants.X_OK));
}

/** Whether our state can be written, without writing anything. */
function isWritable(home: string): boolean {
  const state = path.join(home, '.agent');
  const folder = existsSync(state) ? state : home;
  return isAccessible(folder, constants.W_OK) && statSync(folder).isDirectory();
}

function isAccessible(file: string, mode: number): boolean {
  try {
    accessSync(file, mode);
    return true;
  } catch {
    return false;
  }
}
