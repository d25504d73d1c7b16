import { setTimeout as pause } from 'node:timers/promises';
import type { Conflict, StorageAdapter, Write } from '@carnet/adapter-contract';
import { hasGalera, startGalera } from '@carnet/test-servers';
import { beforeTests } from '@carnet/test-servers/before-tests';
import mysql from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { merge, remove } from '../../adapter-contract/src/laws/records.ts';
import { openAdapter, openMysqlAdapter } from '../src/index.ts';
import { claim, consume, freshId, freshRecord, put, revoke, withConnection, withMigrator } from './store.ts';

const title = 'a cluster of MariaDB with Galera, with commits on two nodes at once';
const reason = hasGalera() ? '' : ' (skipped: `galera-4` is not installed)';

describe.skipIf(reason !== '')(title + reason, () => {
  const cluster = beforeTests(startGalera);
  let stores: readonly [StorageAdapter, StorageAdapter];
  beforeAll(async () => {
    await withMigrator(cluster.nodes[0], (migrator) => migrator.up());
    const open = (index: 0 | 1) => openMysqlAdapter({ url: cluster.nodes[index].url });
    stores = [open(0), open(1)];
  });
  afterAll(() => Promise.all(stores.map((store) => store.close())));

  const outcomeOf = (committed: Promise<Conflict | undefined>) =>
    committed.then(
      (conflict) => conflict?.reason ?? 'committed',
      (error: { readonly errno?: number }) => `error ${error.errno}`,
    );

  /** One commit of each writes at the same time, in turn on the one and the other node. */
  const commitAtOnce = (commits: readonly (readonly Write[])[]): Promise<readonly string[]> =>
    Promise.all(commits.map((writes, index) => outcomeOf((index % 2 ? stores[1] : stores[0]).commit(writes))));

  const atOnce = 20;

  test.for([
    ['claimed', 100],
    ['consumed', 300],
  ] as const)(`a record is %s once, by one of ${atOnce} at once, in each of %i rounds`, async ([way, rounds]) => {
    const seen = new Set<string>();
    for (let round = 0; round < rounds; round += 1) {
      const record = freshRecord({ kind: 'authorization_code', grantId: freshId() });
      if (way === 'consumed') await stores[0].commit([put(record)]);
      const write = way === 'claimed' ? claim(record) : consume(record);
      const outcomes = await commitAtOnce(
        Array.from({ length: atOnce }, () => [write, put(freshRecord({ grantId: record.grantId ?? '' }))]),
      );
      expect(outcomes.filter((outcome) => outcome === 'committed')).toHaveLength(1);
      for (const outcome of outcomes) seen.add(outcome);
    }
    expect([...seen].sort()).toEqual(['committed', way === 'claimed' ? 'exists' : 'consumed']);
  });

  test('a revocation on the one node and a commit that needs a record of the grant on the other do not both hold', async () => {
    for (let round = 0; round < 100; round += 1) {
      const grantId = freshId();
      const [needed, added] = [freshRecord({ grantId }), freshRecord({ grantId })];
      await stores[0].commit([put(needed)]);
      // The same member twice: the second time the merge is a condition alone.
      await stores[0].commit([merge(needed, 'member')]);
      const member = round % 2 === 0 ? [] : ['member'];
      const [, revoked] = await commitAtOnce([[merge(needed, ...member), put(added)], [revoke(grantId)]]);
      expect(revoked).toBe('committed');
      for (const store of stores) expect(await store.read([needed, added])).toEqual([undefined, undefined]);
    }
  });

  /** As if the second node received what the first one commits and had not carried it out. */
  const whileBehind = (use: () => Promise<void>): Promise<void> =>
    withConnection(cluster.nodes[1].url, async (connection) => {
      await connection.query('flush tables with read lock');
      try {
        await use();
      } finally {
        await connection.query('unlock tables');
      }
    });

  test('a node that is behind answers when it has caught up', async () => {
    const grantId = freshId();
    const [kept, removed, issued] = [freshRecord(), freshRecord(), freshRecord()];
    const ofGrant = freshRecord({ grantId });
    await stores[0].commit([put(removed)]);
    let reads: Promise<unknown>[] = [];
    await whileBehind(async () => {
      await stores[0].commit([put(issued)]);
      await stores[0].commit([put(kept)]);
      await stores[0].commit([put(ofGrant)]);
      await stores[0].commit([remove(removed)]);
      reads = [
        stores[1].read([issued, removed]),
        stores[1].commit([remove(kept)]),
        stores[1].commit([revoke(grantId)]),
      ];
      // Those that do not wait for the commits of the first node have their answers by then.
      await pause(300);
    });
    expect(await reads[0]).toMatchObject([{ id: issued.id }, undefined]);
    await Promise.all(reads);
    expect(await stores[0].read([kept, ofGrant])).toEqual([undefined, undefined]);
  });

  test('a pool of an app whose sessions do not wait for the cluster is unfit', async () => {
    const pool = mysql.createPool({ uri: cluster.nodes[0].url, connectionLimit: 1 });
    const store = await openAdapter({ pool });
    await expect(store.ping()).rejects.toThrow('wsrep_sync_wait');
    await pool.query('set session wsrep_sync_wait = 3');
    await store.ping();
    await stores[0].ping();
    await pool.end();
  });

  test('a node without the others refuses, and takes part again when they are back', async () => {
    const record = freshRecord();
    await stores[1].commit([put(record)]);
    for (const node of [cluster.nodes[0], cluster.nodes[2]]) node.pause();
    const answer = () => stores[1].read([record]).then(() => 'found', String);
    while (!(await answer()).includes('WSREP'));
    expect(await outcomeOf(stores[1].commit([put(record)]))).toBe('error 1047');
    for (const node of [cluster.nodes[0], cluster.nodes[2]]) node.resume();
    await cluster.untilWhole();
    for (const store of stores) expect(await store.read([record])).toMatchObject([{ id: record.id }]);
  });
});
