// Single-flight in SQLite: each claim is one transaction; late writes of a former leader fail the fencing token.
import { toFlightSeen } from '../read-row.ts';
import type { Claim, Flights, FlightWish } from '../store.ts';
import { machineTicks, type Ticks } from '../ticks.ts';
import type { Database, Row } from './database.ts';
import { SQL } from './sql.ts';

/** No lease, window or script lasts this long; a longer one dates from before a restart. */
const ABANDONED_MS = 3_600_000;
/** Cleaning with every claim would scan the whole table each time. */
const CLEAN_EVERY_MS = 1_000;

export interface FlightOptions {
  readonly ticks?: Ticks;
}

export function sqliteFlights(database: Database, { ticks = machineTicks }: FlightOptions = {}): Flights {
  let cleaned = Number.NEGATIVE_INFINITY;
  const looked = rememberedLook(database);
  const clean = () => {
    const now = ticks.now();
    cleaned = now;
    looked.forget();
    database.runNamed(SQL.cleanFlights, { epoch: ticks.epoch, now, abandoned: now - ABANDONED_MS });
  };
  return {
    claim: (wish) =>
      database.transaction(() => {
        looked.forget();
        const claim = claimInside(database, wish, ticks);
        if (claim.state === 'leading' && ticks.now() - cleaned > CLEAN_EVERY_MS) clean();
        return claim;
      }),
    renew({ fence }, leaseMs) {
      const until = ticks.now() + leaseMs;
      looked.forget();
      return database.rowsNamed(SQL.renewFlight, { fence, epoch: ticks.epoch, until }).length > 0;
    },
    finish({ fence }, result, windowMs) {
      const until = ticks.now() + windowMs;
      looked.forget();
      return database.rowsNamed(SQL.finishFlight, { fence, epoch: ticks.epoch, result, until }).length > 0;
    },
    look: (keys) =>
      new Map(looked.rows(keys).flatMap((row) => (isAlive(row, ticks) ? [[String(row.key), toFlightSeen(row)]] : []))),
    clean,
  };
}

/** A crowd that waits asks for the same keys again and again: they are read anew only after somebody has written. */
function rememberedLook(database: Database): { rows(keys: readonly string[]): readonly Row[]; forget(): void } {
  let last: { readonly asked: string; readonly version: unknown; readonly rows: readonly Row[] } | undefined;
  return {
    rows(keys) {
      const asked = JSON.stringify(keys);
      // Changes with each commit of another connection; those of our own make us forget.
      const version = database.rows(SQL.dataVersion)[0]?.data_version;
      if (last?.asked !== asked || last.version !== version)
        last = { asked, version, rows: database.rows(SQL.flightsOf, asked) };
      return last.rows;
    },
    forget: () => {
      last = undefined;
    },
  };
}

function claimInside(database: Database, wish: FlightWish, ticks: Ticks): Claim {
  const [row] = database.rows(SQL.flightOf, wish.key);
  const known = row && isAlive(row, ticks) ? row : undefined;
  if (known && !(wish.fresh && known.result !== null)) {
    return known.payload === wish.payload ? toFlightSeen(known) : { state: 'conflict' };
  }
  const { key, payload, tag } = wish;
  const until = ticks.now() + wish.leaseMs;
  const [claimed] = database.rowsNamed(SQL.claimFlight, { key, payload, tag, epoch: ticks.epoch, until });
  const isSilent = row !== undefined && row.result === null && row.epoch === ticks.epoch;
  return { state: 'leading', fence: Number(claimed?.fence), ...(isSilent && { former: String(row.tag) }) };
}

/** A leader within its lease, or a result within its window. */
export function isAlive(row: Row, ticks: Ticks): boolean {
  const left = Number(row.until) - ticks.now();
  return row.epoch === ticks.epoch && left > 0 && left <= ABANDONED_MS;
}
