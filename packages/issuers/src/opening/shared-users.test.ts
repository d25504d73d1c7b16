import { expect, it } from 'vitest';
import { createSharedUsers } from './shared-users.ts';

it('a purge at one issuer purges the user caches of all open issuers, and those of other processes', async () => {
  const purged: unknown[] = [];
  const providerWith = (removed: number) => ({
    purgeUserCache: async (which: unknown) => {
      purged.push(which);
      return removed;
    },
  });
  const { purgeElsewhere } = createSharedUsers({
    issuers: () => [],
    hold: () => Promise.reject(new Error('no provider is needed')),
    open: () => [providerWith(1), providerWith(2)],
    purgeElsewhere: async () => 4,
  });
  const which = { directory: 'users' };
  expect(await purgeElsewhere(which)).toBe(7);
  expect(purged).toEqual([which, which]);
});
