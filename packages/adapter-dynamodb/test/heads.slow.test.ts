import type { RecordKey } from '@carnet/adapter-contract';
import { laws } from '@carnet/adapter-contract/laws';
import { openAdapter } from '@carnet/adapter-dynamodb';
import { startDynamoDb } from '@carnet/test-servers';
import { beforeTests } from '@carnet/test-servers/before-tests';
import { expect, test } from 'vitest';
import { withKeys } from '../../adapter-contract/src/mutants/mutant.ts';
import { claim, createStore, freshGrant, grantKey, merge, put, revoke } from './store.ts';

const server = beforeTests(() => startDynamoDb());
const store = beforeTests(async () => openAdapter({ url: await createStore(server) }));

/** Laws in which a grant has one record only. */
const ofOneRecord = ['two-writes-come-to-what-two-commits-do', 'writes-see-earlier-ones'];

const intoHead = <K extends RecordKey>(key: K): K =>
  key.grantId === undefined ? key : { ...key, ...grantKey(key.grantId) };

/** The store, with each record of a grant in the grant's head. */
const inHeads = () => withKeys(store, intoHead);

test.for(laws.filter(({ name }) => ofOneRecord.includes(name)))(
  'a record in a head keeps the law $name',
  async (law) => {
    await law.check({ store: inHeads(), open: async () => inHeads() });
  },
);

test('a head whose record is removed remembers the revocations of its grant', async () => {
  const { grantId, record } = freshGrant();
  const [grant, token] = [{ ...record(), ...grantKey(grantId), subject: 'subject' }, record()];
  await store.commit([put(grant), put(token)]);
  await store.commit([revoke(grantId)]);
  await store.commit([put(grant)]);
  await store.commit([{ type: 'remove', key: grantKey(grantId) }]);
  expect(await store.read([grant, token])).toEqual([undefined, undefined]);
  expect(await store.commit([merge(token, 'member')])).toMatchObject({ reason: 'absent' });
  expect(await store.commit([claim(token)])).toBeUndefined();
  expect((await store.read([token]))[0]?.id).toBe(token.id);
});
