import { type Kysely, sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { Schema } from '../src/database/schema.ts';
import { createUsers, openAccountsMigrator } from '../src/index.ts';
import { insertUsers } from '../src/users/insert-users.ts';
import { searchKey } from '../src/users/search-keys.ts';
import { readUserPage, selectOutlook, selectUserPage } from '../src/users/user-page.ts';
import { type Engine, engines, openUntilEnd, useDatabases } from './databases.ts';

const { createUrl } = useDatabases();

const hashing = { hash: async () => 'unused' };

const open = async (engine: Engine) => {
  const url = await createUrl(engine);
  const database = await openUntilEnd(url);
  return { url, database, users: createUsers({ database, hashing }) };
};

const people = [
  { email: 'ada@example.com', claims: { name: 'Ada Lovelace', family_name: 'Lovelace' } },
  { username: 'alan', claims: { name: 'Dr. Alan Turing', family_name: 'Turing' }, state: 'disabled' },
  { email: 'bob@example.com', username: 'adam', claims: { name: 'Bob' } },
  { username: 'ärger', claims: { name: '１００ % Ärger' } },
  { username: 'nameless' },
] as const;

describe.each(engines)('users in %s are found', (engine) => {
  it.each([
    ['ad', ['ada@example.com', 'adam']],
    ['ADA L', ['ada@example.com']],
    ['lovelace', ['ada@example.com']],
    ['turing', ['alan']],
    ['alan', ['alan']],
    ['dr.  alan', ['alan']],
    ['ÄRG', ['ärger']],
    ['100 %', ['ärger']],
    ['%', []],
    ['_lan', []],
    ['example.com', []],
    ['absent', []],
  ])('by the beginning of a login name, name or family name: %s', async (search, expected) => {
    const { users } = await open(engine);
    for (const user of people) await users.create(user);
    const { users: found, next } = await users.list({ search, limit: 10 });
    const names = found.flatMap(({ identifiers }) => identifiers.map(({ value }) => value));
    expect(names.filter((name) => name !== 'bob@example.com').toSorted()).toEqual(expected);
    expect(next).toBeUndefined();
  });

  it('by state, and after a change by their new name only', async () => {
    const { users } = await open(engine);
    for (const user of people) await users.create(user);
    const [alan] = (await users.list({ state: 'disabled', limit: 10 })).users;
    expect(alan?.identifiers).toEqual([{ kind: 'username', value: 'alan' }]);
    expect((await users.list({ state: 'active', search: 'turing', limit: 10 })).users).toEqual([]);
    await users.updateClaims(alan?.id ?? '', { family_name: 'Mathison' });
    await users.update({ id: alan?.id ?? '', username: 'mathison', claims: { name: null } });
    for (const search of ['turing', 'dr.', 'alan'])
      expect((await users.list({ search, limit: 10 })).users, search).toEqual([]);
    expect((await users.list({ search: 'mathi', limit: 10 })).users).toHaveLength(1);
  });

  it('in pages that have each of them once, although several columns match', async () => {
    const { users } = await open(engine);
    for (let index = 0; index < 7; index += 1)
      await users.create({ username: `user${index}`, claims: { name: `User ${index}`, family_name: 'Userson' } });
    const seen: string[] = [];
    let after: string | undefined;
    do {
      const page = await users.list({ search: 'user', limit: 3, ...(after !== undefined && { after }) });
      seen.push(...page.users.map(({ identifiers }) => identifiers[0]?.value ?? ''));
      after = page.next;
    } while (after !== undefined);
    expect(seen.toSorted()).toEqual(Array.from({ length: 7 }, (_, index) => `user${index}`));
  });

  it('if they were created before the schema had the keys of names', async () => {
    const { url, database, users } = await open(engine);
    for (let index = 0; index < 1_100; index += 1) await users.create({ username: `u${index}` });
    await users.create({ username: 'ada', claims: { name: 'Ada Lovelace' } });
    const migrator = await openAccountsMigrator({ url });
    try {
      expect(await migrator.down()).toBe('0008-login-search');
      expect(await migrator.down()).toBe('0007-groups');
      expect(await migrator.down()).toBe('0006-provider-issuers');
      expect(await migrator.down()).toBe('0005-management');
      await migrator.up();
    } finally {
      await migrator.close();
    }
    const [found] = (await users.list({ search: 'ada love', limit: 10 })).users;
    expect(found?.identifiers[0]?.value).toBe('ada');
    const keys = await database.tables.selectFrom('carnet_user').select('name_key').where('name_key', 'is not', null);
    expect(await keys.execute()).toEqual([{ name_key: 'ada lovelace' }]);
  });
});

const ofNames = ['carnet_identifier', 'carnet_user_name', 'carnet_user_family_name'];

const queries = [
  ['all', { limit: 50 }, []],
  ['all of a later page', { limit: 50, after: '8' }, []],
  ['those of a state', { limit: 50, state: 'disabled' }, ['carnet_user_state']],
  ['that of a client', { limit: 50, externalId: 'x' }, ['carnet_user_external']],
  ['those found', { limit: 50, search: 'user12' }, ofNames],
  ['those found, of a state and a later page', { limit: 50, search: 'user1', state: 'disabled', after: '8' }, ofNames],
] as const;

const searches = [
  ['those found', { limit: 50, search: 'user12' }],
  ['all found, of a state', { limit: 50, search: 'u', state: 'disabled' }],
] as const;

/** Groups with two members each: Postgres reads an empty table without its index. */
const insertGroups = async (tables: Kysely<Schema>): Promise<void> => {
  const ids = Array.from({ length: 2_000 }, (_, index) => String(index));
  const groups = ids.map((id) => ({
    ...{ id, name: `Group ${id}`, name_key: `group ${id}`, external_id: null },
    ...{ created_at: 1, updated_at: 1 },
  }));
  const members = ids.flatMap((id) => [
    { group_id: id, user_id: id },
    { group_id: id, user_id: `1${id}` },
  ]);
  for (let from = 0; from < ids.length; from += 500)
    await tables
      .insertInto('carnet_group')
      .values(groups.slice(from, from + 500))
      .execute();
  for (let from = 0; from < members.length; from += 500)
    await tables
      .insertInto('carnet_group_member')
      .values(members.slice(from, from + 500))
      .execute();
};

/** Reproducible numbers below `end`. */
const createRandom = (seed: number) => {
  let state = seed;
  return (end: number): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state % end;
  };
};

