// Needs as `--json` carries them, the same for every command that shows them.
import type { Data } from '../../base/outcome.ts';
import type { JudgedNeed } from './state.ts';

/** A host with the port that is not 443: `host:8080`. */
export function needName({ name, port, kind }: Pick<JudgedNeed, 'name' | 'port' | 'kind'>): string {
  if (kind === 'home') return name === '' ? '~' : `~/${name}`;
  return port === undefined ? name : `${name}:${port}`;
}

export function describeNeed(need: JudgedNeed): Data {
  const { kind, sure, places, state, command, package: brought } = need;
  return {
    kind,
    name: needName(need),
    ...(brought && {
      ecosystem: brought.ecosystem,
      spec: brought.spec,
      certainty: brought.certainty,
      optional: brought.optional,
      version: brought.version ?? null,
    }),
    found_in: places.map(({ file, line }) => `${file}:${line}`),
    sure,
    how: places[0]?.how ?? '',
    state,
    command,
  };
}
