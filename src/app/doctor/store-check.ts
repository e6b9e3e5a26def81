// Where the state of this project lives, whether it can be reached, and whether all that share it are well: part of `doctor`.
import { existsSync } from 'node:fs';
import { toFault } from '../../base/errors.ts';
import { inLanguage, type Text } from '../../base/language.ts';
import type { Data } from '../../base/outcome.ts';
import { visible } from '../../base/text.ts';
import { isAlive } from '../../jobs/able.ts';
import { stateFile } from '../../store/location.ts';
import type { PostgresView, UseView } from '../../store/postgres/status.ts';
import { isShared, postgresPlace } from '../open-store.ts';
import type { Runtime } from '../runtime.ts';
import type { MachineCheck } from './machine.ts';

interface StoreReport {
  readonly checks: readonly MachineCheck[];
  /** For programs. */
  readonly facts: Data;
  /** False while nothing was ever kept: looking further would make it. */
  readonly hasState: boolean;
}

const OLDEST_MAJOR = 13;
/** What one `start` holds at most. */
const CONNECTIONS = 5;
const CLOCK_MS = 2_000;
const OVERDUE_MS = 60_000;

/** Looks, and changes nothing. */
export async function checkStore(runtime: Runtime): Promise<StoreReport> {
  const file = stateFile(runtime);
  try {
    if (!isShared(runtime)) {
      const check = { name: 'store', ok: true, needed: true, detail: `SQLite: ${file}` };
      return { checks: [check], facts: { engine: 'sqlite', file }, hasState: existsSync(file) };
    }
    const { lookAtPostgres } = await import('../../store/postgres/status.ts');
    const view = await lookAtPostgres(postgresPlace(runtime));
    const checks = judge(view).map(({ said, ...check }) => ({ ...check, detail: inLanguage(said, runtime.language) }));
    return { checks, facts: describe(view), hasState: view.version > 0 };
  } catch (error) {
    const detail = inLanguage(toFault(error).sentence, runtime.language);
    const engine = isShared(runtime) ? 'postgres' : 'sqlite';
    return {
      checks: [{ name: 'store', ok: false, needed: true, detail }],
      facts: { engine, reachable: false },
      hasState: false,
    };
  }
}

interface Judged extends Omit<MachineCheck, 'detail'> {
  readonly said: Text;
}

function judge(view: PostgresView): Judged[] {
  const { use } = view;
  return [
    judgeServer(view),
    judgeClock(view),
    judgeConnections(view),
    ...(use ? [judgeWorkers(use), ...judgeName(view, use)] : []),
  ];
}

function judgeServer({
  server,
  schema,
  serverVersion,
  major,
  version,
  latest,
  mayCreate,
  user,
  latencyMs,
}: PostgresView) {
  const where = `PostgreSQL ${serverVersion}, ${server}, ${schema}, ${latencyMs} ms`;
  const known = { name: 'store', needed: true };
  const say = ({ en, zh }: Text): Text => ({ en: `${where}: ${en}`, zh: `${where}: ${zh}` });
  if (major < OLDEST_MAJOR)
    return { ...known, ok: false, said: say({ en: 'version 13 or later is needed', zh: '需要 13 或更高版本' }) };
  if (version === 0 && !mayCreate) {
    const who = visible(user);
    const said = say({
      en: `empty, and ${who} may not create schemas: GRANT CREATE ON DATABASE … TO ${who}`,
      zh: `为空，且 ${who} 无权创建 schema: GRANT CREATE ON DATABASE … TO ${who}`,
    });
    return { ...known, ok: false, said };
  }
  if (version === 0)
    return { ...known, ok: true, said: say({ en: 'empty, made at first use', zh: '为空，首次使用时创建' }) };
  if (version < latest) {
    const said = say({
      en: `version ${version}, brought to ${latest} at next use`,
      zh: `版本 ${version}，下次使用时升级到 ${latest}`,
    });
    return { ...known, ok: true, said };
  }
  if (version > latest) {
    const said = say({
      en: `version ${version}, newer than ${latest} known here; update this machine`,
      zh: `版本 ${version}，高于本机所知的 ${latest}；请更新本机`,
    });
    return { ...known, ok: true, said };
  }
  return { ...known, ok: true, said: say({ en: `version ${version}`, zh: `版本 ${version}` }) };
}

