import { createAttemptLimit } from './attempt-limit.ts';

export interface LoginAttempts {
  /** How long to wait in seconds, or undefined if this attempt may go on; then it counts until it is forgiven. */
  begin(userName: string, address: string): number | undefined;
  forgive(userName: string, address: string): void;
  /** The same for the code of a device. */
  beginUserCode(address: string): number | undefined;
  forgiveUserCode(address: string): void;
}

const windowSeconds = 300;

/**
 * Wrong passwords per user name and per address. The first slows guessing one person's password, the second guessing one password
 * of everybody; an address may stand for a whole office, so it gets more. User codes are counted by address alone: the provider has
 * a limit for everybody, which nobody should use up.
 */
export const createLoginAttempts = (
  limits: { perUserName: number; perAddress: number; userCodesPerAddress?: number } = {
    perUserName: 10,
    perAddress: 100,
  },
): LoginAttempts => {
  const userNames = createAttemptLimit({ limit: limits.perUserName, windowSeconds });
  const addresses = createAttemptLimit({ limit: limits.perAddress, windowSeconds });
  const userCodes = createAttemptLimit({ limit: limits.userCodesPerAddress ?? 20, windowSeconds });
  return {
    beginUserCode: (address) => {
      const attempt = userCodes.take(address);
      return attempt.allowed ? undefined : attempt.retryAfterSeconds;
    },
    forgiveUserCode: (address) => userCodes.giveBack(address),
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
