// A network line to a server that a test can cut: silent, as when a cable is pulled, or reset.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface CutLine {
  /** The address of the server, over this line. */
  readonly url: string;
  /** How many connections were opened over it so far. */
  opened(): number;
  /** Nothing gets through any more, in either direction, and nobody is told. */
  silence(): void;
  /** What was on its way arrives late, as it does when a cable is put back. */
  heal(): void;
  /** Ends every connection. */
  reset(): void;
  close(): void;
}

export async function openCutLine(server: string): Promise<CutLine> {
  const target = new URL(server);
  const ends = new Set<Socket>();
  let isSilent = false;
  let opened = 0;
  const pass = (from: Socket, to: Socket) => {
    ends.add(from);
    from.on('data', (bytes) => void to.write(bytes));
    from.on('error', () => {});
    from.on('close', () => {
      ends.delete(from);
      to.destroy();
    });
    if (isSilent) from.pause();
  };
  const listener = createServer((near) => {
    opened++;
    const far = connect(Number(target.port), target.hostname);
    pass(near, far);
    pass(far, near);
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const url = new URL(server);
  url.port = String((listener.address() as AddressInfo).port);
  url.hostname = '127.0.0.1';
  const reset = () => ends.forEach((socket) => void socket.destroy());
  return {
    url: url.href,
    opened: () => opened,
    silence() {
      isSilent = true;
      for (const socket of ends) socket.pause();
    },
    heal() {
      isSilent = false;
      for (const socket of ends) socket.resume();
    },
    reset,
    close() {
      listener.close();
      reset();
    },
  };
}
