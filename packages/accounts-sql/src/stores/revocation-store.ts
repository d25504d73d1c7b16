import type { RevocationStore } from '@carnet/accounts/store';
import { sql } from 'kysely';
import type { AccountsDatabase } from '../database/accounts-database.ts';

/** The users whose sessions and tokens are revoked repeatedly, in the accounts database. */
export const createRevocationStore = ({
  database: { tables },
}: {
  readonly database: Pick<AccountsDatabase, 'tables'>;
}): RevocationStore => ({
  async begin({ subject, untilAt, dueAt }) {
    await tables
      .insertInto('carnet_revocation')
      .values({ subject, until_at: untilAt, due_at: dueAt })
      .onConflict((conflict) =>
        conflict.column('subject').doUpdateSet({
          due_at: dueAt,
          until_at: sql<number>`case when carnet_revocation.until_at > ${untilAt} then carnet_revocation.until_at else ${untilAt} end`,
        }),
      )
      .execute();
  },
  async takeDue({ now, dueAt, limit }) {
    const due = tables.selectFrom('carnet_revocation').select('subject').where('due_at', '<=', now).limit(limit);
    const rows = await tables
      .updateTable('carnet_revocation')
      .set({ due_at: dueAt })
      .where('subject', 'in', due)
      // Once more: of several processes that have read a row, one changes it.
      .where('due_at', '<=', now)
      .returning(['subject', 'until_at as untilAt'])
      .execute();
    return rows;
  },
  async end(subject, untilAt) {
    await tables
      .deleteFrom('carnet_revocation')
      .where('subject', '=', subject)
      .where('until_at', '<=', untilAt)
      .execute();
  },
});
