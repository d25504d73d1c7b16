import { startPostgres } from '@carnet/test-servers';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseAddress } from '../src/address.ts';
import { pingStatement } from '../src/ping.ts';
import { toStartupOptions } from '../src/session-settings.ts';
import type { Statement } from '../src/statements.ts';
import { hotStatements } from './statements.ts';
import { createStore, withClient } from './store.ts';

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Plans?: readonly Plan[];
}

const nodesOf = (plan: Plan): readonly Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

/** The plan of the statement as it is prepared, for whatever values. */
const explain = async (client: pg.Client, { name, text }: Statement): Promise<Plan> => {
  const parameters = Math.max(0, ...[...text.matchAll(/\$(\d+)/g)].map((match) => Number(match[1])));
  const nulls = parameters === 0 ? '' : `(${Array(parameters).fill('null').join(', ')})`;
  await client.query(`prepare ${name} as ${text}`);
  const { rows } = await client.query(`explain (format json, costs off) execute ${name}${nulls}`);
  await client.query(`deallocate ${name}`);
  return rows[0]['QUERY PLAN'][0].Plan;
};

/** Records as they come: four of a login, one after the other, and for every hundred a client, or another that is listed. */
const fill = (client: pg.Client, count: number) =>
  client.query(
    `
    insert into carnet_record
    select case when listed then id else grant_id end, kind, id,
      case when listed then null else grant_id end,
      case when kind = 'grant' then 'subject-' || n / 40 end, 'client-1', repeat('x', 200), null,
      case when not listed then timestamptz '2030-01-01' + n * interval '1 second' end, null
    from (
      select n, n % 100 = 0 as listed, lpad(n::text, 43, '0') as id, lpad((n / 4)::text, 43, '1') as grant_id,
        case when n % 100 = 0 then (array['client', 'key', 'trusted_issuer', 'delivery'])[n / 100 % 4 + 1]
          else (array['authorization_code', 'grant', 'access_token', 'refresh_token'])[n % 4 + 1] end as kind
      from generate_series((select count(*) from carnet_record), $1::bigint - 1) as n
    ) as made`,
    [count],
  );

const onRecords = (plan: Plan) =>
  nodesOf(plan).filter((node) => node['Relation Name'] === 'carnet_record' && node['Node Type'] !== 'ModifyTable');

const explainAll = async (url: string, options: string): Promise<ReadonlyMap<string, Plan>> =>
  withClient(
    url,
    async (client) => {
      const plans = new Map<string, Plan>();
      for (const statement of hotStatements) plans.set(statement.name, await explain(client, statement));
      return plans;
    },
    options,
  );

let server: Awaited<ReturnType<typeof startPostgres>>;
let few: ReadonlyMap<string, Plan>;
let many: ReadonlyMap<string, Plan>;
/** As a pooler that drops the session's settings has it. */
let manyUnguided: ReadonlyMap<string, Plan>;

const quick = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  max_wal_size: '4GB',
};

beforeAll(async () => {
  server = await startPostgres({ settings: { ...quick, shared_buffers: '512MB' } });
  const url = await createStore(server);
  const settings = toStartupOptions(parseAddress(url).settings);
  await withClient(url, async (client) => {
    await fill(client, 10);
    await client.query('vacuum analyze carnet_record');
    few = await explainAll(url, settings);
    await fill(client, 1_000_000);
    await client.query('vacuum analyze carnet_record');
    many = await explainAll(url, settings);
    manyUnguided = await explainAll(url, '-c plan_cache_mode=force_generic_plan');
  });
}, 120_000);
afterAll(() => server?.close());

const onTable = hotStatements.filter((statement) => statement !== pingStatement);

describe.each(['ten records', 'a million records', 'a million records, without the settings of the session'])(
  'with %s',
  (size) => {
    const planOf = (name: string) =>
      (size === 'ten records' ? few : size === 'a million records' ? many : manyUnguided).get(name) as Plan;

    test.for(onTable)('$name finds every record by an index', ({ name }) => {
      const scans = onRecords(planOf(name));
      expect(scans.map((node) => node['Node Type']).filter((type) => !/^Index (Only )?Scan$/.test(type))).toEqual([]);
      expect(scans.filter((node) => node['Index Cond'] === undefined)).toEqual([]);
    });
  },
);

test.for(hotStatements)('the plan of $name is the same for ten records and a million', ({ name }) => {
  expect(many.get(name)).toEqual(few.get(name));
});
