import { setTimeout as pause } from 'node:timers/promises';
import { closing } from '@carnet/test-servers/before-tests';
import { Redis } from 'ioredis';
import { describe, expect, test } from 'vitest';
import { type RedisServer, startRedis, startRedisCluster, startRedisSentinel } from '../src/index.ts';
import { isSilent } from './silence.ts';

/** The first answer that is not the one of before. */
const another = async (before: RedisServer, ask: () => Promise<RedisServer>): Promise<RedisServer> => {
  for (;;) {
    const now = await ask();
    if (now.port !== before.port) return now;
    await pause(50);
  }
};

/** Writes the word, and waits until a replica has it. `WAIT` waits only for what its own connection wrote, so both use one. */
const writeToReplica = async ({ url }: RedisServer): Promise<void> => {
  const redis = new Redis(url, { retryStrategy: null });
  try {
    await redis.set('word', 'kept');
    expect(await redis.wait(1, 0)).toBe(1);
  } finally {
    redis.disconnect();
  }
};

describe('a Redis', () => {
  test('keeps what it was given when it is killed, and loses it when it is started empty', async () => {
    const redis = await closing(startRedis());
    await redis.command('SET', 'word', 'kept');
    await redis.kill();
    await expect(redis.command('PING')).rejects.toThrow();
    await redis.start();
    expect(await redis.command('GET', 'word')).toBe('kept');
    await redis.kill();
    await redis.startEmpty();
    expect(await redis.command('GET', 'word')).toBeNull();
  });

  test('evicts nothing and syncs every write, unless it is configured otherwise', async () => {
    const redis = await closing(startRedis());
    expect(await redis.command('CONFIG', 'GET', 'maxmemory-policy')).toContain('noeviction');
    expect(await redis.command('CONFIG', 'GET', 'appendfsync')).toContain('always');
    const other = await closing(startRedis({ config: { 'maxmemory-policy': 'allkeys-lru', requirepass: 'a b/c' } }));
    expect(await other.command('CONFIG', 'GET', 'maxmemory-policy')).toContain('allkeys-lru');
    expect(decodeURIComponent(new URL(other.url).password)).toBe('a b/c');
  });

  test('answers nobody while it is paused', async () => {
    const redis = await closing(startRedis());
    redis.pause();
    const answer = redis.command('PING');
    expect(await isSilent(answer)).toBe(true);
    redis.resume();
    expect(await answer).toBe('PONG');
  });

  test('a running Redis is not started empty', async () => {
    const redis = await closing(startRedis());
    await expect(redis.startEmpty()).rejects.toThrow('kill it');
    await redis.command('PING');
  });
});

describe('a Redis Cluster', () => {
  test('has three masters with a replica each, and replaces a master that is killed', async () => {
    const cluster = await closing(startRedisCluster());
    expect(cluster.nodes.map(({ role }) => role)).toEqual([...Array(3).fill('master'), ...Array(3).fill('replica')]);
    expect(cluster.url).toBe(`redis-cluster://${cluster.nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}`);
    const master = await cluster.masterOf('word');
    await writeToReplica(master);
    await master.kill();
    const next = await another(master, () => cluster.masterOf('word'));
    expect(await next.command('GET', 'word')).toBe('kept');
    await master.start();
  });
});

describe('a Redis with a sentinel', () => {
  test('replaces a master that is killed', async () => {
    const redis = await closing(startRedisSentinel());
    const master = await redis.master();
    expect(master.port).toBe(redis.nodes[0]?.port);
    await writeToReplica(master);
    await master.kill();
    const next = await another(master, redis.master);
    expect(await next.command('GET', 'word')).toBe('kept');
  });
});
