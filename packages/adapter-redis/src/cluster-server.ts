import { setTimeout as delay } from 'node:timers/promises';
import type { Deadline } from '@carnet/adapter-contract/kit';
import type { Redis } from 'ioredis';
import type { Address } from './address.ts';
import { openClusterNodes } from './cluster-nodes.ts';
import { slotOf } from './hash-slot.ts';
import type { Hash } from './record.ts';
import type { Scanned, Send, Server } from './server.ts';
import { type NodeName, nameNode, parseNodeName } from './topology.ts';

/** Where to send next. */
interface Route {
  readonly node: NodeName;
  /** The slot is on its way to that node, which answers for it only if asked to. */
  readonly asking: boolean;
}

/** A cluster in which slots move answers within a few of them. */
const maxRedirections = 16;

/** `MOVED 1234 host:port`, `ASK 1234 host:port`; without a host it is the one that answered. */
const parseTarget = (message: string, from: NodeName): NodeName => {
  const { host, port } = parseNodeName(message.split(' ')[2] ?? from);
  return nameNode(host || parseNodeName(from).host, port);
};

/**
 * The node that serves a command which another one refused; undefined if it may have run, or cannot run.
 * `learn` hears of a slot that has moved for good.
 */
const redirect = async (
  error: unknown,
  { node, asking }: Route,
  learn: (node: NodeName) => void,
): Promise<Route | undefined> => {
  const message = error instanceof Error ? error.message : '';
  switch (message.split(' ')[0]) {
    case 'MOVED': {
      const target = parseTarget(message, node);
      learn(target);
      return { node: target, asking: false };
    }
    case 'ASK':
      return { node: parseTarget(message, node), asking: true };
    case 'TRYAGAIN':
      await delay(50);
      return { node, asking };
    default:
      return undefined;
  }
};

/**
 * A Redis Cluster. The Cluster client of ioredis is not used: it repeats commands that a lost node may have carried
 * out, and uses nodes before their settings are checked.
 */
export const openClusterServer = (address: Address, check: (client: Redis) => Promise<void>): Server => {
  const nodes = openClusterNodes(address, check);

  /** A client of the slot's master; nothing has been sent yet, so that another may be tried. */
  const attach = async (slot: number, route: Route, deadline: Deadline) => {
    const connection = nodes.connectionTo(route.node);
    try {
      return { route, connection, client: await connection.attach(deadline) };
    } catch (error) {
      await nodes.refresh(deadline);
      const node = await nodes.masterOf(slot, deadline);
      if (node === route.node) throw error;
      const other = nodes.connectionTo(node);
      return { route: { node, asking: false }, connection: other, client: await other.attach(deadline) };
    }
  };

  const call = async <T>(slot: number, send: Send<T>, deadline: Deadline): Promise<T> => {
    let next: Route | undefined = { node: await nodes.masterOf(slot, deadline), asking: false };
    for (let redirections = 0; ; redirections++) {
      const { route, connection, client } = await attach(slot, next, deadline);
      try {
        if (route.asking) client.asking().catch(() => undefined);
        return await connection.send(client, send, deadline);
      } catch (error) {
        next = redirections < maxRedirections ? await redirect(error, route, (to) => nodes.learn(slot, to)) : undefined;
        if (!next?.asking) nodes.refresh(deadline).catch(() => undefined);
        if (!next) throw error;
      }
    }
  };

  const getHash = (key: string, deadline: Deadline): Promise<Hash> =>
    call(slotOf(key), async (client) => (await client.call('HGETALL', [key])) as Hash, deadline);

  const callEach = async (send: Send<unknown>, deadline: Deadline): Promise<void> => {
    await nodes.refresh(deadline);
    await Promise.all([...nodes.masters()].map((node) => nodes.calling(node)(send, deadline)));
  };

  const scanned = async (deadline: Deadline): Promise<Scanned> => {
    await nodes.refresh(deadline);
    return { topology: nodes.fingerprint(), servers: [...nodes.masters()].sort().map(nodes.calling) };
  };

  return {
    call: (key, send, deadline) => call(slotOf(key), send, deadline),
    hashes: (keys, deadline) => Promise.all(keys.map((key) => getHash(key, deadline))),
    scanned,
    callEach,
    check: (deadline) => callEach(check, deadline),
    close: nodes.close,
  };
};
