import { once } from 'node:events';
import { StoreUnfitError } from '@carnet/adapter-contract';
import { deadlineIn, within } from '@carnet/adapter-contract/kit';
import type { Cluster, Redis, RedisOptions } from 'ioredis';
import { type Address, connectionOptions, type Host, parseAddress } from './address.ts';

/** The client of an app: one server, one with Sentinels, or a Cluster. */
export type SharedClient = Redis | Cluster;

const pick = (options: RedisOptions): Address['options'] =>
  Object.fromEntries(connectionOptions.map((name) => [name, options[name]]));

const hostsOf = (hosts: readonly { readonly host?: string; readonly port?: number }[]): Address['hosts'] => {
  const [first, ...others] = hosts.map(({ host = '127.0.0.1', port = 6_379 }): Host => ({ host, port }));
  if (first === undefined) throw new StoreUnfitError('The Redis client knows no server. Connect it first.');
  return [first, ...others];
};

/** The nodes of a Cluster are known once its client is connected. */
const nodesOf = async (cluster: Cluster, milliseconds: number): Promise<Address['hosts']> => {
  if (cluster.status === 'wait') await cluster.connect();
  else if (cluster.status !== 'ready') await within(deadlineIn(milliseconds), once(cluster, 'ready'));
  return hostsOf(cluster.nodes('all').map(({ options }) => options));
};

/**
 * The address of the server that a client reaches. Carnet opens connections of its own there: a client of an app sends
 * again what a lost connection may have carried out already, and a claim that is sent twice conflicts with itself.
 */
const addressOfClient = async (client: SharedClient): Promise<Address> => {
  if (client.isCluster) {
    const cluster = client as Cluster;
    const defaults = parseAddress('redis-cluster://app');
    const hosts = await nodesOf(cluster, defaults.timeoutMilliseconds);
    return { ...defaults, hosts, options: pick(cluster.options.redisOptions ?? {}) };
  }
  const { options } = client as Redis;
  const { sentinels, name, host, port } = options;
  if (!sentinels?.length)
    return { ...parseAddress('redis://app'), hosts: hostsOf([{ host, port }]), options: pick(options) };
  const defaults = parseAddress('redis-sentinel://app/master');
  const masterName = name ?? undefined;
  return { ...defaults, masterName, hosts: hostsOf(sentinels as readonly Partial<Host>[]), options: pick(options) };
};

/** Where the store is: a URL, or the server of a client that an app has. */
export type RedisStore = { readonly url: string } | { readonly client: SharedClient };

/** @throws StoreUnfitError when the URL or the client can't be used */
export const addressOf = async (store: RedisStore): Promise<Address> =>
  'client' in store ? addressOfClient(store.client) : parseAddress(store.url);
