import { createAttemptLimit } from './attempt-limit.ts';

export interface LoginAttempts {
  /** Takes an attempt. Returns the seconds to wait, or undefined if the attempt is allowed; `forgive` gives it back. */
  begin(userName: string, address: string): number | undefined;
  forgive(userName: string, address: string): void;
  /** The same for the code of a device. */
  beginUserCode(address: string): number | undefined;
  forgiveUserCode(address: string): void;
}

const windowSeconds = 300;

/**
 * Limits wrong passwords per user name and per address. The first limit slows guessing the password of one user, the
 * second trying
 * one password for all users. An address may belong to a whole office, so that its limit is higher. User codes are
 * limited by
 * address only: the provider has a limit for all users together, which one address must not use up.
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
