import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { type ListQuery, listedBySubject, listedKinds } from '@carnet/adapter-contract';
import type { Row } from './record.ts';

const key = 'place = ? and kind = ? and id = ?';
const live = '(expires_at is null or expires_at > ?)';
const columns = 'place, kind, id, in_grant, payload, expires_at, consumed_at, subject, client_id, members';
const insert = `insert into carnet_record (place, kind, id, in_grant, payload, expires_at, subject, client_id)
  values (?, ?, ?, ?, ?, ?, ?, ?) on conflict do update`;
/** A record that takes the place of another starts afresh. */
const replacement = `set in_grant = excluded.in_grant, payload = excluded.payload, expires_at = excluded.expires_at,
  subject = excluded.subject, client_id = excluded.client_id, consumed_at = null, members = null`;

/** The kind is part of the text, so that SQLite uses the partial index. */
const listOf = (kind: ListQuery['kind'], scope: string): string => `select ${columns} from carnet_record
  where kind = '${kind}' ${scope} and id > ? and ${live} order by id limit ?`;

type ListStatement = `list_${ListQuery['kind']}`;

const lists = Object.fromEntries([
  ...listedKinds.map((kind) => [`list_${kind}`, listOf(kind, '')]),
  ...listedBySubject.map((kind) => [`list_${kind}`, listOf(kind, 'and subject = ?')]),
]) as Readonly<Record<ListStatement, string>>;

/** Every statement there is. Parameters go in the order of the text; `live` takes the present time. */
const texts = {
  put: `${insert} ${replacement}`,
  claim: `${insert} ${replacement} where carnet_record.expires_at <= ?`,
  replace: `update carnet_record set in_grant = ?, payload = ?, expires_at = ?, subject = ?, client_id = ?,
    consumed_at = null, members = null where ${key} and ${live}`,
  remove: `delete from carnet_record where ${key}`,
  consume: `update carnet_record set consumed_at = ? where ${key} and ${live} and consumed_at is null`,
  merge: `update carnet_record set members = ?, expires_at = coalesce(?, expires_at) where ${key}`,
  revoke: 'delete from carnet_record where place = ? and in_grant = 1',
  read: `select ${columns} from carnet_record where ${key} and ${live}`,
  ...lists,
  scan: `select ${columns} from carnet_record
    where (place, kind, id) > (?, ?, ?) and place < ? and ${live} order by place, kind, id limit ?`,
  sweep: `delete from carnet_record where (place, kind, id) in
    (select place, kind, id from carnet_record where expires_at <= ? order by expires_at limit ?)`,
  countExpired: 'select count(*) as count from (select 1 from carnet_record where expires_at <= ? limit ?)',
  savepoint: 'savepoint one_commit',
  release: 'release one_commit',
  undo: 'rollback to one_commit',
} as const;

export interface Statement {
  /** Answers how many records were changed. */
  run(...parameters: SQLInputValue[]): number;
  first(...parameters: SQLInputValue[]): Row | undefined;
  all(...parameters: SQLInputValue[]): readonly Row[];
  count(...parameters: SQLInputValue[]): number;
}

export type Statements = Readonly<Record<keyof typeof texts, Statement>>;

/** All statements, prepared. The tables have to be there. */
export const prepareStatements = (database: Pick<DatabaseSync, 'prepare'>): Statements => {
  const prepare = (text: string): Statement => {
    const statement = database.prepare(text);
    return {
      run: (...parameters) => Number(statement.run(...parameters).changes),
      first: (...parameters) => statement.get(...parameters) as unknown as Row | undefined,
      all: (...parameters) => statement.all(...parameters) as unknown as readonly Row[],
      count: (...parameters) => Number(statement.get(...parameters)?.count),
    };
  };
  const entries = Object.entries(texts).map(([name, text]) => [name, prepare(text)]);
  return Object.fromEntries(entries) as Statements;
};
