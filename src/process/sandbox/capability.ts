// What a tier can do: asked by everybody who would otherwise have to know the tier by its name.
import type { OpenPoint } from './not-enforced.ts';

export interface Capabilities {
  /** Hides the files outside of the view. */
  readonly files: boolean;
  /** Keeps a call from the network and from local sockets, unless its order has the network. */
  readonly network: boolean;
  /** Keeps other processes of the user from being read and signalled. */
  readonly processes: boolean;
  /** Refuses system calls. */
  readonly calls: boolean;
  /** Sets the limits of the order. */
  readonly limits: boolean;
  /** Shows a folder at another place, which must be there; else the words of the order are moved. */
  readonly mounts: boolean;
  /** Gives each call a /tmp of its own, in memory. */
  readonly temporary: boolean;
  /** Ending the first process ends every process of the call, however it hides. */
  readonly endsTree: boolean;
  /** Processes of a call reach each other over loopback and local sockets, and nothing else by them. */
  readonly sockets: boolean;
  /** Gives a call a network of its own in which nothing but a proxy of ours leads out. */
  readonly proxy: boolean;
}

/** What is open because the tier cannot close it, whatever else is. */
export function openByLack({ files, network, processes, calls, limits }: Capabilities): OpenPoint[] {
  return [
    ...(files ? [] : (['no-file-isolation'] as const)),
    ...(network ? [] : (['no-network-isolation'] as const)),
    ...(processes ? [] : (['no-process-isolation'] as const)),
    ...(calls ? [] : (['no-call-filter'] as const)),
    ...(limits ? [] : (['no-limits'] as const)),
  ];
}
