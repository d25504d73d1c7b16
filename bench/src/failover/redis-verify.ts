import type { RedisUsers } from './redis-users.ts';

const atOnce = 8;

/** Maps a few at once, in no order. */
const mapAll = async <T, R>(items: Iterable<T>, map: (item: T) => Promise<R>): Promise<readonly R[]> => {
  const waiting = [...items];
  const results: R[] = [];
  const worker = async () => {
    for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) results.push(await map(item));
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
};

const countOf = <T>(items: readonly T[], isCounted: (item: T) => boolean): number => items.filter(isCounted).length;

/** Compares the state of the server with everything that it has acknowledged. Sends refused logouts again first. */
export const verify = async (users: RedisUsers) => {
  await users.repeatLogouts();
  const { remembered, loggedOut, revoked, issued } = users.ledger;
  const ended = await mapAll(loggedOut, users.isRemembered);
  const kept = await mapAll(remembered, users.isRemembered);
  const revokedNow = await mapAll(
    revoked.flatMap((each) => [each.access_token, each.refresh_token]),
    users.isActive,
  );
  const issuedNow = await mapAll(
    issued.flatMap((each) => [each.access_token, each.refresh_token]),
    users.isActive,
  );
  return {
    loggedOut: ended.length,
    /** Users whose acknowledged logout had no effect. Must be 0. */
    loggedInAgain: countOf(ended, (each) => each !== 'neither'),
    revoked: revokedNow.length,
    /** Revoked tokens that are active. Must be 0. */
    activeAgain: countOf(revokedNow, (isActive) => isActive),
    issued: issuedNow.length,
    /** Acknowledged tokens that are not active. Must be 0. */
    tokensLost: countOf(issuedNow, (isActive) => !isActive),
    remembered: kept.length,
    /** Remembered logins, and consents, that were lost with the master: these users sign in again. */
    loginsLost: countOf(kept, (each) => each === 'neither'),
    consentsLost: countOf(kept, (each) => each === 'login only'),
  };
};

export type Verified = Readonly<Awaited<ReturnType<typeof verify>>>;
