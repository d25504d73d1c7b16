import type { IssuerStore } from '@carnet/accounts/store';
import type { AccountsDatabase } from '../database/accounts-database.ts';

/** The issuers of providers in the accounts database. */
export const createIssuerStore = ({
  database: { tables },
}: {
  readonly database: Pick<AccountsDatabase, 'tables'>;
}): IssuerStore => {
  const find = async (provider: string): Promise<string | undefined> =>
    (await tables.selectFrom('carnet_provider').select('issuer').where('name', '=', provider).executeTakeFirst())
      ?.issuer;
  return {
    async bind({ provider, issuer }, former) {
      const found = await find(provider);
      if (found !== undefined && (found === issuer || found !== former)) return found;
      await tables
        .insertInto('carnet_provider')
        .values({ name: provider, issuer })
        .onConflict((conflict) =>
          conflict
            .column('name')
            .doUpdateSet({ issuer })
            .where('carnet_provider.issuer', '=', former ?? issuer),
        )
        .execute();
      return (await find(provider)) ?? issuer;
    },
  };
};
