import { type Deadline, within } from '@carnet/adapter-contract/kit';
import type { Redis } from 'ioredis';
import { explain } from './refusal.ts';

/** `host:port`. */
export type NodeName = string;

export interface Topology {
  /** The master of each hash slot. */
  readonly masters: Map<number, NodeName>;
  /** Masters and replicas. */
  readonly nodes: ReadonlySet<NodeName>;
}

export const nameNode = (host: string, port: number): NodeName => `${host}:${port}`;

export const parseNodeName = (name: NodeName): { readonly host: string; readonly port: number } => {
  const colon = name.lastIndexOf(':');
  return { host: name.slice(0, colon), port: Number(name.slice(colon + 1)) };
};

type SlotRange = readonly [first: number, last: number, ...nodes: (readonly [host: string | null, port: number])[]];

/** A node that does not know its own name is where it was found. */
const parseRanges = (ranges: readonly SlotRange[], host: string): Topology => {
  const masters = new Map<number, NodeName>();
  const nodes = new Set<NodeName>();
  for (const [first, last, ...holders] of ranges) {
    const names = holders.map(([name, port]) => nameNode(name || host, port));
    for (const name of names) nodes.add(name);
    const [master] = names;
    if (master) for (let slot = first; slot <= last; slot++) masters.set(slot, master);
  }
  return { masters, nodes };
};

const askNode = async (client: Redis, deadline: Deadline): Promise<Topology> => {
  // The errors of the connection reach the calls through their responses.
  client.on('error', () => undefined);
  try {
    await within(deadline, client.connect());
    const ranges = await within(deadline, client.call('CLUSTER', ['SLOTS']));
    const topology = parseRanges(ranges as readonly SlotRange[], client.options.host ?? '');
    // A node that was taken out of the Cluster: others know better.
    if (topology.masters.size === 0) throw new Error('The node of the Redis Cluster knows of no hash slot.');
    return topology;
  } finally {
    client.disconnect();
  }
};

/** The topology as the first of these nodes to answer has it: one that is wrong is put right by the nodes it names. */
export const askForTopology = async (clients: readonly Redis[], deadline: Deadline): Promise<Topology> => {
  const answers = clients.map((client) => askNode(client, deadline));
  return Promise.any(answers).catch(({ errors }: AggregateError) => {
    throw explain(errors[0]);
  });
};
