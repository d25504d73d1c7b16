import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

export interface Connections {
  /** A request has arrived: its connection is idle again when the response is closed. */
  begin(request: IncomingMessage, response: ServerResponse): void;
  /** Is part of a response written to this connection, but not all of it? */
  isAnswering(socket: Duplex): boolean;
  /** How many connections and requests have arrived. */
  arrivals(): number;
  /**
   * From now on, every response has `Connection: close`, and a connection that was silent for `silenceMs` is closed. A
   * client
   * that uses its connection more often is notified first, and sends its next request elsewhere.
   */
  end(silenceMs: number): void;
  /** Destroy every connection, also each new one. */
  cutOff(): void;
}

interface Tracked {
  readonly responses: Set<ServerResponse>;
  /** `bytesRead` when the last response was complete. Once it is larger, a request has begun to arrive. */
  bytesAtRest: number;
}

/** Know which connections of a server are idle. Node's own list has no entry for one that never sent a byte. */
export const trackConnections = (server: Server): Connections => {
  const connections = new Map<Socket, Tracked>();
  let arrivals = 0;
  let endSilenceMs: number | undefined;
  let isCutOff = false;

  const endIfSilent = (socket: Socket): void => {
    const tracked = connections.get(socket);
    if (tracked?.responses.size === 0 && tracked.bytesAtRest === socket.bytesRead) socket.destroy();
  };
  // One turn after the timer, because bytes that have arrived by then have been read.
  const endOnceSilent = (socket: Socket, silenceMs: number): void => {
    const timer = setTimeout(() => setImmediate(endIfSilent, socket), silenceMs);
    socket.once('close', () => clearTimeout(timer));
  };

  server.on('connection', (socket: Socket) => {
    arrivals += 1;
    if (isCutOff) socket.destroy();
    connections.set(socket, { responses: new Set(), bytesAtRest: 0 });
    socket.once('close', () => connections.delete(socket));
    if (endSilenceMs !== undefined) endOnceSilent(socket, endSilenceMs);
  });

  return {
    begin: ({ socket }, response) => {
      arrivals += 1;
      const tracked = connections.get(socket);
      if (tracked === undefined) return;
      tracked.responses.add(response);
      if (endSilenceMs !== undefined) response.setHeader('Connection', 'close');
      response.on('close', () => {
        tracked.responses.delete(response);
        tracked.bytesAtRest = socket.bytesRead;
        if (endSilenceMs !== undefined && tracked.responses.size === 0) endOnceSilent(socket, endSilenceMs);
      });
    },
    isAnswering: (socket) =>
      [...(connections.get(socket as Socket)?.responses ?? [])].some((response) => response.headersSent),
    arrivals: () => arrivals,
    end: (silenceMs) => {
      endSilenceMs = silenceMs;
      for (const [socket, { responses }] of connections) {
        if (responses.size === 0) endOnceSilent(socket, silenceMs);
        for (const response of responses) if (!response.headersSent) response.setHeader('Connection', 'close');
      }
    },
    cutOff: () => {
      isCutOff = true;
      for (const socket of connections.keys()) socket.destroy();
    },
  };
};
