import { createAttemptLimit } from './attempt-limit.ts';

export interface LoginAttempts {
  /** How long to wait in seconds, or undefined if this attempt may go on; then it counts until it is forgiven. */
  begin(userName: string, address: string): number | undefined;
  forgive(userName: string, address: string): void;
}

const windowSeconds = 300;

/**
 * Wrong passwords per user name and per address. The first slows guessing one person's password, the second guessing one password
 * of everybody; an address may stand for a whole office, so it gets more.
 */
export const createLoginAttempts = (limits = { perUserName: 10, perAddress: 100 }): LoginAttempts => {
  const userNames = createAttemptLimit({ limit: limits.perUserName, windowSeconds });
  const addresses = createAttemptLimit({ limit: limits.perAddress, windowSeconds });
  return {
    begin: (userName, address) => {
      const byAddress = addresses.take(address);
      if (!byAddress.allowed) return byAddress.retryAfterSeconds;
      const byUserName = userNames.take(userName);
      if (byUserName.allowed) return undefined;
      addresses.giveBack(address);
      return byUserName.retryAfterSeconds;
    },
    forgive: (userName, address) => {
      userNames.giveBack(userName);
      addresses.giveBack(address);
    },
  };
};
