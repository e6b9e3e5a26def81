// Single-flight in PostgreSQL: one statement elects the leader, by the database clock; late writes fail the fencing token.
import { sha256 } from '../../base/ids.ts';
import { toFlightSeen } from '../read-row.ts';
import type { Claim, Flights, FlightWish } from '../store.ts';
import type { PgDatabase, PgRow } from './database.ts';
import type { PostgresSql } from './sql.ts';

/** After this long without a heartbeat, a leader has no processes left to end. */
const ABANDONED_MS = 3_600_000;
/** Cleaning with every claim would scan the whole table each time. */
const CLEAN_EVERY_MS = 1_000;

export function postgresFlights(database: PgDatabase, sql: PostgresSql): Flights {
  let cleaned = Number.NEGATIVE_INFINITY;
  const clean = async () => {
    cleaned = performance.now();
    await database.rows(sql.cleanFlights, [ABANDONED_MS]);
  };
  return {
    async claim(wish) {
      const claim = await claimUntilClear(database, sql, wish);
      if (claim.state === 'leading' && performance.now() - cleaned > CLEAN_EVERY_MS) await clean();
      return claim;
    },
    async renew({ key, fence }, leaseMs) {
      return (await database.rows(sql.renewFlight, [sha256(key), fence, Math.round(leaseMs)])).length > 0;
    },
    finish: ({ key, fence }, result, windowMs) =>
      database.attempt(async (session, isAgain) => {
        const values = [sha256(key), fence, result];
        if ((await session.rows(sql.finishFlight, [...values, Math.round(windowMs)])).length > 0) return true;
        return isAgain && (await session.rows(sql.isFinished, values)).length > 0;
      }),
    async look(keys) {
      const rows = await database.rows(sql.flightsOf, [keys.map((key) => sha256(key))]);
      return new Map(rows.map((row) => [String(row.key), toFlightSeen(row)]));
    },
    clean,
  };
}

/** The leader may finish between our failed claim and the lookup: then claim once more. */
function claimUntilClear(database: PgDatabase, sql: PostgresSql, wish: FlightWish): Promise<Claim> {
  const { key, payload, tag, leaseMs, fresh = false } = wish;
  const hash = sha256(key);
  return database.attempt(async (session, isAgain) => {
    for (;;) {
      const values = [hash, key, payload, tag, Math.round(leaseMs), fresh];
      const [led] = await session.rows(sql.claimFlight, values);
      if (led) return leading(led);
      const [known] = await session.rows(sql.flightsOf, [[hash]]);
      // The response was lost, not the lead.
      if (isAgain && known?.tag === tag && known.result === null) return leading(known);
      if (known) return known.payload === payload ? toFlightSeen(known) : { state: 'conflict' };
    }
  });
}

function leading({ fence, former }: PgRow): Claim {
  return { state: 'leading', fence: Number(fence), ...(typeof former === 'string' && { former }) };
}
