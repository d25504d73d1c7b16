import { createSingleFlight } from '@carnet/adapter-contract/kit';
import type { CacheStore } from '../cache-store.ts';
import { override } from '../override.ts';
import type { Directory, DirectoryUser } from '../port.ts';

export interface CachedDirectoryOptions {
  readonly directory: Directory;
  readonly store: CacheStore;
  /** The age up to which a cached user is used. Default: 300. */
  readonly ttlSeconds?: number;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** Called for each lookup, for metrics. */
  readonly onLookup?: (lookup: { readonly directory: string; readonly hit: boolean }) => void;
  /** Called when the store fails. The lookup continues without the cache. */
  readonly onStoreError?: (error: unknown) => void;
}

/** A directory with a cache of found users. */
export interface CachedDirectory extends Directory {
  /** Removes the user with this normalised login, or all users of the directory. Returns how many were removed. */
  purge(login?: string): Promise<number>;
}

/** The origin of a user that `find` returned. */
interface Origin {
  readonly login: string;
  readonly isCached: boolean;
}

/** Searches with one request for all callers that ask for the same login at the same time, and stores the result. */
const createSearch = ({
  directory,
  store,
  ttlSeconds,
  now,
  onStoreError,
}: Required<Omit<CachedDirectoryOptions, 'onLookup'>>) => {
  let epoch = 0;

  const search = async (login: string): Promise<DirectoryUser | undefined> => {
    const begun = { epoch, fetchedAt: now() };
    const user = await directory.find(login);
    // An unknown login is not stored, so that a user who was just added can sign in. If a purge happened during the search,
    // its result is not stored.
    if (user !== undefined && begun.epoch === epoch) {
      // A cached version of the password would contradict `load` after a change of the password.
      const cached = { user: { ...user, passwordVersion: undefined }, fetchedAt: begun.fetchedAt };
      // The caller does not wait, because a search for a known user would take longer than one for an unknown user.
      store.put(directory.name, login, cached, ttlSeconds).catch(onStoreError);
    }
    return user;
  };

  let searches = createSingleFlight(search);
  return {
    search: (login: string): Promise<DirectoryUser | undefined> => searches.running(login),
    /** Results of running searches are not stored, and later callers do not join these searches. */
    forget: (): void => {
      epoch++;
      searches = createSingleFlight(search);
    },
  };
};

/**
 * Caches the users that `find` returns, by directory and normalised login. Passwords are never cached: `verify` always asks
 * the directory. Unknown logins and failures are not cached.
 *
 * A renamed, deleted or changed user is noticed after `ttlSeconds`, after a `purge`, or after a refusal by `verify`,
 * whichever is first.
 */
export const createCachedDirectory = ({
  directory,
  store,
  ttlSeconds = 300,
  now = Date.now,
  onLookup = () => undefined,
  onStoreError = () => undefined,
}: CachedDirectoryOptions): CachedDirectory => {
  const { search, forget } = createSearch({ directory, store, ttlSeconds, now, onStoreError });
  const origins = new WeakMap<DirectoryUser, Origin>();
  /** Passes the same object to `verify`: a directory may recognise the users that it has just found. */
  const tag = (user: DirectoryUser | undefined, origin: Origin): DirectoryUser | undefined => {
    if (user !== undefined) origins.set(user, origin);
    return user;
  };
  const purge = async (login?: string): Promise<number> => {
    forget();
    return store.purge(login === undefined ? { directory: directory.name } : { directory: directory.name, login });
  };
  const read = async (login: string): Promise<DirectoryUser | undefined> => {
    const cached = await store.get(directory.name, login).catch(onStoreError);
    return cached && now() - cached.fetchedAt < ttlSeconds * 1000 ? cached.user : undefined;
  };

  const cached = override(directory, {
    find: async (login) => {
      const known = await read(login);
      onLookup({ directory: directory.name, hit: known !== undefined });
      if (known !== undefined) return tag(known, { login, isCached: true });
      return tag(await search(login), { login, isCached: false });
    },
    verify: async (user, password) => {
      const verdict = await directory.verify(user, password);
      const origin = origins.get(user);
      if (verdict.accepted || origin === undefined) return verdict;
      if (verdict.reason === 'unknown_user') await purge(origin.login).catch(onStoreError);
      // A refusal needs as many searches as that of an unknown user, who is never cached. The search also renews the entry.
      else if (origin.isCached) await search(origin.login).catch(() => undefined);
      return verdict;
    },
  });
  return { ...cached, purge };
};
