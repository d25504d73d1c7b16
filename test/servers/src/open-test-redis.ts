import { type RedisServer, startRedis } from './redis.ts';

const databases = 1_000;

/** The server of this process, once a test has used one. Its watchdog ends it with this process. */
let shared: Promise<RedisServer> | undefined;
let opened = 0;

/**
 * The URL of an empty database of a caller's own, on a Redis that all files of a worker share. Tests that hurt the server,
 * or change its settings, use `startRedis`.
 */
export const openTestRedis = async (): Promise<string> => {
  shared ??= startRedis({ config: { databases: `${databases}` } });
  const { url } = await shared;
  opened += 1;
  if (opened === databases) throw new Error(`More than ${databases - 1} callers ask for a database of Redis.`);
  return `${url}/${opened}`;
};
