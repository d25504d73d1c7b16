import { type RedisServer, startRedisProcess } from './redis-process.ts';

export interface RedisOptions {
  /** Directives of redis.conf over the defaults, which lose nothing that was answered: appendonly, fsync always. */
  readonly config?: Readonly<Record<string, string>>;
}

const defaults = {
  bind: '127.0.0.1',
  daemonize: 'no',
  save: '',
  appendonly: 'yes',
  appendfsync: 'always',
  'maxmemory-policy': 'noeviction',
  // A replica is served at once, not after the seconds that suit a data centre.
  'repl-ping-replica-period': '1',
  'repl-diskless-sync-delay': '0',
};

/** Starts a Redis that stands alone. */
export const startRedis = ({ config = {} }: RedisOptions = {}): Promise<RedisServer> =>
  startRedisProcess({
    password: config.requirepass,
    prepare: (data) =>
      Object.entries({ ...defaults, ...config, dir: data }).flatMap(([name, value]) => [`--${name}`, value]),
  });
