import { isDeepStrictEqual } from 'node:util';
import type { CachePurge, Carnet, CreateProviderOptions } from '@carnet/provider';
import type { Eventually, Held, Issuer } from '../ports.ts';

export interface SharedUsersDependencies {
  /** The issuers that are configured or open. */
  readonly issuers: () => Iterable<Issuer>;
  readonly hold: (issuer: Issuer) => Eventually<Held>;
  /** The providers that are open in this process. */
  readonly open: () => readonly Pick<Carnet, 'purgeUserCache'>[];
  readonly purgeElsewhere: CreateProviderOptions['purgeElsewhere'];
}

/** Whether two issuers have a database or a directory in common, and thus users with the same subjects. */
const haveSameUsers = ({ config: { accounts: one } }: Issuer, { config: { accounts: other } }: Issuer): boolean => {
  if (one === undefined || other === undefined) return false;
  if (one.database !== undefined && one.database === other.database) return true;
  const directories = one.directories.filter(({ kind }) => kind !== 'sql');
  return directories.some((each) => other.directories.some((candidate) => isDeepStrictEqual(each, candidate)));
};

/** Repeats at all issuers with the users of one: the end of access, and the purge of the user caches. */
export const createSharedUsers = ({ issuers, hold, open, purgeElsewhere }: SharedUsersDependencies) => {
  const revokeAt = async (issuer: Issuer, subject: string, withTokens: boolean): Promise<void> => {
    const { carnet, release } = await hold(issuer);
    try {
      await carnet.sessions.revoke({ subject });
      if (withTokens) await carnet.consents.revoke({ subject, all: true });
    } finally {
      release();
    }
  };
  return {
    /** The option `revokeElsewhere` of the provider of an issuer. */
    revokeFor: (issuer: Issuer) => async (subject: string, withTokens: boolean) => {
      const others = [...issuers()].filter(({ name }) => name !== issuer.name);
      const errors: unknown[] = [];
      for (const other of others.filter((each) => haveSameUsers(issuer, each)))
        await revokeAt(other, subject, withTokens).catch((error: unknown) => errors.push(error));
      if (errors.length > 0) throw errors[0];
    },
    /** The option of each provider. It purges its own cache before: here that has no more users to remove. */
    async purgeElsewhere(which: CachePurge): Promise<number> {
      const counts = await Promise.all(open().map((carnet) => carnet.purgeUserCache(which)));
      return counts.reduce((sum, count) => sum + count, (await purgeElsewhere?.(which)) ?? 0);
    },
  };
};
