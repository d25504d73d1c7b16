import type { Server } from 'node:http';
import { type AddressInfo, connect, Server as NetServer } from 'node:net';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import type { Connections } from './connections.ts';

export interface Stop {
  /** A request waits for this promise before it is handled; undefined while no request has to wait. */
  held(): Promise<void> | undefined;
  /** Resolves when no connection is left; a second call returns the same promise. */
  close(graceSeconds: number): Promise<void>;
}

const quietMs = 10;
const maxQuietRounds = 20;
const maxRefusalChecks = 50;

/** Whether any process still accepts connections at the address. */
const isOpen = ({ address, port }: AddressInfo): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host: address, port, timeout: quietMs });
    const answer = (open: boolean) => (): void => {
      socket.destroy();
      resolve(open);
    };
    socket.once('connect', answer(true)).once('timeout', answer(true)).once('error', answer(false));
  });

/**
 * Closes the listening socket while no connection waits in its backlog, because waiting connections would be reset.
 * Resolves
 * when connections are refused: other workers may share the socket.
 */
const stopAccepting = async (server: Server, { arrivals }: Connections): Promise<void> => {
  const address = server.address() as AddressInfo;
  for (let round = 0; round < maxQuietRounds; round += 1) {
    const before = arrivals();
    await delay(quietMs);
    // Node accepts one connection each turn of its loop. A turn without one shows that the backlog is empty.
    await nextTurn();
    if (arrivals() === before) break;
  }
  // The method of http.Server would also cut off responses that are written but not yet sent.
  NetServer.prototype.close.call(server);
  for (let check = 0; check < maxRefusalChecks && (await isOpen(address)); check += 1) await delay(quietMs);
};

/**
 * Ends a server so that no sent request is lost: the end is announced first, by `Connection: close` for `announceSeconds`. Requests that arrive while the listening
 * socket
 * is being closed wait until it is closed, because an answered client would connect again at once.
 */
export const createStop = (
  server: Server,
  connections: Connections,
  { announceSeconds }: { readonly announceSeconds: number },
): Stop => {
  let held: Promise<void> | undefined;
  let closed: Promise<void> | undefined;

  const close = async (graceSeconds: number): Promise<void> => {
    const ended = new Promise<void>((resolve) => server.once('close', resolve));
    const cut = setTimeout(connections.cutOff, graceSeconds * 1000);
    const silenceMs = Math.min(announceSeconds * 1_000, graceSeconds * 500);
    connections.end(silenceMs);
    await delay(silenceMs);
    held = stopAccepting(server, connections);
    await held;
    held = undefined;
    await ended;
    clearTimeout(cut);
    // Stops the timer of http.Server that looks for late requests.
    server.close();
  };

  return {
    held: () => held,
    close: (graceSeconds) => {
      closed ??= close(graceSeconds);
      return closed;
    },
  };
};
