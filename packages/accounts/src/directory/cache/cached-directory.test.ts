import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { CacheStore } from '../cache-store.ts';
import type { Account } from '../directories.ts';
import { DirectoryError } from '../directory-error.ts';
import { createDirectories } from '../lookup/create-directories.ts';
import type { Directory, DirectoryUser, Verdict } from '../port.ts';
import { createCachedDirectory } from './cached-directory.ts';
import { createMemoryCacheStore } from './memory-cache-store.ts';

const right = 'right password';

/** A directory whose users a test changes, and which records what it is asked. */
const createServer = (name = 'corp') => {
  const users = new Map<string, DirectoryUser>();
  const asked: string[] = [];
  const server = { isDown: false, delay: Promise.resolve() };
  const ask = async (what: string) => {
    asked.push(what);
    await server.delay;
    if (server.isDown) throw new DirectoryError('unavailable', name, 'no answer');
  };
  const directory: Directory = {
    name,
    find: async (login) => {
      await ask(`find ${login}`);
      const user = users.get(login);
      return user && { ...user };
    },
    load: async (id) => {
      await ask(`load ${id}`);
      return [...users.values()].find((user) => user.id === id);
    },
    verify: async ({ handle }, password): Promise<Verdict> => {
      await ask(`verify ${handle}`);
      if (![...users.values()].some((user) => user.handle === handle))
        return { accepted: false, reason: 'unknown_user' };
      return password === right ? { accepted: true } : { accepted: false, reason: 'wrong_password' };
    },
    verifyUnknown: () => ask('verifyUnknown'),
    check: async () => [],
    close: async () => undefined,
  };
  const add = (login: string, id = login, handle = `dn-of-${login}`) =>
    users.set(login, { id, handle, claims: { name: login, groups: ['staff'] } });
  return { directory, users, add, asked, server };
};

const open = (more: { readonly store?: CacheStore; readonly ttlSeconds?: number } = {}) => {
  const clock = { now: Date.now() };
  const server = createServer();
  server.add('alice');
  const lookups: boolean[] = [];
  const errors: unknown[] = [];
  const store = more.store ?? createMemoryCacheStore();
  const cached = createCachedDirectory({
    directory: server.directory,
    now: () => clock.now,
    onLookup: ({ hit }) => lookups.push(hit),
    onStoreError: (error) => errors.push(error),
    ...more,
    store,
  });
  return { ...server, cached, clock, store, lookups, errors };
};

