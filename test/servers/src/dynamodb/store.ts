import { DatabaseSync } from 'node:sqlite';
import { Refusal } from './refusal.ts';
import { checkKey, type Item, type Value } from './values.ts';

/** The description of a table, as CreateTable gets it. */
export interface TableInput {
  readonly TableName: string;
  readonly BillingMode?: string;
  readonly KeySchema: readonly { readonly AttributeName: string; readonly KeyType: string }[];
  readonly GlobalSecondaryIndexes?: readonly {
    readonly IndexName: string;
    readonly KeySchema: TableInput['KeySchema'];
  }[];
}

export interface Table {
  readonly name: string;
  readonly createdAt: number;
  readonly input: TableInput;
  readonly ttl: string | undefined;
}

const schema = `
create table if not exists tables (name text primary key, created_at integer, input text, ttl text) strict;
create table if not exists items (
  table_name text, pk blob, sk blob, item text, shard text, expires integer, primary key (table_name, pk, sk)
) strict, without rowid;
create index if not exists by_expiry on items (table_name, shard, expires) where shard is not null;`;

const bytes = (text: string): Buffer => Buffer.from(text);

/** Tables and items in a SQLite file: they survive the end of the process. Keys are `pk` and `sk`. */
export const openStore = (file: string) => {
  const database = new DatabaseSync(file);
  database.exec('pragma journal_mode = wal; pragma synchronous = off');
  database.exec(schema);
  const get = database.prepare('select item from items where table_name = ? and pk = ? and sk = ?');
  const set = database.prepare('insert or replace into items values (?, ?, ?, ?, ?, ?)');
  const remove = database.prepare('delete from items where table_name = ? and pk = ? and sk = ?');
  const find = database.prepare('select * from tables where name = ?');

  const keyOf = (key: Item): readonly [Buffer, Buffer] => {
    checkKey(key, ['pk', 'sk']);
    return [bytes(key.pk?.S ?? ''), bytes(key.sk?.S ?? '')];
  };
  const itemsIn = (rows: readonly Record<string, unknown>[]): readonly Item[] =>
    rows.map(({ item }) => JSON.parse(`${item}`));

  return {
    table(name: string): Table {
      const row = find.get(name);
      if (row === undefined) throw new Refusal('ResourceNotFoundException', 'Requested resource not found');
      const { created_at, input, ttl } = row;
      return { name, createdAt: Number(created_at), input: JSON.parse(`${input}`), ttl: ttl ? `${ttl}` : undefined };
    },
    createTable(input: TableInput): void {
      if (find.get(input.TableName)) throw new Refusal('ResourceInUseException', 'Table already exists');
      database
        .prepare('insert into tables values (?, ?, ?, null)')
        .run(input.TableName, Math.floor(Date.now() / 1_000), JSON.stringify(input));
    },
    deleteTable(name: string): void {
      database.prepare('delete from items where table_name = ?').run(name);
      database.prepare('delete from tables where name = ?').run(name);
    },
    setTtl: (name: string, attribute: string) =>
      void database.prepare('update tables set ttl = ? where name = ?').run(attribute, name),
    get(table: string, key: Item): Item | undefined {
      const row = get.get(table, ...keyOf(key));
      return row === undefined ? undefined : JSON.parse(`${row.item}`);
    },
    set(table: string, item: Item): void {
      const { sweep, expires } = item;
      set.run(
        table,
        ...keyOf(item),
        JSON.stringify(item),
        sweep?.S ?? null,
        expires?.N === undefined ? null : Number(expires.N),
      );
    },
    remove: (table: string, key: Item) => void remove.run(table, ...keyOf(key)),
    /** The items of a partition, in the order of their sort keys. */
    partition: (table: string, pk: string, after: string, limit: number) =>
      itemsIn(
        database
          .prepare('select item from items where table_name = ? and pk = ? and sk > ? order by sk limit ?')
          .all(table, bytes(pk), bytes(after), limit),
      ),
    /** The items of a partition of the index `sweep`. */
    shard: (table: string, shard: string, until: Value, after: Item | undefined, limit: number) =>
      itemsIn(
        database
          .prepare(
            `select item from items where table_name = ? and shard = ? and expires <= ?
             and (expires, pk, sk) > (?, ?, ?) order by expires, pk, sk limit ?`,
          )
          .all(
            table,
            shard,
            Number(until.N),
            Number(after?.expires?.N ?? Number.MIN_SAFE_INTEGER),
            bytes(after?.pk?.S ?? ''),
            bytes(after?.sk?.S ?? ''),
            limit,
          ),
      ),
    /** All items, in the order of their keys. */
    scan: (table: string, after: Item | undefined, limit: number) =>
      itemsIn(
        database
          .prepare('select item from items where table_name = ? and (pk, sk) > (?, ?) order by pk, sk limit ?')
          .all(table, bytes(after?.pk?.S ?? ''), bytes(after?.sk?.S ?? ''), limit),
      ),
    transaction<T>(work: () => T): T {
      database.exec('begin immediate');
      try {
        const result = work();
        database.exec('commit');
        return result;
      } catch (error) {
        database.exec('rollback');
        throw error;
      }
    },
  };
};

export type Store = ReturnType<typeof openStore>;
