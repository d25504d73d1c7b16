import type { Redis } from 'ioredis';
import type { Address } from './address.ts';
import { createClient } from './client.ts';
import { maxRedirections, type Route, redirect } from './cluster-routing.ts';
import { type Connection, openConnection } from './connection.ts';
import { type Deadline, deadlineIn, within } from './deadline.ts';
import { slotOf } from './hash-slot.ts';
import type { Hash } from './record.ts';
import type { Send, Server } from './server.ts';
import { askForTopology, type NodeName, nameNode, parseNodeName, type Topology } from './topology.ts';

/** Failures come in crowds: the nodes are asked about them once. */
const refreshEveryMilliseconds = 100;

/** A node that is gone holds nobody up for longer: another takes its place. */
const longestAttemptMilliseconds = 1_000;

/** Which node has what: asked for when it turns out that it has changed. */
const createMap = (address: Address, milliseconds: number) => {
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
    learn: (slot: number, node: NodeName) => {
      topology.masters.set(slot, node);
    },
    refresh(): Promise<void> {
      if (asked && performance.now() < asked.until) return asked.answer;
      const answer = ask().finally(() => {
        asked = { answer, until: deadlineIn(refreshEveryMilliseconds) };
      });
      asked = { answer, until: Number.POSITIVE_INFINITY };
      // Whoever waits for it is told; where nobody does, the next call finds out.
      answer.catch(() => undefined);
      return answer;
    },
  };
};

/**
 * A Redis Cluster. The client library has one of its own, which sends again what a lost node may have carried out
 * already, and talks to nodes before anybody could look at their settings.
 */
export const openClusterServer = (address: Address, check: (client: Redis) => Promise<void>): Server => {
  const attemptMilliseconds = Math.min(address.timeoutMilliseconds, longestAttemptMilliseconds);
  const map = createMap(address, attemptMilliseconds);
  const connections = new Map<NodeName, Connection>();
  let closed = false;

  const connectionTo = (node: NodeName): Connection => {
    if (closed) throw new Error('The Redis store is closed.');
    const existing = connections.get(node);
    if (existing) return existing;
    const connection = openConnection({
      createClient: () => createClient(address, parseNodeName(node), attemptMilliseconds),
      check,
      attemptMilliseconds,
    });
    connections.set(node, connection);
    return connection;
  };

  /** Nodes that hold nothing any more are let go. */
  const refresh = async (deadline: Deadline): Promise<void> => {
    await within(deadline, map.refresh());
    const masters = map.masters();
    for (const [node, connection] of connections) {
      if (masters.has(node)) continue;
      connections.delete(node);
      void connection.close();
    }
  };

  const masterOf = async (slot: number, deadline: Deadline): Promise<NodeName> => {
    if (closed) throw new Error('The Redis store is closed.');
    if (map.masterOf(slot) === undefined) await refresh(deadline);
    const node = map.masterOf(slot);
    if (node === undefined) throw new Error('No node of the Redis Cluster serves the hash slot.');
    return node;
  };

  /** A client of the slot's master; nothing has been sent yet, so that another may be tried. */
  const attach = async (slot: number, route: Route, deadline: Deadline) => {
    const connection = connectionTo(route.node);
    try {
      return { route, connection, client: await connection.attach(deadline) };
    } catch (error) {
      await refresh(deadline);
      const node = await masterOf(slot, deadline);
      if (node === route.node) throw error;
      const other = connectionTo(node);
      return { route: { node, asking: false }, connection: other, client: await other.attach(deadline) };
    }
  };

  const call = async <T>(slot: number, send: Send<T>, deadline: Deadline): Promise<T> => {
    let next: Route | undefined = { node: await masterOf(slot, deadline), asking: false };
    for (let redirections = 0; ; redirections++) {
      const { route, connection, client } = await attach(slot, next, deadline);
      try {
        if (route.asking) client.asking().catch(() => undefined);
        return await connection.send(client, send, deadline);
      } catch (error) {
        next = redirections < maxRedirections ? await redirect(error, route, (to) => map.learn(slot, to)) : undefined;
        if (!next?.asking) refresh(deadline).catch(() => undefined);
        if (!next) throw error;
      }
    }
  };

  const callEach = async (send: Send<unknown>, deadline: Deadline): Promise<void> => {
    if (closed) throw new Error('The Redis store is closed.');
    await refresh(deadline);
    const asked = [...map.masters()].map(async (node) => {
      const connection = connectionTo(node);
      await connection.send(await connection.attach(deadline), send, deadline);
    });
    await Promise.all(asked);
  };

  return {
    call: (key, send, deadline) => call(slotOf(key), send, deadline),
    hashes: (keys, deadline) =>
      Promise.all(
        keys.map((key) => call(slotOf(key), async (client) => (await client.call('HGETALL', [key])) as Hash, deadline)),
      ),
    callEach,
    check: (deadline) => callEach(check, deadline),
    async close() {
      closed = true;
      await Promise.all([...connections.values()].map((connection) => connection.close()));
    },
  };
};
