import type { LinkStore } from '@carnet/accounts/store';
import type { AccountsDatabase } from '../database/accounts-database.ts';

/** Links in the accounts database. */
export const createLinkStore = ({
  database: { tables },
}: {
  readonly database: Pick<AccountsDatabase, 'tables'>;
}): LinkStore => ({
  async put({ id, content, expiresAt, userId = null }) {
    await tables
      .insertInto('carnet_link')
      .values({ id, content, expires_at: Math.ceil(expiresAt), user_id: userId })
      .execute();
  },
  async find(id) {
    const row = await tables.selectFrom('carnet_link').select('content').where('id', '=', id).executeTakeFirst();
    return row?.content;
  },
  async removeOf(userId, prefix) {
    await tables
      .deleteFrom('carnet_link')
      .where('user_id', '=', userId)
      .where(({ fn, val }) => fn<string>('substr', ['id', val(1), val(prefix.length)]), '=', prefix)
      .execute();
  },
});
