import { atMost } from '@carnet/adapter-contract/kit';
import { LRUCache } from 'lru-cache';
import type { CachedUser, CacheStore } from '../cache-store.ts';

export interface MemoryCacheStoreOptions {
  /** The least recently used users are dropped beyond this number. Default: 10,000. */
  readonly maxEntries?: number;
}

/** Freezes JSON values, so that no caller can change the claims that the next caller gets. */
const freeze = <Value>(value: Value): Value => {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const member of Object.values(value)) freeze(member);
  }
  return value;
};

/** NUL is in neither a directory's name nor a normalised login. */
const keyOf = (directory: string, login: string): string => `${directory}\0${login}`;

/** A user cache in this process. */
export const createMemoryCacheStore = ({ maxEntries = 10_000 }: MemoryCacheStoreOptions = {}): CacheStore => {
  const users = new LRUCache<string, CachedUser>(atMost(maxEntries));

  return {
    get: async (directory, login) => users.get(keyOf(directory, login)),
    put: async (directory, login, cached, ttlSeconds) => {
      users.set(keyOf(directory, login), freeze(structuredClone(cached)), { ttl: ttlSeconds * 1000 });
    },
    purge: async ({ directory, login }) => {
      let removed = 0;
      for (const key of [...users.keys()]) {
        const [ofDirectory, ofLogin] = key.split('\0');
        if (directory !== undefined && ofDirectory !== directory) continue;
        if (login !== undefined && ofLogin !== login) continue;
        users.delete(key);
        removed++;
      }
      return removed;
    },
  };
};
