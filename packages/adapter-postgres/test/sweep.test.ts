import { startPostgres } from '@carnet/test-servers';
import { beforeTests } from '@carnet/test-servers/before-tests';
import { beforeEach, describe, expect, it } from 'vitest';
import { openPostgresAdapter } from '../src/index.ts';
import { createStore, freshRecord, put, withClient } from './store.ts';

// Vacuum would remove the index entries of deleted rows.
const server = beforeTests(() => startPostgres({ settings: { autovacuum: 'off' } }));
let url: string;
beforeEach(async () => {
  url = await createStore(server);
});

const expiredAt = (milliseconds: number) => put(freshRecord({ kind: 'replay', expiresAt: new Date(milliseconds) }));

const fill = (count: number) =>
  withClient(url, async (client) => {
    await client.query(
      `insert into carnet_record (place, kind, id, payload, expires_at)
       select n, 'replay', n, '{}', timestamptz '2020-01-01' + n * interval '1 second' from generate_series(1, $1::int) as n`,
      [count],
    );
    await client.query('vacuum analyze carnet_record');
  });

/** Blocks that all ended sessions have read of the index, from memory or from disk. */
const blocksRead = () =>
  withClient(url, async (client) => {
    const { rows } = await client.query(
      `select idx_blks_hit + idx_blks_read as blocks from pg_statio_user_indexes where indexrelname = 'carnet_record_expires'`,
    );
    return Number(rows[0].blocks);
  });

describe('a sweep', () => {
  it('does not read the index entries of rows that it has removed before', async () => {
    await fill(60_000);
    const before = await blocksRead();
    const store = openPostgresAdapter({ url });
    const batches = 400;
    for (let batch = 0; batch < batches; batch++) expect((await store.sweep(100)).removed).toBe(100);
    await store.close();
    // Each batch reads about 33 blocks, most of them to count up to 10,000 rows. From the beginning it would read up to
    // 110 more, twice.
    expect((await blocksRead()) - before).toBeLessThan(batches * 60);
  });

  it('finds rows that arrive with an earlier expiry than those it has removed', async () => {
    const store = openPostgresAdapter({ url });
    await store.commit([expiredAt(3_000), expiredAt(4_000), expiredAt(5_000)]);
    expect(await store.sweep(2)).toEqual({ removed: 2, left: 1 });
    await store.commit([expiredAt(1_000), expiredAt(2_000)]);
    expect(await store.sweep(2)).toEqual({ removed: 2, left: 1 });
    expect(await store.sweep(2)).toEqual({ removed: 1, left: 0 });
    await store.close();
  });

  it('finds rows that were locked when it passed them', async () => {
    const store = openPostgresAdapter({ url });
    await store.commit([expiredAt(1_000), expiredAt(2_000), expiredAt(3_000), expiredAt(4_000)]);
    await withClient(url, async (client) => {
      await client.query(`begin; select from carnet_record where expires_at = to_timestamp(1) for update`);
      expect((await store.sweep(2)).removed).toBe(2);
      expect(await store.sweep(2)).toEqual({ removed: 1, left: 1 });
      await client.query('rollback');
    });
    expect(await store.sweep(2)).toEqual({ removed: 1, left: 0 });
    await store.close();
  });
});
