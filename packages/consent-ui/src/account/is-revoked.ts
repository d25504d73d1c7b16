import type { AccountLogin } from './account-client.ts';
import type { AccountContext } from './account-context.ts';

/**
 * Safe for sign-ins that are not remembered, which have no session at the provider: a new password, "sign out everywhere", a
 * recovery and the admin API end them, because their time and their version of the password are compared in each request.
 */
export const isRevoked = (
  { authTime, passwordVersion }: Pick<AccountLogin, 'authTime' | 'passwordVersion'>,
  profile: Pick<AccountContext['profile'], 'sessionsEndedAt' | 'passwordVersion'>,
): boolean =>
  (profile.sessionsEndedAt !== undefined && authTime * 1000 < profile.sessionsEndedAt.getTime()) ||
  profile.passwordVersion !== passwordVersion;
