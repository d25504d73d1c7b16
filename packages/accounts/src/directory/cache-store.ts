import type { DirectoryUser } from './port.ts';

/** A cached user. It never holds a password. */
export interface CachedUser {
  readonly user: DirectoryUser;
  /** Milliseconds since 1970. */
  readonly fetchedAt: number;
}

/** The place of the user cache: this process, or a database that several processes share. */
export interface CacheStore {
  get(directory: string, login: string): Promise<CachedUser | undefined>;
  put(directory: string, login: string, cached: CachedUser, ttlSeconds: number): Promise<void>;
  /** Removes entries. Returns how many were removed. */
  purge(which: { readonly directory?: string; readonly login?: string }): Promise<number>;
}