describe('the user cache', () => {
  it('answers find for five minutes, and reports hits', async () => {
    const { cached, asked, clock, lookups } = open();
    const first = await cached.find('alice');
    expect(await cached.find('alice')).toEqual(first);
    clock.now += 299_000;
    expect(await cached.find('alice')).toEqual(first);
    expect(asked).toEqual(['find alice']);
    clock.now += 2000;
    await cached.find('alice');
    expect(asked).toEqual(['find alice', 'find alice']);
    expect(lookups).toEqual([false, true, true, false]);
  });

  it('always asks the directory for verify and load, and holds no password', async () => {
    const { cached, asked, store } = open();
    const user = (await cached.find('alice')) as DirectoryUser;
    expect(await cached.verify(user, right)).toEqual({ accepted: true });
    expect(await cached.verify(user, right)).toEqual({ accepted: true });
    await cached.load('alice');
    expect(asked).toEqual(['find alice', 'verify dn-of-alice', 'verify dn-of-alice', 'load alice']);
    expect(JSON.stringify(await store.get('corp', 'alice'))).not.toContain(right);
  });

  it('does not remember that a login is unknown', async () => {
    const { cached, add } = open();
    expect(await cached.find('bob')).toBeUndefined();
    add('bob');
    expect(await cached.find('bob')).toMatchObject({ id: 'bob' });
  });

  it('learns nothing during an outage, and keeps what it knew', async () => {
    const { cached, server, asked } = open();
    await cached.find('alice');
    server.isDown = true;
    await expect(cached.find('bob')).rejects.toMatchObject({ code: 'unavailable' });
    const user = (await cached.find('alice')) as DirectoryUser;
    await expect(cached.verify(user, right)).rejects.toMatchObject({ code: 'unavailable' });
    server.isDown = false;
    expect(await cached.find('bob')).toBeUndefined();
    expect(await cached.verify(user, right)).toEqual({ accepted: true });
    expect(asked.filter((each) => each === 'find alice')).toHaveLength(1);
  });

  it('searches once for callers at the same time, and not for callers of another login', async () => {
    const { cached, asked, add } = open();
    add('bob');
    const found = await Promise.all(['alice', 'alice', 'bob', 'alice'].map((login) => cached.find(login)));
    expect(found.map((user) => user?.id)).toEqual(['alice', 'alice', 'bob', 'alice']);
    expect(asked.toSorted()).toEqual(['find alice', 'find bob']);
  });

  it('does not share the failure of a search with later callers', async () => {
    const { cached, server } = open();
    server.isDown = true;
    await expect(Promise.all([cached.find('alice'), cached.find('alice')])).rejects.toThrow('no answer');
    server.isDown = false;
    expect(await cached.find('alice')).toMatchObject({ id: 'alice' });
  });

  it('gives each caller the same claims, which no caller can change', async () => {
    const { cached } = open();
    await cached.find('alice');
    const user = (await cached.find('alice')) as DirectoryUser;
    expect(() => (user.claims.groups as string[]).push('admins')).toThrow(TypeError);
    expect((await cached.find('alice'))?.claims.groups).toEqual(['staff']);
  });

  it('works without a store that fails, and reports the failures', async () => {
    const fail = () => Promise.reject(new Error('no store'));
    const { cached, errors } = open({ store: { get: fail, put: fail, purge: fail } });
    expect(await cached.find('alice')).toMatchObject({ id: 'alice' });
    expect(await cached.find('alice')).toMatchObject({ id: 'alice' });
    expect(errors).toHaveLength(4);
    await expect(cached.purge()).rejects.toThrow('no store');
  });
});

describe('a purge', () => {
  it('removes one login or all users of the directory', async () => {
    const { cached, add, asked, store } = open();
    add('bob');
    await store.put('other', 'alice', { user: { id: 'x', handle: 'x', claims: {} }, fetchedAt: 0 }, 300);
    for (const login of ['alice', 'bob']) await cached.find(login);
    expect(await cached.purge('alice')).toBe(1);
    await cached.find('bob');
    expect(asked).toEqual(['find alice', 'find bob']);
    await cached.find('alice');
    expect(asked).toHaveLength(3);
    expect(await cached.purge()).toBe(2);
    expect(await store.get('other', 'alice')).toBeDefined();
  });

  it('a search that began before the purge does not undo it', async () => {
    const { cached, server, store, asked } = open();
    const { promise, resolve } = Promise.withResolvers<void>();
    server.delay = promise;
    const before = cached.find('alice');
    await turn();
    await cached.purge('alice');
    resolve();
    expect(await before).toMatchObject({ id: 'alice' });
    expect(await store.get('corp', 'alice')).toBeUndefined();
    await cached.find('alice');
    expect(asked).toHaveLength(2);
  });

  it('of a list takes a directory, a login with its realm, or all', async () => {
    const [corp, local] = [createServer('corp'), createServer('local')];
    for (const server of [corp, local]) for (const login of ['alice', 'bob']) server.add(login);
    const cache = { store: createMemoryCacheStore() };
    const directories = createDirectories([
      { directory: corp.directory, realm: { suffixes: ['corp.example'] }, cache },
      { directory: local.directory, cache },
    ]);
    const fill = async () => {
      for (const login of ['alice@corp.example', 'bob@corp.example', 'alice', 'bob']) await directories.find(login);
    };
    await fill();
    expect(await directories.purge({ login: 'Alice@corp.example' })).toBe(1);
    await fill();
    expect(await directories.purge({ directory: 'corp' })).toBe(2);
    await fill();
    expect(await directories.purge({ directory: 'corp', login: 'alice' })).toBe(1);
    await fill();
    expect(await directories.purge({ login: 'alice' })).toBe(2);
    await fill();
    expect(await directories.purge({})).toBe(4);
    expect(await directories.purge({ login: 'alice\0' })).toBe(0);
  });
});

