import { placeOf, type RecordKey } from '@carnet/adapter-contract';
import type { Effect, Folded } from '@carnet/adapter-contract/sql';
import { instantOrNull, rowOf, textLiteral, wholeNumber } from './literals.ts';
import { foundColumns, type NewRow, recordColumns, rowLiteral, toMembers } from './record.ts';

export const live = (now: number): string => `(expires_at is null or expires_at > ${wholeNumber(now)})`;

/**
 * The largest whole number, and one more if the condition holds: an error (1690) that ends the statement. MariaDB and
 * MySQL document it for every expression, whatever the `sql_mode` is.
 */
const failIf = (condition: string): string => `9223372036854775807 + (${condition})`;

/**
 * Rows are compared column by column. MariaDB reads the whole table for an update of `(place, kind, id) in ((...))` with
 * one row, and makes a subquery of a long list.
 */
const isOneOf = (keys: readonly RecordKey[]): string =>
  `(${keys
    .map(
      (key) =>
        `place = ${textLiteral(placeOf(key))} and kind = ${textLiteral(key.kind)} and id = ${textLiteral(key.id)}`,
    )
    .join(' or ')})`;

/**
 * The table by its primary key, whatever the statistics say: a statement that reads all of a small table would wait for
 * the locks of all others, and deadlock with them.
 */
const byKey = 'carnet_record force index (primary)';

/**
 * Ends a query on a replica with 1690: it may still have revoked records and may lack new ones. As text: `read_only` is a
 * number on MySQL and on MariaDB before 12.0, and `OFF`, `ON`, `NO_LOCK` or `NO_LOCK_NO_ADMIN` later.
 */
const primaryGuard = `${failIf("concat(@@global.read_only) not in ('0', 'OFF')")} > 0`;

export const selectFrom = (index: string): string =>
  `select ${foundColumns} from carnet_record force index (${index}) where ${primaryGuard}`;

export const readStatement = (keys: readonly RecordKey[], now: number): string =>
  `${selectFrom('primary')} and ${isOneOf(keys)} and ${live(now)}`;

/** Locks the records that have to be there, and fails unless each is as it has to be. */
export const requireStatement = (effects: readonly Effect[], now: number): string => {
  const [usable, others] = [effects.filter(isUsable), effects.filter((effect) => !isUsable(effect))];
  const conditions = [
    ...(usable.length > 0 ? [`(consumed_at is null and ${isOneOf(usable.map((effect) => effect.key))})`] : []),
    ...(others.length > 0 ? [isOneOf(others.map((effect) => effect.key))] : []),
  ];
  const count = `count(*) <> ${effects.length}`;
  return `select ${failIf(count)} from ${byKey} where (${conditions.join(' or ')}) and ${live(now)} for update`;
};

const isUsable = ({ requires }: Effect): boolean => requires === 'usable';

type Changed = Extract<Effect, { becomes: 'changed' }>;

const newMembers = (members: readonly string[]): string => {
  const stored = `coalesce(members, ${textLiteral(toMembers([]))})`;
  const additions = [...new Set(members)].map(
    (member) =>
      `if(locate(${textLiteral(toMembers([member]))}, ${stored}) > 0, ${textLiteral('')}, ${textLiteral(`${member}\0`)})`,
  );
  return `concat(${[stored, ...additions].join(', ')})`;
};

/**
 * Law: what a commit requires, it changes. A node of Galera compares the rows that the nodes changed, not those that they
 * locked; and an update to the same values changes no row. So each change negates a column that is not read.
 */
const touched = 'is_claim = 1 - is_claim';

/** Consume and merge. A merge that is only a condition changes the row, too. */
export const changeStatement = ({ key: changed, change }: Changed): string => {
  const changes = [
    touched,
    ...(change.consumedAt ? [`consumed_at = ${instantOrNull(change.consumedAt)}`] : []),
    ...(change.expiresAt ? [`expires_at = ${instantOrNull(change.expiresAt)}`] : []),
    ...(change.members.length > 0 ? [`members = ${newMembers(change.members)}`] : []),
  ];
  return `update ${byKey} set ${changes.join(', ')} where ${isOneOf([changed])}`;
};

/** `payload` is the first: the later assignments would change what its condition reads. */
const replacement = (now: number): string => {
  const others = recordColumns.slice(3).filter((column) => column !== 'payload' && column !== 'is_claim');
  const isRefused = `values(is_claim) = 1 and (expires_at is null or expires_at > ${wholeNumber(now)})`;
  return [
    `payload = if(${failIf(isRefused)}, values(payload), ${textLiteral('')})`,
    touched,
    ...others.map((column) => `${column} = values(${column})`),
  ].join(', ');
};

/** Put and claim. A claim of what is live fails, and with it the statement. */
export const insertStatement = (rows: readonly NewRow[], now: number): string =>
  `insert into carnet_record (${recordColumns.join(', ')}) values ${rows.map(rowLiteral).join(', ')}` +
  ` on duplicate key update ${replacement(now)}`;

/** The records of grants, but for those that other statements of the commit see to. */
const ofGrants = ({ grantIds, effects }: Folded): string => {
  const kept = effects.filter(({ key: { grantId } }) => grantId !== undefined && grantIds.includes(grantId));
  const isKept = kept.length > 0 ? ` and not ${isOneOf(kept.map((effect) => effect.key))}` : '';
  return `place in ${rowOf(grantIds.map(textLiteral))} and in_grant = 1${isKept}`;
};

/**
 * A parallel rotation may insert a record where the deletion has passed already. It does so while it holds a record of the
 * grant that the deletion waits for, or finds none any more. So the grant is searched once more, and what is found fails the
 * commit, which is then tried again. The order of the two statements is what makes that safe.
 */
export const revokeStatements = (folded: Folded): readonly string[] => [
  deleteFrom(ofGrants(folded)),
  `select ${failIf('count(*) > 0')} from ${byKey} where ${ofGrants(folded)} for update`,
];

export const removeStatement = (keys: readonly RecordKey[]): string => deleteFrom(isOneOf(keys));

const deleteFrom = (condition: string): string => `delete carnet_record from ${byKey} where ${condition}`;
