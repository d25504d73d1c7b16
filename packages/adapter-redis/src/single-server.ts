import type { Deadline } from '@carnet/adapter-contract/kit';
import type { Redis } from 'ioredis';
import type { Address } from './address.ts';
import { createClient, createSentinelClient } from './client.ts';
import { openConnection } from './connection.ts';
import type { Hash } from './record.ts';
import type { Send, Server } from './server.ts';

const getHashes = async (client: Redis, keys: readonly string[]): Promise<readonly Hash[]> => {
  const pipeline = client.pipeline();
  for (const key of keys) pipeline.call('HGETALL', [key]);
  const answers = (await pipeline.exec()) ?? [];
  return answers.map(([error, hash]) => {
    if (error) throw error;
    return hash as Hash;
  });
};

/** One server, known by its address or to Sentinels. */
export const openSingleServer = (address: Address, check: (client: Redis) => Promise<void>): Server => {
  const milliseconds = address.timeoutMilliseconds;
  const connection = openConnection({
    createClient: () =>
      address.mode === 'sentinel'
        ? createSentinelClient(address, milliseconds)
        : createClient(address, address.hosts[0], milliseconds),
    check,
    attemptMilliseconds: milliseconds,
  });
  const call = async <T>(send: Send<T>, deadline: Deadline): Promise<T> =>
    connection.send(await connection.attach(deadline), send, deadline);

  return {
    call: (_key, send, deadline) => call(send, deadline),
    hashes: (keys, deadline) => call((client) => getHashes(client, keys), deadline),
    scanned: async () => ({ topology: '', servers: [call] }),
    async callEach(send, deadline) {
      await call(send, deadline);
    },
    check: (deadline) => call(check, deadline),
    close: () => connection.close(),
  };
};
