// Where the state of this project lives, and whether it can be reached: part of `doctor`.
import { toFault } from '../base/errors.ts';
import { inLanguage, type Text } from '../base/language.ts';
import { isShared, postgresPlace } from '../open-store.ts';
import type { Runtime } from '../runtime.ts';
import { stateFile } from '../store/location.ts';
import type { PostgresState } from '../store/postgres.ts';
import type { Check } from './machine.ts';

/** Looks, and changes nothing. */
export async function checkStore(runtime: Runtime): Promise<Check> {
  const check = { name: 'store', needed: true };
  try {
    if (!isShared(runtime)) return { ...check, ok: true, detail: `SQLite: ${stateFile(runtime)}` };
    const { lookAtPostgres } = await import('../store/postgres.ts');
    return {
      ...check,
      ok: true,
      detail: inLanguage(describe(await lookAtPostgres(postgresPlace(runtime))), runtime.language),
    };
  } catch (error) {
    return { ...check, ok: false, detail: inLanguage(toFault(error).sentence, runtime.language) };
  }
}

function describe({ server, schema, serverVersion, version, latest }: PostgresState): Text {
  const where = `PostgreSQL ${serverVersion}, ${server}, ${schema}`;
  if (version === 0) return { en: `${where}: empty, made at first use`, zh: `${where}: 为空，首次使用时创建` };
  if (version < latest) {
    return {
      en: `${where}: version ${version}, brought to ${latest} at next use`,
      zh: `${where}: 版本 ${version}，下次使用时升级到 ${latest}`,
    };
  }
  if (version > latest) {
    return {
      en: `${where}: version ${version}, newer than ${latest} known here; update this machine`,
      zh: `${where}: 版本 ${version}，高于本机所知的 ${latest}；请更新本机`,
    };
  }
  return { en: `${where}: version ${version}`, zh: `${where}: 版本 ${version}` };
}