function judgeClock({ clock: { aheadMs, uncertainMs } }: PostgresView): Judged {
  const ok = Math.abs(aheadMs) - uncertainMs <= CLOCK_MS;
  const about = `${Math.abs(aheadMs)} ms (± ${uncertainMs})`;
  const by =
    aheadMs < 0
      ? { en: `the database is behind this machine by ${about}`, zh: `数据库时钟比本机慢 ${about}` }
      : { en: `the database is before this machine by ${about}`, zh: `数据库时钟比本机快 ${about}` };
  const advice = ok
    ? { en: '', zh: '' }
    : {
        en: '; schedules planned here are off by that much: set the clock',
        zh: '；本机计划的时间将偏差同样多: 请校准时钟',
      };
  return { name: 'store clock', ok, needed: false, said: { en: by.en + advice.en, zh: by.zh + advice.zh } };
}

function judgeConnections({ connections: { left, limit } }: PostgresView): Judged {
  const said = {
    en: `${left} of ${limit} left; each \`start\` holds up to ${CONNECTIONS}`,
    zh: `剩余 ${left} / ${limit}；每个 \`start\` 最多占用 ${CONNECTIONS} 个`,
  };
  return { name: 'store connections', ok: left >= CONNECTIONS, needed: true, said };
}

/** Who takes jobs; nobody is wrong only while something waits. */
function judgeWorkers({ workers, now, oldestDueMs, paused }: UseView): Judged {
  const alive = workers.filter((worker) => isAlive(worker, now));
  const silent = workers.filter((worker) => !isAlive(worker, now));
  const hosts = (some: typeof workers) => visible([...new Set(some.map(({ host }) => host))].join(', '));
  const where = (some: typeof workers) => (some.length === 0 ? '' : ` (${hosts(some)})`);
  const seconds = Math.round(oldestDueMs / 1000);
  const due =
    oldestDueMs > 0
      ? { en: `; the oldest due job waits ${seconds} s`, zh: `；最早到期的任务已等待 ${seconds} 秒` }
      : NOTHING;
  const halted = paused ? { en: '; the queue is paused', zh: '；队列已暂停' } : NOTHING;
  const isMissing = alive.length === 0 && oldestDueMs > 0;
  const missing = isMissing ? { en: ': skillwright start', zh: ': skillwright start' } : NOTHING;
  const count = {
    en: `${alive.length} alive${where(alive)}, ${silent.length} silent${where(silent)}`,
    zh: `${alive.length} 个在线${where(alive)}，${silent.length} 个无响应${where(silent)}`,
  };
  const said = { en: count.en + due.en + halted.en + missing.en, zh: count.zh + due.zh + halted.zh + missing.zh };
  return { name: 'workers', ok: !isMissing && (paused || oldestDueMs < OVERDUE_MS), needed: false, said };
}

const NOTHING: Text = { en: '', zh: '' };

function judgeName({ schema }: PostgresView, { namesakes }: UseView): Judged[] {
  if (namesakes.length === 0) return [];
  const list = visible(namesakes.join(', '));
  const said = {
    en: `${schema} is also used by ${list} on this machine, which shares jobs and results: set store.name in one of them`,
    zh: `本机的 ${list} 也使用 ${schema}，任务与结果会混在一起: 请在其中之一设置 store.name`,
  };
  return [{ name: 'store name', ok: false, needed: false, said }];
}

function describe({ use, clock, connections, ...view }: PostgresView): Data {
  return {
    engine: 'postgres',
    reachable: true,
    server: view.server,
    schema: view.schema,
    server_version: view.serverVersion,
    version: view.version,
    latest: view.latest,
    may_create: view.mayCreate,
    latency_ms: view.latencyMs,
    clock_ahead_ms: clock.aheadMs,
    clock_uncertain_ms: clock.uncertainMs,
    connections: { ...connections, needed: CONNECTIONS },
    ...(use && {
      workers_alive: use.workers.filter((worker) => isAlive(worker, use.now)).map(({ id }) => id),
      workers_silent: use.workers.filter((worker) => !isAlive(worker, use.now)).map(({ id }) => id),
      oldest_due_ms: use.oldestDueMs,
      paused: use.paused,
      same_name: use.namesakes,
    }),
  };
}
