import type { DirectoryUser } from '@carnet/accounts/directory';
import { describe, expect, it } from 'vitest';
import { createDatabaseCache } from '../src/index.ts';
import { engines, openUntilEnd, useDatabases } from './databases.ts';

const { createUrl } = useDatabases();

const user = (name: string): DirectoryUser => ({
  id: 'id-1',
  handle: 'uid=ada,ou=staff',
  claims: { name, groups: ['a'] },
});

describe.each(engines)('the user cache in %s', (engine) => {
  const open = async () => {
    let time = 1_790_000_000_000;
    const now = () => time;
    const url = await createUrl(engine);
    const [database, second] = [await openUntilEnd(url, now), await openUntilEnd(url, now)];
    return {
      database,
      cache: createDatabaseCache({ database, now }),
      other: createDatabaseCache({ database: second, now }),
      now,
      wait: (seconds: number) => {
        time += seconds * 1_000;
      },
    };
  };

  it('returns a user to every process, until its time ends', async () => {
    const { cache, other, now, wait, database } = await open();
    expect(await cache.get('ldap', 'ada')).toBeUndefined();
    const cached = { user: user('Ada'), fetchedAt: now() };
    await cache.put('ldap', 'ada', cached, 60);
    expect(await other.get('ldap', 'ada')).toEqual(cached);
    for (const [directory, login] of [
      ['ldap', 'Ada'],
      ['other', 'ada'],
      ['ldap', 'ad'],
    ] as const)
      expect(await other.get(directory, login)).toBeUndefined();
    wait(59);
    expect(await other.get('ldap', 'ada')).toEqual(cached);
    wait(1);
    expect(await other.get('ldap', 'ada')).toBeUndefined();
    wait(1);
    expect(await database.sweep()).toBe(1);
  });

  it('keeps the user that was fetched last, in whichever order the processes store', async () => {
    const { cache, other, now } = await open();
    const [older, newer] = [
      { user: user('Old'), fetchedAt: now() - 1_000 },
      { user: user('New'), fetchedAt: now() },
    ];
    await cache.put('ldap', 'ada', newer, 60);
    await other.put('ldap', 'ada', older, 60);
    expect(await cache.get('ldap', 'ada')).toEqual(newer);
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? cache : other).put('ldap', 'bob', newer, 60)),
    );
    expect(await cache.get('ldap', 'bob')).toEqual(newer);
  });

  it('the cache can be purged by user, by directory, or as a whole', async () => {
    const { cache, other, now } = await open();
    const fill = async () => {
      for (const directory of ['ldap', 'ad'])
        for (const login of ['ada', 'bob'])
          await cache.put(directory, login, { user: user(login), fetchedAt: now() }, 60);
    };
    await fill();
    expect(await other.purge({ directory: 'ldap', login: 'ada' })).toBe(1);
    expect(await cache.get('ldap', 'ada')).toBeUndefined();
    expect(await other.purge({ login: 'ada' })).toBe(1);
    expect(await other.purge({ directory: 'ldap' })).toBe(1);
    expect((await cache.get('ad', 'bob'))?.user.claims.name).toBe('bob');
    await fill();
    expect(await other.purge({})).toBe(4);
  });
});
