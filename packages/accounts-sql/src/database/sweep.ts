import type { Kysely } from 'kysely';
import type { Schema } from './schema.ts';

/** How much longer a claim is kept than its sealed link or challenge is valid, because the clocks of processes differ. */
const clockDifferenceMs = 10 * 60_000;

/** Deletes expired claims, links, attempts and cached users. Returns how many. */
export const sweepExpired = async (tables: Kysely<Schema>, now: number): Promise<number> => {
  const swept = [
    await tables
      .deleteFrom('carnet_claim')
      .where('expires_at', '<', now - clockDifferenceMs)
      .executeTakeFirst(),
    await tables.deleteFrom('carnet_link').where('expires_at', '<', now).executeTakeFirst(),
    await tables.deleteFrom('carnet_attempt').where('reset_at', '<', now).executeTakeFirst(),
    await tables.deleteFrom('carnet_cached_user').where('expires_at', '<', now).executeTakeFirst(),
  ];
  return swept.reduce((sum, { numDeletedRows }) => sum + Number(numDeletedRows), 0);
};
