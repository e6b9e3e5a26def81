// How many connections a server holds, and which one gives way: whoever has shown the token is never pushed out by whoever has not.
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

export interface Connections {
  /** It has shown the token. */
  trust(socket: Socket): void;
}

/** Where there are more, the oldest without a token ends; where all have shown one, the new one does. */
export function limitConnections(server: Server, most: number): Connections {
  const strange = new Set<Socket>();
  const trusted = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    strange.add(socket);
    socket.once('close', () => {
      strange.delete(socket);
      trusted.delete(socket);
    });
    if (strange.size + trusted.size <= most) return;
    const [oldest = socket] = strange;
    strange.delete(oldest);
    oldest.destroy();
  });
  return {
    trust(socket) {
      if (strange.delete(socket)) trusted.add(socket);
    },
  };
}
