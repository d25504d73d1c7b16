import { Redis } from 'ioredis';

export interface RedisAddress {
  readonly port: number;
  readonly password?: string | undefined;
}

/** One command over a connection of its own, so that no state outlives a kill. Rejects when there is no answer in time. */
export const sendCommand = async (
  { port, password }: RedisAddress,
  [name, ...args]: readonly [string, ...string[]],
  timeoutMs = 10_000,
): Promise<unknown> => {
  const redis = new Redis({
    host: '127.0.0.1',
    port,
    password,
    protocol: 2,
    lazyConnect: true,
    disableClientInfo: true,
    enableReadyCheck: false,
    retryStrategy: null,
    connectTimeout: timeoutMs,
    commandTimeout: timeoutMs,
  });
  // What goes wrong rejects the command.
  redis.on('error', () => {});
  try {
    await redis.connect();
    return await redis.call(name, ...args);
  } finally {
    redis.disconnect();
  }
};
