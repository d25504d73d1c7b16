import type { Identity, IdentityStore } from '@carnet/accounts/store';
import type { Kysely, Selectable } from 'kysely';
import type { AccountsDatabase } from '../database/accounts-database.ts';
import type { Schema } from '../database/schema.ts';

type Tables = Kysely<Schema>;

export interface IdentityStoreOptions {
  readonly database: Pick<AccountsDatabase, 'tables'>;
  /** Milliseconds since 1970. Default: `Date.now`. */
  readonly now?: () => number;
}

const fromRow = (row: Selectable<Schema['carnet_identity']>): Identity => ({
  id: row.id,
  provider: row.provider,
  upstreamSubject: row.upstream_subject,
  subject: row.subject,
  shown: row.shown ?? undefined,
  linkedAt: row.linked_at,
});

/** As `IdentityStore.link`, also in a transaction that creates the user. */
export const linkIdentity = async (
  tables: Tables,
  {
    upstreamSubject,
    shown = null,
    id,
    provider,
    subject,
    linkedAt,
  }: Omit<Identity, 'shown'> & { shown?: string | null },
  since: number,
): Promise<boolean> => {
  const link = { id, subject, shown, linked_at: linkedAt, unlinked_at: null };
  const { numInsertedOrUpdatedRows } = await tables
    .insertInto('carnet_identity')
    .values({ provider, upstream_subject: upstreamSubject, ...link })
    // The unique index decides: of parallel calls, one inserts the row. Only a row that was unlinked before the proof was
    // made is used again, so that a proof from before the unlinking is void.
    .onConflict((conflict) =>
      conflict
        .columns(['provider', 'upstream_subject'])
        .doUpdateSet(link)
        .where('carnet_identity.unlinked_at', '<', since),
    )
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
};

const unlink = (
  tables: Tables,
  { subject, id, keepLast, now }: { subject: string; id: string; keepLast: boolean; now: number },
): Promise<boolean> =>
  tables.transaction().execute(async (transaction) => {
    // Locks the rows of the user: of two calls for the last two identities, the second one sees one identity.
    const { numUpdatedRows } = await transaction
      .updateTable('carnet_identity')
      .set({ subject })
      .where('subject', '=', subject)
      .where('unlinked_at', 'is', null)
      .executeTakeFirst();
    if (keepLast && numUpdatedRows <= 1n) return false;
    const removal = await transaction
      .updateTable('carnet_identity')
      .set({ unlinked_at: now })
      .where('id', '=', id)
      .where('subject', '=', subject)
      .where('unlinked_at', 'is', null)
      .executeTakeFirst();
    return removal.numUpdatedRows === 1n;
  });

/** Identities at providers in the accounts database. */
export const createIdentityStore = ({ database: { tables }, now = Date.now }: IdentityStoreOptions): IdentityStore => ({
  async find({ provider, upstreamSubject }) {
    const row = await tables
      .selectFrom('carnet_identity')
      .selectAll()
      .where('provider', '=', provider)
      .where('upstream_subject', '=', upstreamSubject)
      .where('unlinked_at', 'is', null)
      .executeTakeFirst();
    return row && fromRow(row);
  },
  async list(subject) {
    const rows = await tables
      .selectFrom('carnet_identity')
      .selectAll()
      .where('subject', '=', subject)
      .where('unlinked_at', 'is', null)
      .orderBy('linked_at')
      .orderBy('id')
      .execute();
    return rows.map(fromRow);
  },
  link: (identity, since) => linkIdentity(tables, { ...identity, linkedAt: now() }, since),
  async removeAll(subject) {
    await tables.deleteFrom('carnet_identity').where('subject', '=', subject).execute();
  },
  unlink: (subject, id, { keepLast }) => unlink(tables, { subject, id, keepLast, now: now() }),
});
