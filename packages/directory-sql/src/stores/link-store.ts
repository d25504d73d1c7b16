import type { AccountsDatabase } from '../database/accounts-database.ts';

/** The contents of links, by id. */
export interface LinkStore {
  put(link: { readonly id: string; readonly content: string; readonly expiresAt: number }): Promise<void>;
  find(id: string): Promise<string | undefined>;
}

/** Links in the accounts database. */
export const createLinkStore = ({
  database: { tables },
}: {
  readonly database: Pick<AccountsDatabase, 'tables'>;
}): LinkStore => ({
  async put({ id, content, expiresAt }) {
    await tables
      .insertInto('carnet_link')
      .values({ id, content, expires_at: Math.ceil(expiresAt) })
      .execute();
  },
  async find(id) {
    const row = await tables.selectFrom('carnet_link').select('content').where('id', '=', id).executeTakeFirst();
    return row?.content;
  },
});