describe('a cached user who has changed in the directory', () => {
  const openList = () => {
    const server = createServer();
    server.add('alice', 'id-1');
    const directories = createDirectories([
      { directory: server.directory, cache: { store: createMemoryCacheStore() } },
    ]);
    return { ...server, directories };
  };

  it('a user whom the directory no longer knows is searched once more, and signs in', async () => {
    const { directories, add, asked } = openList();
    await directories.find('alice');
    add('alice', 'id-1', 'dn-after-move');
    expect(await directories.authenticate('alice', right)).toMatchObject({
      accepted: true,
      account: { subject: 'corp.id-1' },
    });
    expect(asked).toEqual(['find alice', 'verify dn-of-alice', 'find alice', 'verify dn-after-move']);
  });

  it('never gives the subject to the next user of the login', async () => {
    const { directories, add } = openList();
    await directories.find('alice');
    add('alice', 'id-2', 'dn-of-another');
    expect(await directories.authenticate('alice', right)).toMatchObject({ account: { subject: 'corp.id-2' } });
  });

  it('a deleted user is unknown, and nothing of the user remains', async () => {
    const { directories, users, asked } = openList();
    await directories.find('alice');
    users.clear();
    expect(await directories.authenticate('alice', right)).toEqual({ accepted: false, reason: 'unknown_user' });
    expect(asked.slice(1)).toEqual(['verify dn-of-alice', 'find alice', 'verifyUnknown']);
    expect(await directories.find('alice')).toBeUndefined();
  });

  it('signs in as soon as the directory accepts the password again, whatever the cache holds', async () => {
    const { directories, users } = openList();
    const user = { id: 'id-1', handle: 'dn-of-alice', claims: {} };
    users.set('alice', { ...user, refusal: 'locked', passwordVersion: '1' });
    expect(await directories.find('alice')).toMatchObject({ refusal: 'locked', passwordVersion: '1' });
    users.set('alice', { ...user, passwordVersion: '2' });
    const { account } = (await directories.authenticate('alice', right)) as { account: Account };
    expect([account.refusal, account.passwordVersion]).toEqual([undefined, undefined]);
    expect(await directories.load('corp.id-1')).toMatchObject({ passwordVersion: '2' });
  });

  it('a wrong password makes the cache read the user again', async () => {
    const { directories, users, asked } = openList();
    await directories.find('alice');
    users.set('alice', { id: 'id-1', handle: 'dn-of-alice', claims: { name: 'New name' } });
    expect(await directories.authenticate('alice', 'wrong')).toMatchObject({ reason: 'wrong_password' });
    expect((await directories.find('alice'))?.claims.name).toBe('New name');
    expect(asked).toEqual(['find alice', 'verify dn-of-alice', 'find alice']);
  });
});

describe('the store in this process', () => {
  it('drops the users that were not used for longest', async () => {
    const store = createMemoryCacheStore({ maxEntries: 2 });
    const cached = { user: { id: 'x', handle: 'x', claims: {} }, fetchedAt: 0 };
    for (const login of ['a', 'b']) await store.put('corp', login, cached, 300);
    await store.get('corp', 'a');
    await store.put('corp', 'c', cached, 300);
    const left = await Promise.all(['a', 'b', 'c'].map((login) => store.get('corp', login)));
    expect(left.map((each) => each !== undefined)).toEqual([true, false, true]);
  });

  it('keeps directories and logins apart', async () => {
    const store = createMemoryCacheStore();
    await store.put('a', 'b c', { user: { id: 'x', handle: 'x', claims: {} }, fetchedAt: 0 }, 300);
    expect(await store.get('a b', 'c')).toBeUndefined();
    expect(await store.get('a', 'B c')).toBeUndefined();
  });
});
