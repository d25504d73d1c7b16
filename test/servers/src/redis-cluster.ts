import { setTimeout as pause } from 'node:timers/promises';
import { type RedisOptions, type RedisServer, startRedis } from './redis.ts';
import { waitUntil } from './wait-until.ts';

const masterCount = 3;
const slotCount = 16_384;
const askWithinMs = 1_000;

/** A node, with the role it was given when the cluster was formed; `masterOf` tells who is master now. */
export interface ClusterNode extends RedisServer {
  readonly role: 'master' | 'replica';
}

/** A Redis Cluster for tests: three masters and their replicas. */
export interface RedisCluster {
  /** `redis-cluster://127.0.0.1:port,127.0.0.1:port,...`, every node named. */
  readonly url: string;
  /** The masters first. */
  readonly nodes: readonly ClusterNode[];
  /** Who is the master of a slot, or of a key's slot, at this moment, as the nodes that answer have it. */
  masterOf(slotOrKey: number | string): Promise<ClusterNode>;
  close(): Promise<void>;
}

export interface RedisClusterOptions extends RedisOptions {
  /** Of each master; 1 by default. */
  readonly replicas?: number;
}

const config = {
  'cluster-enabled': 'yes',
  // A master that is silent for so long is replaced by its replica about a second later.
  'cluster-node-timeout': '1500',
  // A replica takes over however long it has been cut off: in a test that is not long.
  'cluster-replica-validity-factor': '0',
};

/** A line of `CLUSTER NODES`: one node as another sees it. */
interface NodeView {
  readonly id: string;
  readonly port: number;
  readonly flags: readonly string[];
  readonly epoch: number;
  /** First and last of each range. */
  readonly slots: readonly (readonly [number, number])[];
}

const parseNode = (line: string): NodeView => {
  const [id = '', address = '', flags = '', , , , epoch = '', , ...ranges] = line.split(' ');
  const slots = ranges
    // In brackets: slots on the move.
    .filter((range) => !range.startsWith('['))
    .map((range) => range.split('-').map(Number))
    .map(([first = 0, last = first]) => [first, last] as const);
  return { id, port: Number(/:(\d+)/.exec(address)?.[1]), flags: flags.split(','), epoch: Number(epoch), slots };
};

/** The cluster as one node sees it. */
const viewFrom = async (node: RedisServer): Promise<NodeView[]> => {
  const text = `${await node.command('CLUSTER', 'NODES')}`;
  return text.trim().split('\n').map(parseNode);
};

const isMasterOf = ({ flags, slots }: NodeView, slot: number): boolean =>
  flags.includes('master') && slots.some(([first, last]) => first <= slot && slot <= last);

const everyNode = async (nodes: readonly RedisServer[], holds: (node: RedisServer) => Promise<boolean>) =>
  (await Promise.all(nodes.map(holds))).every(Boolean);

const assignSlots = (masters: readonly ClusterNode[]) =>
  Promise.all(
    masters.map((master, index) => {
      const bound = (part: number) => Math.floor((part * slotCount) / masters.length);
      return master.command('CLUSTER', 'ADDSLOTSRANGE', `${bound(index)}`, `${bound(index + 1) - 1}`);
    }),
  );

const introduce = async (nodes: readonly ClusterNode[]): Promise<void> => {
  for (const [index, node] of nodes.entries()) {
    // Each its own, or two masters of one epoch would first have to settle that.
    await node.command('CLUSTER', 'SET-CONFIG-EPOCH', `${index + 1}`);
    for (const other of nodes.slice(0, index)) await node.command('CLUSTER', 'MEET', '127.0.0.1', `${other.port}`);
  }
  await waitUntil('cluster whose nodes all know each other', () =>
    everyNode(nodes, async (node) => {
      const known = (await viewFrom(node)).filter(({ flags }) => !flags.includes('handshake'));
      return known.length === nodes.length;
    }),
  );
};

const attachReplicas = async (masters: readonly ClusterNode[], replicas: readonly ClusterNode[]): Promise<void> => {
  for (const [index, replica] of replicas.entries()) {
    const id = await masters[index % masters.length]?.command('CLUSTER', 'MYID');
    await replica.command('CLUSTER', 'REPLICATE', `${id}`);
  }
  await waitUntil('cluster whose replicas are up to date', () =>
    everyNode(replicas, async (replica) => `${await replica.command('INFO')}`.includes('master_link_status:up')),
  );
};

const form = async (nodes: readonly ClusterNode[]): Promise<void> => {
  const masters = nodes.filter(({ role }) => role === 'master');
  const replicas = nodes.filter(({ role }) => role === 'replica');
  await assignSlots(masters);
  await introduce(nodes);
  await attachReplicas(masters, replicas);
  await waitUntil('cluster whose nodes agree', () =>
    everyNode(nodes, async (node) => {
      const slaves = (await viewFrom(node)).filter(({ flags }) => flags.includes('slave'));
      const isOk = `${await node.command('CLUSTER', 'INFO')}`.includes('cluster_state:ok');
      return isOk && slaves.length === replicas.length;
    }),
  );
};

const startNodes = async (count: number, extra: Readonly<Record<string, string>>): Promise<ClusterNode[]> => {
  const starts = Array.from({ length: count }, () => startRedis({ config: { ...config, ...extra } }));
  const settled = await Promise.allSettled(starts);
  const started = settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const failed = settled.find((result) => result.status === 'rejected');
  if (failed === undefined) {
    return started.map((node, index) =>
      Object.assign(node, { role: index < masterCount ? 'master' : 'replica' } as const),
    );
  }
  await Promise.all(started.map((node) => node.close()));
  throw failed.reason;
};

/** What each node that answers in time says; a paused one says nothing. */
const answers = async <T>(nodes: readonly ClusterNode[], ask: (node: ClusterNode) => Promise<T>): Promise<T[]> => {
  const silence = pause(askWithinMs, undefined, { ref: false });
  const asked = nodes.map((node) => Promise.race([ask(node).then((value) => [value]), silence]).catch(() => []));
  return (await Promise.all(asked)).flatMap((answer) => answer ?? []);
};

const slotOf = async (nodes: readonly ClusterNode[], key: string): Promise<number> => {
  const [slot] = await answers(nodes, (node) => node.command('CLUSTER', 'KEYSLOT', key));
  if (slot === undefined) throw new Error('No node of the Redis Cluster answers.');
  return Number(slot);
};

const findMaster = async (nodes: readonly ClusterNode[], slot: number): Promise<ClusterNode> => {
  const views = (await answers(nodes, viewFrom)).flat().filter((view) => isMasterOf(view, slot));
  // The latest election counts: a master that was cut off still believes in itself.
  const [latest] = views.sort((one, other) => other.epoch - one.epoch);
  const found = nodes.find(({ port }) => port === latest?.port);
  if (found === undefined) throw new Error(`No node of the Redis Cluster knows a master of slot ${slot}.`);
  return found;
};

/** Starts and forms a Redis Cluster on 127.0.0.1. */
export const startRedisCluster = async (options: RedisClusterOptions = {}): Promise<RedisCluster> => {
  const { replicas = 1, config: extra = {} } = options;
  const nodes = await startNodes(masterCount * (1 + replicas), extra);
  const close = async () => void (await Promise.all(nodes.map((node) => node.close())));
  try {
    await form(nodes);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    url: `redis-cluster://${nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}`,
    nodes,
    masterOf: async (place) => findMaster(nodes, typeof place === 'number' ? place : await slotOf(nodes, place)),
    close,
  };
};
