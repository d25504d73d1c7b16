import { hash } from 'node:crypto';
import { type Deadline, deadlineIn, within } from '@carnet/adapter-contract/kit';
import type { Redis } from 'ioredis';
import type { Address } from './address.ts';
import { createClient } from './client.ts';
import { type Connection, openConnection } from './connection.ts';
import type { CallNode } from './server.ts';
import { askForTopology, type NodeName, nameNode, parseNodeName, type Topology } from './topology.ts';

/** Failures come in crowds: the nodes are asked about them once. */
const refreshEveryMilliseconds = 100;

/** Which node has what: asked for when it turns out that it has changed. */
const createClusterMap = (address: Address, milliseconds: number) => {
  const seeds = address.hosts.map(({ host, port }) => nameNode(host, port));
  let topology: Topology = { masters: new Map(), nodes: new Set() };
  let asked: { readonly answer: Promise<void>; readonly until: number } | undefined;

  const ask = async () => {
    const names = new Set([...topology.nodes, ...seeds]);
    const clients = [...names].map((name) => createClient(address, parseNodeName(name), milliseconds));
    topology = await askForTopology(clients, deadlineIn(milliseconds));
  };

  return {
    masters: () => new Set(topology.masters.values()),
    masterOf: (slot: number) => topology.masters.get(slot),
    /** The same as long as each slot has the same master. */
    fingerprint: () => hash('sha256', [...topology.masters].map(String).sort().join(' '), 'base64url'),
    learn: (slot: number, node: NodeName) => {
      topology.masters.set(slot, node);
    },
    refresh(): Promise<void> {
      if (asked && performance.now() < asked.until) return asked.answer;
      const answer = ask().finally(() => {
        asked = { answer, until: deadlineIn(refreshEveryMilliseconds) };
      });
      asked = { answer, until: Number.POSITIVE_INFINITY };
      // A waiting call gets the error. Without one, the next call finds it.
      answer.catch(() => undefined);
      return answer;
    },
  };
};

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

  const connectionTo = (node: NodeName): Connection => {
    assertOpen();
    const existing = connections.get(node);
    if (existing) return existing;
    const createNodeClient = () => createClient(address, parseNodeName(node), attemptMilliseconds);
    const connection = openConnection({ createClient: createNodeClient, check, attemptMilliseconds });
    connections.set(node, connection);
    return connection;
  };

  return {
    refresh,
    masters: map.masters,
    fingerprint: map.fingerprint,
    learn: map.learn,
    async masterOf(slot: number, deadline: Deadline): Promise<NodeName> {
      if (map.masterOf(slot) === undefined) await refresh(deadline);
      const node = map.masterOf(slot);
      if (node === undefined) throw new Error('No node of the Redis Cluster serves the hash slot.');
      return node;
    },
    connectionTo,
    /** Asks one node, and follows no redirection. */
    calling:
      (node: NodeName): CallNode =>
      async (send, deadline) => {
        const connection = connectionTo(node);
        return connection.send(await connection.attach(deadline), send, deadline);
      },
    async close() {
      closed = true;
      await Promise.all([...connections.values()].map((connection) => connection.close()));
    },
  };
};
