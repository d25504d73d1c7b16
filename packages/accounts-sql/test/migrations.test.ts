import type { Migrator } from '@carnet/adapter-contract';
import { describe, expect, it } from 'vitest';
import { createFactorStore, openAccountsDatabase, openAccountsMigrator } from '../src/index.ts';
import { engines, openUntilEnd, useDatabases } from './databases.ts';

const { createEmptyUrl } = useDatabases();

const withMigrator = async <T>(url: string, use: (migrator: Migrator) => Promise<T>): Promise<T> => {
  const migrator = await openAccountsMigrator({ url });
  try {
    return await use(migrator);
  } finally {
    await migrator.close();
  }
};

describe.each(engines)('the migrations of %s', (engine) => {
  it('apply each step once, although ten processes begin at the same time', async () => {
    const url = await createEmptyUrl(engine);
    const answers = await Promise.all(Array.from({ length: 10 }, () => withMigrator(url, (migrator) => migrator.up())));
    expect(answers.flat()).toEqual([
      '0001-accounts',
      '0002-links',
      '0003-deletion',
      '0004-identities',
      '0005-management',
      '0006-provider-issuers',
      '0007-groups',
      '0008-login-search',
    ]);
    const [step] = await withMigrator(url, (migrator) => migrator.status());
    expect(step?.appliedAt?.getTime()).toBeGreaterThan(Date.now() - 60_000);
  });

  it('list the missing steps of an empty database', async () => {
    const url = await createEmptyUrl(engine);
    expect(await withMigrator(url, (migrator) => migrator.status())).toEqual([
      { name: '0001-accounts', appliedAt: null },
      { name: '0002-links', appliedAt: null },
      { name: '0003-deletion', appliedAt: null },
      { name: '0004-identities', appliedAt: null },
      { name: '0005-management', appliedAt: null },
      { name: '0006-provider-issuers', appliedAt: null },
      { name: '0007-groups', appliedAt: null },
      { name: '0008-login-search', appliedAt: null },
    ]);
  });

  it('are reverted with the data, and applied again', async () => {
    const url = await createEmptyUrl(engine);
    const database = await openUntilEnd(url);
    await createFactorStore({ database }).claim('once', Date.now() + 60_000);
    expect(await withMigrator(url, (migrator) => migrator.down())).toBe('0008-login-search');
    expect(await withMigrator(url, (migrator) => migrator.down())).toBe('0007-groups');
    expect(await withMigrator(url, (migrator) => migrator.down())).toBe('0006-provider-issuers');
    expect(await withMigrator(url, (migrator) => migrator.down())).toBe('0005-management');
    expect(await withMigrator(url, (migrator) => migrator.down())).toBe('0004-identities');
    expect(await withMigrator(url, (migrator) => migrator.down())).toBe('0003-deletion');
    expect(await withMigrator(url, (migrator) => migrator.down())).toBe('0002-links');
    expect(await withMigrator(url, (migrator) => migrator.down())).toBe('0001-accounts');
    expect(await withMigrator(url, (migrator) => migrator.down())).toBeUndefined();
    await expect(database.ping()).rejects.toThrow('Run `carnet migrate up`');
    expect(await withMigrator(url, (migrator) => migrator.up())).toEqual([
      '0001-accounts',
      '0002-links',
      '0003-deletion',
      '0004-identities',
      '0005-management',
      '0006-provider-issuers',
      '0007-groups',
      '0008-login-search',
    ]);
    expect(await createFactorStore({ database }).claim('once', Date.now() + 60_000)).toBe(true);
  });

  it('refuse to revert a step of a later release', async () => {
    const url = await createEmptyUrl(engine);
    const database = await openUntilEnd(url);
    await database.tables
      .insertInto('carnet_accounts_migration')
      .values({ name: '9999-later', applied_at: 1 })
      .execute();
    await expect(withMigrator(url, (migrator) => migrator.down())).rejects.toThrow('9999-later');
    await database.ping();
  });
});

describe('an accounts database', () => {
  it('in Postgres is not migrated at open without consent, and its failure names the remedy', async () => {
    const database = await openAccountsDatabase({ url: await createEmptyUrl('postgres') });
    await expect(database.ping()).rejects.toMatchObject({ code: 'unavailable' });
    await expect(createFactorStore({ database }).list('subject')).rejects.toThrow('Run `carnet migrate up`');
    await database.close();
  });

  it.each([
    ['mysql://localhost/accounts', 'must begin with'],
    ['sqlite:', 'must name a file'],
    ['sqlite::memory:', 'must name a file'],
    ['sqlite:accounts.db?mode=ro', 'no parameter "mode"'],
    ['postgres://user:hunter/2:x@host/db', 'cannot be parsed'],
    ['postgres://localhost/db?pool=0', '"pool"'],
  ])('refuses the URL %s and does not repeat it', async (url, message) => {
    const error: Error = await openAccountsDatabase({ url }).then(
      () => new Error('opened'),
      (thrown) => thrown,
    );
    expect(error.message).toContain(message);
    expect(error.message).not.toContain('hunter');
  });
});
