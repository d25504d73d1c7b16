import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/** Redis listens for its cluster at this much above its port. */
const clusterBusOffset = 10_000;

/**
 * Below what every system gives to outgoing connections: while a server that was killed is down, no client's connection
 * can come to have its port, and none can connect to itself.
 */
const [lowest, highest] = [12_000, 22_000];

const isFree = async (port: number): Promise<boolean> => {
  const server = createServer();
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening');
    await once(server.close(), 'close');
    return true;
  } catch {
    return false;
  }
};

/** A port of 127.0.0.1 on which nothing listens at this moment, nor on the one that Redis would take for a cluster. */
export const findFreePort = async (): Promise<number> => {
  for (;;) {
    const port = randomInt(lowest, highest);
    if ((await isFree(port)) && (await isFree(port + clusterBusOffset))) return port;
  }
};

/** Whether something listens on a port of 127.0.0.1. */
export const acceptsConnections = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
