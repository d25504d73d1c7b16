import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PropertyFilter } from '@google-cloud/datastore';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DatastoreServer, startDatastore } from '../../src/index.ts';
import { codeOf, openApi, openClient } from './open-client.ts';

const indexes = `indexes:
- kind: Book
  properties:
  - name: shelf
  - name: pages
    direction: desc
- kind: Book
  properties:
  - name: language
  - name: pages
    direction: desc
`;

let server: DatastoreServer;
let client: ReturnType<typeof openClient>;
const folder = mkdtempSync(join(tmpdir(), 'carnet-indexes-'));

beforeAll(async () => {
  const indexFile = join(folder, 'index.yaml');
  writeFileSync(indexFile, indexes);
  server = await startDatastore({ indexFile, maxBatchEntities: 7, maxLookupBytes: 2_000 });
  client = openClient(server);
  await client.save(
    Array.from({ length: 60 }, (_, at) => ({
      key: client.key(['Library', at % 2 ? 'odd' : 'even', 'Book', `b${`${at}`.padStart(2, '0')}`]),
      data: [
        { name: 'shelf', value: at % 3 },
        { name: 'pages', value: at },
        { name: 'language', value: at % 4 ? 'en' : 'de' },
        { name: 'tags', value: [`t${at % 5}`, `t${at % 7}`] },
        { name: 'notes', value: `n${at}`, excludeFromIndexes: true },
        ...(at < 10 ? [{ name: 'rare', value: `r${at}` }] : []),
      ],
    })),
  );
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

const books = () => client.createQuery('Book');
const pagesOf = async (query: ReturnType<typeof books>): Promise<readonly number[]> =>
  (await client.runQuery(query))[0].map(({ pages }: { pages: number }) => pages);
const upTo = (end: number, keep: (at: number) => boolean) => Array.from({ length: end }, (_, at) => at).filter(keep);
const byNumber = (one: number, other: number) => one - other;

describe('a query', () => {
  test('finds what its equalities say, in more than one batch and in the order of keys', async () => {
    const query = books()
      .filter(new PropertyFilter('shelf', '=', 1))
      .filter(new PropertyFilter('tags', '=', 't2'));
    const expected = upTo(60, (at) => at % 3 === 1 && (at % 5 === 2 || at % 7 === 2));
    const pages = await pagesOf(query);
    expect(pages.toSorted(byNumber)).toEqual(expected);
    // Children of `even` come before those of `odd`.
    expect(pages).toEqual([...expected.filter((at) => at % 2 === 0), ...expected.filter((at) => at % 2)]);
  });

  test.each([
    ['<', upTo(60, (at) => at < 30)],
    ['<=', upTo(60, (at) => at <= 30)],
    ['>', upTo(60, (at) => at > 30)],
    ['>=', upTo(60, (at) => at >= 30)],
  ] as const)('compares by %s, in both directions', async (operator, expected) => {
    const filter = new PropertyFilter('pages', operator, 30);
    expect(await pagesOf(books().filter(filter))).toEqual(expected);
    expect(await pagesOf(books().filter(filter).order('pages', { descending: true }))).toEqual(expected.toReversed());
  });

  test('finds entities by ancestor and by key, and answers keys only if asked', async () => {
    const odd = client.key(['Library', 'odd']);
    expect(await pagesOf(books().hasAncestor(odd))).toEqual(upTo(60, (at) => at % 2 === 1));
    const beyond = new PropertyFilter('__key__', '>', client.key(['Library', 'odd', 'Book', 'b51']));
    const [entities] = await client.runQuery(books().filter(beyond).order('__key__').select('__key__'));
    expect(entities.map((entity: Record<symbol, { name: string }>) => entity[client.KEY]?.name)).toEqual([
      'b53',
      'b55',
      'b57',
      'b59',
    ]);
    expect(Object.keys(entities[0])).toEqual([]);
  });

  test('has no entity that lacks the property, or has it excluded from indexes', async () => {
    expect(await pagesOf(books().order('rare'))).toHaveLength(10);
    expect(await pagesOf(books().filter(new PropertyFilter('notes', '=', 'n1')))).toEqual([]);
  });

  test('sorts in the order of a composite index, and of two that are merged', async () => {
    const sorted = books()
      .filter(new PropertyFilter('shelf', '=', 0))
      .order('pages', { descending: true });
    expect(await pagesOf(sorted)).toEqual(upTo(60, (at) => at % 3 === 0).toReversed());
    const merged = sorted.filter(new PropertyFilter('language', '=', 'de'));
    expect(await pagesOf(merged)).toEqual(upTo(60, (at) => at % 12 === 0).toReversed());
  });

  test('is refused without a composite index, which the error recommends', async () => {
    const shelf = new PropertyFilter('shelf', '=', 0);
    const needing = [
      books().filter(shelf).order('pages'),
      books()
        .filter(shelf)
        .filter(new PropertyFilter('pages', '>', 3)),
      books()
        .hasAncestor(client.key(['Library', 'odd']))
        .order('pages'),
      books().order('pages').order('shelf'),
      books().order('__key__', { descending: true }),
    ];
    for (const query of needing) expect(await codeOf(client.runQuery(query))).toBe('FAILED_PRECONDITION');
    await expect(client.runQuery(books().filter(shelf).order('pages'))).rejects.toThrow(
      'no matching index found. recommended index is:\n- kind: Book\n  properties:\n  - name: shelf\n  - name: pages',
    );
  });

  test('is refused where this server cannot answer it as the real one does', async () => {
    expect(await codeOf(client.runQuery(books().filter(new PropertyFilter('shelf', 'IN', [1, 2]))))).toBe(
      'UNIMPLEMENTED',
    );
    expect(await codeOf(client.runQuery(books().filter(new PropertyFilter('shelf', '!=', 1))))).toBe('UNIMPLEMENTED');
    expect(await codeOf(client.runQuery(books().order('tags')))).toBe('UNIMPLEMENTED');
    expect(await codeOf(client.runQuery(books().filter(new PropertyFilter('pages', '>', 'text'))))).toBe(
      'UNIMPLEMENTED',
    );
    expect(
      await codeOf(
        client.runQuery(
          books()
            .filter(new PropertyFilter('pages', '>', 1))
            .order('shelf'),
        ),
      ),
    ).toBe('INVALID_ARGUMENT');
  });

  test('resumes at its cursor while entities are added, and refuses the cursor of another query', async () => {
    const kind = 'Paged';
    const add = (at: number) => client.insert({ key: client.key([kind, `p${at}`]), data: { at, list: 'one' } });
    for (const at of [10, 20, 30, 40, 50]) await add(at);
    const page = (cursor?: string) => {
      const query = client
        .createQuery(kind)
        .filter(new PropertyFilter('list', '=', 'one'))
        .limit(2);
      return client.runQuery(cursor === undefined ? query : query.start(cursor));
    };
    const [first, { endCursor }] = await page();
    await add(15);
    await add(25);
    await client.delete(client.key([kind, 'p20']));
    const [second, info] = await page(endCursor);
    expect([...first, ...second].map(({ at }: { at: number }) => at)).toEqual([10, 20, 25, 30]);
    expect(info.moreResults).toBe('MORE_RESULTS_AFTER_LIMIT');
    const other = client.createQuery(kind).start(`${endCursor}`);
    expect(await codeOf(client.runQuery(other))).toBe('INVALID_ARGUMENT');
  });

  test('counts, up to a limit and with an offset', async () => {
    const odd = books().hasAncestor(client.key(['Library', 'odd']));
    const [[all]] = await client.runAggregationQuery(client.createAggregationQuery(odd).count('all'));
    expect(all.all).toBe(30);
    const [[few]] = await client.runAggregationQuery(client.createAggregationQuery(odd.limit(4)).count('few'));
    expect(few.few).toBe(4);
    expect(await pagesOf(books().order('pages').offset(55))).toEqual([55, 56, 57, 58, 59]);
  });

  test('stays within its namespace', async () => {
    const tenant = client.key({ namespace: 'tenant', path: ['Book', 'theirs'] });
    await client.insert({ key: tenant, data: { pages: 1_000 } });
    expect(await pagesOf(client.createQuery('tenant', 'Book'))).toEqual([1_000]);
    expect(await pagesOf(books())).toHaveLength(60);
  });
});

describe('a lookup', () => {
  test('defers keys when its answer is large, and the client asks again', async () => {
    const keys = Array.from({ length: 60 }, (_, at) =>
      client.key(['Library', at % 2 ? 'odd' : 'even', 'Book', `b${`${at}`.padStart(2, '0')}`]),
    );
    const before = (await server.statistics()).calls.Lookup;
    expect((await client.get(keys))[0]).toHaveLength(60);
    expect((await server.statistics()).calls.Lookup).toBeGreaterThan(before + 1);
    const api = openApi(server);
    const key = { path: [{ kind: 'Book', name: 'b01' }] };
    expect(await codeOf(api.lookup({ projectId: 'carnet-test', keys: Array(1_001).fill(key) }).then())).toBe(
      'INVALID_ARGUMENT',
    );
  });
});
