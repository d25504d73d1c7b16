import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

export interface Connections {
  /** Is part of a response written to this connection, but not all of it? */
  isAnswering(socket: Duplex): boolean;
  /** End idle connections now, busy ones after their answer, all that is left after the grace. Answers how to stop the clock. */
  close(graceSeconds: number): () => void;
}

/** Know which connections of a server are idle. Node's own list has no entry for one that never sent a byte. */
export const trackConnections = (server: Server): Connections => {
  const running = new Map<Duplex, Set<ServerResponse>>();
  let closing = false;

  server.on('connection', (socket: Socket) => {
    running.set(socket, new Set());
    socket.once('close', () => running.delete(socket));
  });

  server.on('request', (request, response) => {
    const { socket } = request;
    const responses = running.get(socket);
    responses?.add(response);
    if (closing) response.setHeader('Connection', 'close');
    response.on('close', () => {
      responses?.delete(response);
      if (closing && responses?.size === 0) socket.destroySoon();
    });
  });

  const endIdle = (): void => {
    for (const [socket, responses] of running) if (responses.size === 0) socket.destroy();
  };
  const announce = (): void => {
    for (const responses of running.values()) {
      for (const response of responses) if (!response.headersSent) response.setHeader('Connection', 'close');
    }
  };

  return {
    isAnswering: (socket) => [...(running.get(socket) ?? [])].some((response) => response.headersSent),
    close: (graceSeconds) => {
      closing = true;
      announce();
      endIdle();
      const clock = setTimeout(() => {
        for (const socket of running.keys()) socket.destroy();
      }, graceSeconds * 1000);
      return () => clearTimeout(clock);
    },
  };
};
