import { assertSame } from '../kit/law.ts';
import { kinds } from '../port.ts';
import { assertAbsent, assertConflict, assertFound } from './assert.ts';
import { lawsOf } from './law.ts';
import {
  assertEachAbsent,
  assertEachStored,
  claim,
  commit,
  consume,
  freshGrant,
  freshId,
  freshRecord,
  put,
  putEach,
  readEach,
  readOne,
  revoke,
} from './records.ts';

export const revokeLaws = lawsOf({
  'revoke-removes-the-whole-grant': {
    says: 'Revoke removes the records of the grant: of every kind, put or claimed, consumed or not.',
    async check({ store }) {
      const grant = freshGrant();
      const records = kinds.flatMap((kind) => [grant.record({ kind }), grant.record({ kind })]);
      for (const [index, record] of records.entries()) await commit(store, index % 2 ? put(record) : claim(record));
      await commit(store, consume(records[0] ?? freshRecord()));
      await commit(store, revoke(grant.grantId));
      const found = await readEach(store, records);
      assertSame(
        found.flatMap((record) => record?.kind ?? []),
        [],
        'the kinds that survived the revocation',
      );
    },
  },
  'revoke-spares-all-else': {
    says: 'Revoke keeps records of other grants and of none, even if they share its subject, client or id.',
    async check({ store }) {
      const grant = freshGrant();
      const owner = { subject: freshId(), clientId: freshId() };
      const revoked = grant.record(owner);
      const spared = [
        freshRecord(owner),
        freshGrant().record(owner),
        freshRecord({ ...owner, kind: 'refresh_token', id: revoked.id }),
        freshRecord({ ...owner, kind: 'session' }),
        freshRecord({ kind: 'consent', id: grant.grantId }),
        freshRecord({ grantId: `${grant.grantId}x` }),
        freshRecord({ grantId: grant.grantId.slice(0, -1) }),
      ];
      await putEach(store, [revoked, ...spared]);
      await commit(store, revoke(grant.grantId));
      assertAbsent(await readOne(store, revoked), 'the record of the revoked grant');
      await assertEachStored(store, spared, 'a record outside the grant');
    },
  },
  'revoke-never-conflicts': {
    says: 'Revoking an unknown grant, or one twice, is no conflict, and does not bar what is put for the grant later.',
    async check({ store }) {
      const grant = freshGrant();
      const record = grant.record();
      await commit(store, revoke(grant.grantId));
      await commit(store, put(record));
      await commit(store, revoke(grant.grantId));
      await commit(store, revoke(grant.grantId));
      await commit(store, claim(record));
      assertFound(await readOne(store, record), record, 'a record claimed after its grant was revoked');
    },
  },
  'revoke-takes-its-turn-in-a-commit': {
    says: 'Among other writes, revoke removes records of earlier writes but not of later ones, and is undone with them.',
    async check({ store }) {
      const grant = freshGrant();
      const [old, before, after] = [grant.record(), grant.record(), grant.record()];
      await commit(store, put(old));
      const missing = consume(grant.record());
      assertConflict(
        await store.commit([revoke(grant.grantId), missing]),
        missing,
        'absent',
        'revoking before a conflict',
      );
      assertFound(await readOne(store, old), old, 'a record whose revocation was undone');
      await commit(store, put(before), revoke(grant.grantId), put(after));
      const ids = (await readEach(store, [old, before, after])).map((found) => found?.id);
      assertSame(ids, [undefined, undefined, after.id], 'the ids left by [put, revoke, put]');
    },
  },
  // The phantom: a store that looks up the grant's records, then deletes those, misses the successor put meanwhile.
  'revoke-leaves-no-successor': {
    says: 'After a revocation in parallel with a rotation (consume and put) of the same grant, none of its records is left.',
    async check({ store }) {
      const rounds = Array.from({ length: 25 }, () => freshGrant());
      await Promise.all(
        rounds.map(async (grant, index) => {
          const [old, successor] = [grant.record(), grant.record()];
          await commit(store, put(old));
          const calls = [
            () => store.commit([consume(old), put(successor)]),
            () => store.commit([revoke(grant.grantId)]),
          ];
          await Promise.all((index % 2 ? calls : calls.reverse()).map((call) => call()));
          await assertEachAbsent(store, [old, successor], 'a record of a grant that was revoked while it was rotated');
        }),
      );
    },
  },
});
