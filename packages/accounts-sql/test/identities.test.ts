import { describe, expect, it } from 'vitest';
import { createIdentityStore } from '../src/index.ts';
import { engines, openUntilEnd, useDatabases } from './databases.ts';
import { openTestUsers } from './open-users.ts';

const { createUrl } = useDatabases();

const upstream = { provider: 'corp', upstreamSubject: 'u-1' };
const identityOf = (id: string) => ({ id, ...upstream, shown: 'ada@example.com' });

describe.each(engines)('the identities in %s', (engine) => {
  const open = async () => {
    const clock = { now: 1_000_000 };
    const url = await createUrl(engine);
    const [database, second] = [await openUntilEnd(url, () => clock.now), await openUntilEnd(url)];
    const now = () => clock.now;
    return {
      clock,
      database,
      store: createIdentityStore({ database, now }),
      other: createIdentityStore({ database: second, now }),
    };
  };

  it('of ten parallel calls with one identity, one links it', async () => {
    const { store, other, clock } = await open();
    const calls = Array.from({ length: 10 }, (_, index) =>
      (index % 2 === 0 ? store : other).link({ ...identityOf(`i${index}`), subject: `people.${index}` }, clock.now),
    );
    expect((await Promise.all(calls)).filter(Boolean)).toHaveLength(1);
    expect(await store.find(upstream)).toMatchObject({
      provider: 'corp',
      shown: 'ada@example.com',
      linkedAt: clock.now,
    });
    expect(await store.find({ ...upstream, provider: 'another' })).toBeUndefined();
  });

  it('after an unlinking, only a later proof links it again; the sweep removes the trace when earlier ones have expired', async () => {
    const { store, clock, database } = await open();
    const link = { ...identityOf('i1'), subject: 'people.1' };
    expect(await store.link(link, clock.now)).toBe(true);
    expect(await store.unlink('people.2', 'i1', { keepLast: false })).toBe(false);
    expect(await store.unlink('people.1', 'i1', { keepLast: true })).toBe(false);
    expect(await store.unlink('people.1', 'i1', { keepLast: false })).toBe(true);
    expect([await store.find(upstream), await store.list('people.1')]).toEqual([undefined, []]);
    expect(await store.link({ ...link, id: 'i2' }, clock.now)).toBe(false);
    expect(await store.link({ ...link, id: 'i2' }, clock.now + 1)).toBe(true);
    expect(await store.list('people.1')).toMatchObject([{ id: 'i2' }]);
    expect(await store.unlink('people.1', 'i2', { keepLast: false })).toBe(true);
    clock.now += 20 * 60_000;
    expect(await database.sweep()).toBe(0);
    clock.now += 1;
    expect(await database.sweep()).toBe(1);
  });

  it('are created with their user in one commit, or not at all, and deleted with the user', async () => {
    const { database, users } = await openTestUsers(await createUrl(engine));
    const store = createIdentityStore({ database });
    const identity = { ...identityOf('i1'), subjectPrefix: 'people.', since: Date.now() };
    const created = await users.create({ claims: { name: 'Ada' }, identity });
    if (!created.created) throw new Error(created.message);
    const { id } = created.user;
    const subject = `people.${id}`;
    expect(await store.list(subject)).toMatchObject([{ id: 'i1', subject }]);
    const again = { email: 'other@example.com', identity: { ...identity, id: 'i2' } };
    expect(await users.create(again)).toMatchObject({ created: false, reason: 'taken' });
    expect(await users.find('other@example.com')).toBeUndefined();
    expect(await users.create({ claims: {} })).toMatchObject({ created: false, reason: 'invalid_login' });
    expect(await users.remove(id, subject)).toBe(true);
    expect(await store.find(upstream)).toBeUndefined();
    expect((await users.create(again)).created).toBe(true);
  });
});
