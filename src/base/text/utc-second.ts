// A moment as people read it in a table: to the second, in UTC.

/** `2026-11-18 09:00:00Z`, of an ISO time. */
export function utcSecond(iso: string): string {
  return `${iso.slice(0, 19).replace('T', ' ')}Z`;
}
