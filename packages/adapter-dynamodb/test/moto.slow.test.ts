import { StoreUnfitError } from '@carnet/adapter-contract';
import { laws, reasonToSkip } from '@carnet/adapter-contract/laws';
import { openAdapter, openMigrator } from '@carnet/adapter-dynamodb';
import { startMoto } from '@carnet/test-servers';
import { beforeTests, closing } from '@carnet/test-servers/before-tests';
import { describe, expect, test } from 'vitest';
import { createStore, freshRecord, put, useCredentials } from './store.ts';

/**
 * moto implements DynamoDB's expressions and errors apart from our server. It carries out parallel transactions wrongly, so
 * only laws with one call at a time are run on it.
 */
const server = beforeTests(startMoto);
const urlOf = (table: string) => `dynamodb://eu-west-1/${table}?endpoint=${server.url}`;
const store = beforeTests(async () => openAdapter({ url: await createStore({ url: urlOf }) }));

const oneCallAtATime = [
  'read-answers-in-the-order-of-its-keys',
  'read-gives-back-every-field',
  'payloads-come-back-verbatim',
  'expired-is-absent-to-writes',
  'put-replaces-the-whole-record',
  'commit-spans-grants',
  'conflict-undoes-its-whole-part',
  'merge-adds-to-the-set',
  'members-come-back-verbatim',
  'merge-needs-a-live-unconsumed-record',
  'revoke-removes-the-whole-grant',
  'revoke-spares-all-else',
  'revoke-never-conflicts',
  'revoke-takes-its-turn-in-a-commit',
  'writes-see-earlier-ones',
  'list-follows-every-change',
];

describe('on moto', () => {
  const chosen = laws.filter(({ name }) => oneCallAtATime.includes(name));
  test('all of these laws exist', () => expect(chosen).toHaveLength(oneCallAtATime.length));

  test.for(chosen)('the law $name is kept', { timeout: 60_000 }, async (law) => {
    expect(reasonToSkip(law, store.capabilities)).toBeUndefined();
    await law.check({ store, open: async () => store });
  });
});

test('`up` creates a table once, with a TTL, and `down` deletes it', async () => {
  useCredentials();
  const migrator = await closing(openMigrator({ url: `${urlOf('made')}&expiry=sweep` }));
  expect(await migrator.status()).toEqual([{ name: '0001-table', appliedAt: null }]);
  expect(await migrator.up()).toEqual(['0001-table']);
  expect(await migrator.up()).toEqual([]);
  expect(await migrator.status()).toEqual([{ name: '0001-table', appliedAt: expect.any(Date) }]);
  expect(await migrator.down()).toBe('0001-table');
  expect(await migrator.down()).toBeUndefined();
});

test('a table that does not exist makes the store unfit', async () => {
  const missing = await closing(openAdapter({ url: urlOf('missing') }));
  await expect(missing.ping()).rejects.toThrow(StoreUnfitError);
  await expect(missing.commit([put(freshRecord())])).rejects.toThrow('carnet migrate up');
});
