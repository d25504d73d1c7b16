import { openAdapter } from '@carnet/adapter-postgres';
import type pg from 'pg';
import { measureRound } from '../measure.ts';
import { cpuMicroseconds } from '../measure-cpu.ts';
import { onDatabase, readCounters } from '../postgres-counters.ts';
import { login } from '../scenarios/logins.ts';
import type { SweepCost, TableCost } from './costs.ts';
import { type Server, serveOn } from './measure-operations.ts';

const batchSize = 1_000;

/** Multiplies the rows of real logins, with random grant ids, in random order of their keys. */
const multiply = async (client: pg.Client, rows: number): Promise<void> => {
  await client.query(`create temp table sample as select * from carnet_record where grant_id is not null`);
  await client.query(
    `insert into carnet_record
     select md5(copy || place), kind, md5(copy || id), md5(copy || grant_id), md5(copy || subject), client_id, payload, members,
       expires_at + random() * interval '1 hour', consumed_at
     from sample, generate_series(1, $1::int / (select count(*) from sample)) as copy order by copy, md5(copy || place)`,
    [rows],
  );
  await client.query('vacuum analyze carnet_record');
};

const readSizes = async (client: pg.Client) => {
  const { rows } = await client.query<{ rows: number; both: number; subject: number; listed: number }>(
    `select (select count(*) from carnet_record)::float8 as rows,
       (pg_relation_size('carnet_record_pkey') + pg_relation_size('carnet_record_expires'))::float8 as both,
       pg_relation_size('carnet_record_subject')::float8 as subject,
       (select count(*) from carnet_record where kind in ('grant', 'session', 'consent'))::float8 as listed`,
  );
  return rows[0] as { rows: number; both: number; subject: number; listed: number };
};

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) / 1_000;
};

/** Sweeps that many batches and vacuums. Half of the rows have to be expired. */
const measureSweep = async (server: Server, url: string, batches: number): Promise<SweepCost> => {
  const database = new URL(url).pathname.slice(1);
  const adapter = await openAdapter({ url });
  try {
    return await onDatabase(server.url, (observer) =>
      onDatabase(url, async (client) => {
        const sweep = async () => {
          const { removed } = await adapter.sweep(batchSize);
          if (removed !== batchSize) throw new Error(`a batch of the sweep removed ${removed} rows`);
        };
        await sweep();
        await client.query('checkpoint');
        const look = async () => ({
          wal: (await readCounters(observer, database)).walBytes,
          cpu: cpuMicroseconds([server.pid]),
        });
        const before = await look();
        const seconds = await timed(async () => {
          for (let batch = 0; batch < batches; batch++) await sweep();
        });
        const isLeft = `select from carnet_record where expires_at <= now() order by expires_at limit 1`;
        await client.query(isLeft);
        const scanSeconds = await timed(() => client.query(isLeft));
        await client.query('vacuum carnet_record');
        const after = await look();
        const removed = batches * batchSize;
        return {
          batchSeconds: seconds / batches,
          // A batch reads the entries once to remove rows, and once to count what is left.
          secondsPerDeadRow: (2 * scanSeconds) / removed,
          walBytes: (after.wal - before.wal) / removed,
          postgresMicroseconds: (after.cpu - before.cpu) / removed,
        };
      }),
    );
  } finally {
    await adapter.close();
  }
};

export interface TableAmounts {
  /** Rows of the table. */
  readonly rows: number;
  readonly logins: number;
  /** Batches that are swept: at most half of the rows. */
  readonly batches: number;
}

/** Measures logins and the sweep in a table of many rows. */
export const measureTable = async (server: Server, { rows, logins, batches }: TableAmounts): Promise<TableCost> => {
  const url = await server.createDatabase();
  const target = await serveOn(server, url);
  try {
    return await onDatabase(server.url, (observer) =>
      onDatabase(url, async (client) => {
        const work = await login.prepare(target);
        const load = { connections: login.connections, amount: logins };
        const database = new URL(url).pathname.slice(1);
        const walOfLogins = async () => {
          const before = await readCounters(observer, database);
          await measureRound(target, work, load);
          return ((await readCounters(observer, database)).walBytes - before.walBytes) / logins;
        };
        const withoutImages = await walOfLogins();
        await multiply(client, rows);
        const sizes = await readSizes(client);
        await client.query('checkpoint');
        const withImages = await walOfLogins();
        await client.query(
          `update carnet_record set expires_at = now() - interval '1 day' * random() where hashtext(place) % 2 = 0`,
        );
        await client.query('vacuum analyze carnet_record');
        return {
          rows: sizes.rows,
          indexBytes: sizes.both / sizes.rows,
          subjectIndexBytes: sizes.subject / sizes.listed,
          imageBytes: Math.max(0, withImages - withoutImages),
          sweep: await measureSweep(server, url, batches),
        };
      }),
    );
  } finally {
    await target.stop();
  }
};
