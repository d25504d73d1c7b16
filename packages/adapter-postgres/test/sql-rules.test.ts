import { type Folded, foldWrites } from '@carnet/adapter-contract/sql';
import { beforeTests } from '@carnet/test-servers/before-tests';
import { beforeAll, describe, expect, test } from 'vitest';
import { prepareCommit } from '../src/commit-values.ts';
import { startCountingPostgres } from './count.ts';
import { hotStatements } from './statements.ts';
import { loginWrites, withClient, withMigrator } from './store.ts';

/** What no statement may contain, so that Citus, CockroachDB and YugabyteDB can run it, and why. */
const forbidden: Readonly<Record<string, RegExp>> = {
  'sequences: one counter for all nodes': /\b(sequence|(small|big)?serial|identity|nextval|setval)\b/i,
  'foreign keys: a lookup on another node': /\b(references|foreign\s+key)\b/i,
  'advisory locks: of one node only': /advisory/i,
  'LISTEN and NOTIFY: of one node only': /\b(un)?listen\b|\bnotify\b/i,
  'JSON: a payload is text': /\bjsonb?\b|->|#>|@>|<@/i,
  'the clock of the server: expiry is held against that of the process':
    /\bnow\s*\(|\bcurrent_(timestamp|time|date)\b|clock_timestamp/i,
  'where a row lies in its file': /\bctid\b/i,
  'code on the server': /\b(trigger|function|procedure|extension)\b/i,
  'temporary tables: a pooler gives the next statement another session': /\btemp(orary)?\b/i,
};

const brokenRules = (text: string): readonly string[] =>
  Object.entries(forbidden).flatMap(([rule, pattern]) => (pattern.test(text) ? [rule] : []));

describe('the statements of requests', () => {
  test('are named apart, in names that Postgres does not cut', () => {
    const names = hotStatements.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => name.length > 63)).toEqual([]);
  });

  test.for(hotStatements)('$name keeps to what every engine can run', ({ text }) => {
    expect(brokenRules(text)).toEqual([]);
  });

  test.for(hotStatements)('$name is one statement, which needs no transaction around it', ({ text }) => {
    expect(text).toMatch(/^(with|select)\b/);
    expect(text).not.toContain(';');
  });
});

describe('the statements of a migration', () => {
  const server = beforeTests(startCountingPostgres);
  let texts: readonly string[];

  beforeAll(async () => {
    const url = await server.createDatabase();
    await withMigrator({ url }, async (migrator) => {
      for (const step of ['status', 'up', 'status', 'down', 'up'] as const) await migrator[step]();
    });
    texts = await withClient(server.url, async (client) => {
      const found = await client.query(
        `select query from pg_stat_statements join pg_database as d on d.oid = dbid where datname = $1`,
        [new URL(url).pathname.slice(1)],
      );
      return found.rows.map(({ query }) => query as string);
    });
  });

  test('keep to what every engine can run', () => {
    expect(texts.length).toBeGreaterThan(10);
    expect(texts.filter((text) => brokenRules(text).length > 0)).toEqual([]);
  });

  test('make at most three indexes beside the primary keys', () => {
    expect(texts.filter((text) => /create\s+(unique\s+)?index/i.test(text)).length).toBeLessThanOrEqual(3);
  });

  test('hold the lock of a row, not of a session', () => {
    expect(texts.filter((text) => /^update "?\w+_lock"?/i.test(text))).toHaveLength(1);
  });
});

describe('the rules themselves', () => {
  const samples: Readonly<Record<keyof typeof forbidden, string>> = {
    'sequences: one counter for all nodes': 'create table a (id bigserial)',
    'foreign keys: a lookup on another node': 'create table a (b text references c)',
    'advisory locks: of one node only': 'select pg_try_advisory_xact_lock(1)',
    'LISTEN and NOTIFY: of one node only': "notify a, 'b'",
    'JSON: a payload is text': "select payload::json ->> 'a' from b",
    'the clock of the server: expiry is held against that of the process': 'delete from a where b < now()',
    'where a row lies in its file': 'delete from a where ctid = any($1)',
    'code on the server': 'create trigger a before insert on b execute function c()',
    'temporary tables: a pooler gives the next statement another session': 'create temp table a (b text)',
  };

  test.for(Object.keys(forbidden))('find %s', (rule) => {
    expect(brokenRules(samples[rule] ?? '')).toContain(rule);
  });
});

test('the text of a commit does not depend on how many records it is of', () => {
  const textOf = (count: number) => {
    const writes = Array.from({ length: count }, () => loginWrites().writes).flat();
    return prepareCommit(foldWrites(writes, Date.now()) as Folded, Date.now()).text;
  };
  expect(textOf(100)).toBe(textOf(1));
});
