import { createHash } from 'node:crypto';

/**
 * The SQL of every request. Law: the text of a statement depends on nothing but its shape, so that it is prepared once
 * for each connection; any number of records travels in arrays. An engine that shards finds the place of each record in
 * it.
 */
export interface Statement {
  /** The name of the prepared statement. It contains a hash of the text: see `createStatement`. */
  readonly name: string;
  readonly text: string;
}

/**
 * Behind a pooler, the statement of a name may have been prepared by another process, of another release. The one step
 * that makes that safe is the hash in the name: statements with one name have one text.
 */
export const createStatement = (name: string, text: string): Statement => ({
  name: `${name}_${createHash('sha256').update(text).digest('hex').slice(0, 8)}`,
  text,
});

const live = (now: string) => `(r.expires_at is null or r.expires_at > ${now}::timestamptz)`;

const sameKey = 'r.place = k.place and r.kind = k.kind and r.id = k.id';

/** Milliseconds since the epoch: what a timestamp looks like as text depends on the session. */
export const milliseconds = (column: string) => `round(extract(epoch from ${column}) * 1000)::bigint`;

/** Columns by name and type, in the order of the parameters that hold them. */
type Columns = Readonly<Record<string, 'text' | 'timestamptz' | 'boolean'>>;

const keyColumns: Columns = { place: 'text', kind: 'text', id: 'text' };

/**
 * Rows from arrays, as `k`. The limit equals their number, so it removes none: it lets the planner know that they are
 * few, so that it looks up each of them, even if the table is small at planning time.
 */
const rowsOf = (columns: Columns, first: number, position = ''): string => {
  const arrays = Object.values(columns).map((type, index) => `$${first + index}::${type}[]`);
  const source = `unnest(${arrays.join(', ')})${position && ' with ordinality'}`;
  const names = [...Object.keys(columns), ...(position ? [position] : [])].join(', ');
  return `(select * from ${source} as k(${names}) limit cardinality($${first}::text[])) as k`;
};

/**
 * Stops a statement on a standby with 2201F, even if it finds no row: a standby may still have revoked records and may lack
 * new ones. Before Postgres 14 there is no such setting.
 */
export const primaryGuard = `sqrt(case when current_setting('in_hot_standby', true) = 'on' then -1 else 1 end) = 1`;

/** $1 to $3: key; $4: now. */
export const readStatement = createStatement(
  'carnet_read',
  `select k.position, r.payload, ${milliseconds('r.expires_at')}, r.subject, r.client_id,
  ${milliseconds('r.consumed_at')}, r.members
from ${rowsOf(keyColumns, 1, 'position')}
join carnet_record as r on ${sameKey}
where ${live('$4')} and ${primaryGuard}`,
);

/**
 * $1: now; $2: limit; $3: how many expired ones are looked at for the count of those left; $4: the expiry to begin at.
 * Returns the number removed, the number seen, and the last expiry removed.
 */
export const sweepStatement = createStatement(
  'carnet_sweep',
  // The limit occurs twice, only for the planner, as in `rowsOf`.
  `with expired as (
  select place, kind, id from carnet_record where expires_at >= $4::timestamptz and expires_at <= $1::timestamptz
  order by expires_at limit $2::bigint for update skip locked
), removed as (
  delete from carnet_record as r using (select * from expired limit $2::bigint) as k where ${sameKey}
  returning r.expires_at
)
select (select count(*) from removed)::int, (
  select count(*) from (
    select 1 from carnet_record where expires_at >= $4::timestamptz and expires_at <= $1::timestamptz limit $3::bigint
  ) as seen
)::int, (select ${milliseconds('max(expires_at)')} from removed)`,
);

/** A part of a commit. */
interface Section {
  readonly parameters: number;
  /** Its SQL, with the parameters numbered from `first`; `$1` of every commit is now. */
  sql(first: number): string;
  /** Where each of its rows has to be affected, or nothing is. */
  readonly isConditional: boolean;
}

const sectionNames = ['updated', 'replaced', 'inserted', 'revoked', 'removed'] as const;
export type SectionName = (typeof sectionNames)[number];

/** Members travel as the text of an array: arrays of arrays would have to be of one length. */
const changeColumns: Columns = {
  ...keyColumns,
  consumed_at: 'timestamptz',
  members: 'text',
  expires_at: 'timestamptz',
};

const recordColumns: Columns = {
  ...keyColumns,
  grant_id: 'text',
  subject: 'text',
  client_id: 'text',
  payload: 'text',
  members: 'text',
  expires_at: 'timestamptz',
  consumed_at: 'timestamptz',
};

