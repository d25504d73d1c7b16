import { expect, it } from 'vitest';
import { openSharedDatabase } from '../src/database/shared-database.ts';
import { openAccountsDatabase } from '../src/index.ts';
import { useDatabases } from './databases.ts';

const { createUrl, createEmptyUrl } = useDatabases();

it('issuers with one Postgres URL share its connections, until the last of them is closed', async () => {
  const url = `${await createUrl('postgres')}?pool=2`;
  const own = await openAccountsDatabase({ url, migrate: true });
  await own.close();
  const [one, other] = await Promise.all([openSharedDatabase({ url }), openSharedDatabase({ url })]);
  expect(one.tables).toBe(other.tables);
  await one.close();
  await one.close();
  await other.ping();
  const later = await openSharedDatabase({ url });
  expect(later.tables).toBe(other.tables);
  await other.close();
  await later.ping();
  await later.close();
  await expect(later.ping()).rejects.toThrow();
  const again = await openSharedDatabase({ url });
  expect(again.tables).not.toBe(later.tables);
  await again.ping();
  await again.close();
});

it('a database that could not be opened is opened again for the next issuer', async () => {
  const url = `${await createEmptyUrl('postgres')}?pool=2`;
  const wrong = url.replace('127.0.0.1', '127.0.0.1:1');
  await expect(openSharedDatabase({ url: wrong, migrate: true })).rejects.toThrow();
  await expect(openSharedDatabase({ url: wrong, migrate: true })).rejects.toThrow();
  const right = await openSharedDatabase({ url, migrate: true });
  await right.ping();
  await right.close();
});

it('issuers with one SQLite file, or with a clock of their own, share nothing', async () => {
  const [file, url] = [await createUrl('sqlite'), await createUrl('postgres')];
  const now = () => 1;
  for (const options of [{ url: file }, { url, migrate: true, now }]) {
    const [one, other] = [await openSharedDatabase(options), await openSharedDatabase(options)];
    expect(one.tables).not.toBe(other.tables);
    await one.close();
    await other.ping();
    await other.close();
  }
});