/** Users with few letters, so that many match; the names of the last ones begin with a letter that no other has. */
const randomUsers = (random: (end: number) => number) => {
  const word = () => Array.from({ length: 1 + random(3) }, () => 'ab'[random(2)]).join('');
  return Array.from({ length: 300 }, (_, index) => {
    const names = [word(), ...(random(3) === 0 ? [word()] : [])].map((name, at) => `${name}${index}${'xy'[at]}`);
    return {
      id: String(1_000 + index),
      state: random(4) === 0 ? ('disabled' as const) : ('active' as const),
      claims: {
        ...(random(3) > 0 && { name: index > 280 ? `c${word()}` : word() }),
        ...(random(3) === 0 && { family_name: word() }),
      },
      identifiers: names.map((value) => ({ kind: 'username' as const, value })),
      passwordHash: undefined,
    };
  });
};

describe.each(engines)('a search in %s', (engine) => {
  it('finds the same users in the same order, whether it reads the next ids or the indexes of names', async () => {
    const { database } = await open(engine);
    const random = createRandom(24);
    const drafts = randomUsers(random);
    await insertUsers(database.tables, drafts, 1);
    const ways = [
      { dense: 1, walk: 10_000 },
      { dense: 1, walk: 20 },
      { dense: 40, walk: 60 },
      { dense: 10_000, walk: 1 },
    ];
    for (let round = 0; round < 60; round++) {
      const search = ['a', 'b', 'ab', 'bb', 'c', 'ca', 'x'][random(7)] ?? '';
      const state = ([undefined, 'active', 'disabled'] as const)[random(3)];
      const query = {
        search,
        limit: 1 + random(40),
        offset: [0, 0, 5, 50][random(4)],
        after: String(990 + random(320)),
      };
      const expected = drafts
        .filter(({ id, claims, identifiers, ...user }) => {
          const texts = [claims.name, claims.family_name, ...identifiers.map(({ value }) => value)];
          const isWanted = state === undefined || user.state === state;
          return isWanted && id > query.after && texts.some((text) => text?.startsWith(search));
        })
        .map(({ id }) => id);
      const from = query.offset ?? 0;
      for (const effort of ways) {
        const asked = { ...query, ...(state !== undefined && { state }) };
        const { users, next, total } = await readUserPage(database.tables, { ...asked, withTotal: true }, effort);
        const found = { ids: users.map(({ id }) => id), isLast: next === undefined, total };
        const ids = expected.slice(from, from + query.limit);
        const isLast = expected.length <= from + query.limit;
        expect(found, JSON.stringify([asked, effort])).toEqual({ ids, isLast, total: expected.length });
      }
    }
  });
});

describe.each(engines)('a page of 20,000 users in %s', (engine) => {
  it('reads no table without an index', async () => {
    const { database } = await open(engine);
    const drafts = Array.from({ length: 20_000 }, (_, index) => ({
      id: String(index),
      state: index % 50 === 0 ? ('disabled' as const) : ('active' as const),
      claims: { name: `User ${index}`, family_name: `Family ${index}` },
      identifiers: [{ kind: 'username' as const, value: `user${index}` }],
      passwordHash: 'unused',
    }));
    for (let from = 0; from < drafts.length; from += 500)
      await insertUsers(database.tables, drafts.slice(from, from + 500), 1);
    await insertGroups(database.tables);
    await sql`analyze`.execute(database.tables);
    const option = engine === 'sqlite' ? sql`query plan` : undefined;
    const plans = [
      ...queries.map(([name, query, indexes]) => [name, selectUserPage(database.tables, query), indexes] as const),
      ...searches.flatMap(([name, query]) => [
        [`${name}: outlook`, selectOutlook(database.tables, query), []] as const,
        [`${name}: next ids`, selectUserPage(database.tables, query, { until: '19' }), []] as const,
        [`${name}: last ids`, selectUserPage(database.tables, query, { until: null }), []] as const,
      ]),
    ];
    for (const [name, query, indexes] of plans) {
      const rows = await query.explain(undefined, option);
      const plan = rows.map((row) => row['QUERY PLAN'] ?? row.detail).join('\n');
      for (const index of ['index', ...indexes]) expect(plan.toLowerCase(), name).toContain(index);
      // SQLite scans the rows of the subquery, which it has found by indexes.
      expect(plan, name).not.toMatch(/Seq Scan|SCAN carnet_\w+(?! USING)/);
    }
  });
});

it('the key of a name is equal for all spellings, and has no text that Postgres refuses', () => {
  expect(searchKey('  ADA\t Lovelace\0 ')).toBe('ada lovelace');
  expect(searchKey('\ud800x')).toBe('x');
  expect(searchKey('😀'.repeat(200)).isWellFormed()).toBe(true);
});
