import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

/** A server of this process. */
export interface Listening {
  readonly port: number;
  /** `http://127.0.0.1:port`, or https. */
  readonly origin: string;
  /** Ends the open connections, too. */
  close(): Promise<void>;
}

/** Listens on 127.0.0.1: on a free port unless one is given. */
export const listen = async (to: RequestListener | Server | HttpsServer, port = 0): Promise<Listening> => {
  const server = typeof to === 'function' ? createServer(to) : to;
  await once(server.listen(port, '127.0.0.1'), 'listening');
  const { port: chosen } = server.address() as AddressInfo;
  return {
    port: chosen,
    origin: `${'setSecureContext' in server ? 'https' : 'http'}://127.0.0.1:${chosen}`,
    close: async () => {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
};
