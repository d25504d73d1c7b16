import { type Deadline, within } from '@carnet/adapter-contract/kit';
import type { Redis } from 'ioredis';
import type { Address } from './address.ts';
import { createClient } from './client.ts';
import { createClusterMap } from './cluster-map.ts';
import { type Connection, openConnection } from './connection.ts';
import { type NodeName, parseNodeName } from './topology.ts';

/** The time limit for a node that is gone: another one replaces it. */
const longestAttemptMilliseconds = 1_000;

/** The masters of a Cluster, and a connection to each that was asked something. */
export const openClusterNodes = (address: Address, check: (client: Redis) => Promise<void>) => {
  const attemptMilliseconds = Math.min(address.timeoutMilliseconds, longestAttemptMilliseconds);
  const map = createClusterMap(address, attemptMilliseconds);
  const connections = new Map<NodeName, Connection>();
  let closed = false;

  const assertOpen = () => {
    if (closed) throw new Error('The Redis store is closed.');
  };

  /** Closes connections to nodes that no longer hold slots. */
  const refresh = async (deadline: Deadline): Promise<void> => {
    assertOpen();
    await within(deadline, map.refresh());
    const masters = map.masters();
    for (const [node, connection] of connections) {
      if (masters.has(node)) continue;
      connections.delete(node);
      void connection.close();
    }
  };

  return {
    refresh,
    masters: map.masters,
    learn: map.learn,
    async masterOf(slot: number, deadline: Deadline): Promise<NodeName> {
      if (map.masterOf(slot) === undefined) await refresh(deadline);
      const node = map.masterOf(slot);
      if (node === undefined) throw new Error('No node of the Redis Cluster serves the hash slot.');
      return node;
    },
    connectionTo(node: NodeName): Connection {
      assertOpen();
      const existing = connections.get(node);
      if (existing) return existing;
      const createNodeClient = () => createClient(address, parseNodeName(node), attemptMilliseconds);
      const connection = openConnection({ createClient: createNodeClient, check, attemptMilliseconds });
      connections.set(node, connection);
      return connection;
    },
    async close() {
      closed = true;
      await Promise.all([...connections.values()].map((connection) => connection.close()));
    },
  };
};