const replacementColumns: Columns = { ...recordColumns, may_be_consumed: 'boolean' };

const namesOf = (columns: Columns): readonly string[] => Object.keys(columns);

/** Everything but the key, from `k` or from `excluded`. */
const setAll = (from: string, members: string): string =>
  namesOf(recordColumns)
    .slice(namesOf(keyColumns).length)
    .map((name) => `${name} = ${name === 'members' ? members : `${from}.${name}`}`)
    .join(', ');

const sections: Readonly<Record<SectionName, Section>> = {
  /** Consume and merge. */
  updated: {
    parameters: namesOf(changeColumns).length,
    isConditional: true,
    sql: (first) => `update carnet_record as r set consumed_at = k.consumed_at,
  expires_at = coalesce(k.expires_at, r.expires_at),
  members = case when k.members is null then r.members else (
    select array_agg(distinct member) from unnest(r.members || k.members::text[]) as member
  ) end
from ${rowsOf(changeColumns, first)}
where ${sameKey} and ${live('$1')} and r.consumed_at is null returning 1`,
  },
  /** Replace what has to be there. */
  replaced: {
    parameters: namesOf(replacementColumns).length,
    isConditional: true,
    sql: (first) => `update carnet_record as r set ${setAll('k', 'k.members::text[]')}
from ${rowsOf(replacementColumns, first)}
where ${sameKey} and ${live('$1')} and (k.may_be_consumed or r.consumed_at is null) returning 1`,
  },
  /** Put and claim. The last parameter names the claims by kind and id: they give way to what is live. */
  inserted: {
    parameters: namesOf(recordColumns).length + 1,
    isConditional: true,
    sql: (first) => `insert into carnet_record as r (${namesOf(recordColumns).join(', ')})
select ${namesOf(recordColumns)
      .map((name) => (name === 'members' ? 'members::text[]' : name))
      .join(', ')}
from ${rowsOf(recordColumns, first)}
on conflict (place, kind, id) do update set ${setAll('excluded', 'excluded.members')}
where r.expires_at <= $1::timestamptz
  or (excluded.kind || ':' || excluded.id) <> all($${first + namesOf(recordColumns).length}::text[])
returning 1`,
  },
  /** Grants; and the records that other sections see to, by kind and id: no row may be changed twice. */
  revoked: {
    parameters: 2,
    isConditional: false,
    sql: (first) => `delete from carnet_record as r
where r.place = any($${first}::text[]) and r.grant_id is not null
  and (r.kind || ':' || r.id) <> all($${first + 1}::text[])`,
  },
  removed: {
    parameters: namesOf(keyColumns).length,
    isConditional: false,
    sql: (first) => `delete from carnet_record as r using ${rowsOf(keyColumns, first)} where ${sameKey}`,
  },
};

/**
 * Under _read committed_ a revocation would silently miss records of a parallel rotation. This guard stops it with
 * 22P02, because the name of the isolation level is not a number.
 */
export const isolationGuard = `case when current_setting('transaction_isolation') in ('repeatable read', 'serializable')
  then 1 else current_setting('transaction_isolation')::int end`;

const createCommitStatement = (names: readonly SectionName[]): Statement => {
  let first = 3;
  const parts = names.map((name) => {
    const sql = sections[name].sql(first);
    first += sections[name].parameters;
    return `${name} as (${sql})`;
  });
  const counts = names.filter((name) => sections[name].isConditional).map((name) => `(select count(*) from ${name})`);
  // The one step that makes a commit all or nothing: dividing by zero (22012) undoes every part of the statement.
  const condition = `1 / (case when $2::bigint = ${counts.join(' + ') || '0'} then 1 else 0 end)`;
  const guard = names.includes('revoked') ? `, ${isolationGuard}` : '';
  return createStatement(
    `carnet_${names.join('_')}`,
    // Every shape takes $1, whether one of its parts does or not.
    `with ${parts.join(',\n')}\nselect ${condition}${guard} where $1::timestamptz is not null`,
  );
};

/** Every shape that a commit can have, by the names of its sections. */
const createCommitStatements = (): ReadonlyMap<string, Statement> => {
  const statements = new Map<string, Statement>();
  for (let mask = 1; mask < 1 << sectionNames.length; mask++) {
    const names = sectionNames.filter((_, index) => mask & (1 << index));
    statements.set(names.join(), createCommitStatement(names));
  }
  return statements;
};

export const commitStatements = createCommitStatements();
