import type { Services } from '../services.ts';
import { type AccountLogin, accountLogin, signInChecks } from './account-client.ts';
import type { AccountContext } from './account-context.ts';

const sessionSeconds = 1800;
const signInSeconds = 1800;

/**
 * The cookies of the account pages. The session lasts 30 minutes. Then the user is redirected to the provider again, which
 * asks for no password while the user is signed in there.
 */
export const accountCookies = ({ cookies }: Pick<Services, 'cookies'>) => ({
  session: cookies.create({ name: 'carnet_account', schema: accountLogin, maxAgeSeconds: sessionSeconds }),
  signIn: cookies.create({ name: 'carnet_account_sign_in', schema: signInChecks, maxAgeSeconds: signInSeconds }),
});

/** When the user signed in, in milliseconds since 1970. */
export const signedInAt = ({ authTime, issuedAt }: Pick<AccountLogin, 'authTime' | 'issuedAt'>): number =>
  (authTime || (issuedAt ?? 0)) * 1000;

/**
 * Safe for sign-ins that are not remembered, which have no session at the provider: a new password, "sign out everywhere", a
 * recovery and the admin API end them, because their time and their version of the password are compared in each request.
 */
export const isRevoked = (
  login: Pick<AccountLogin, 'authTime' | 'issuedAt' | 'passwordVersion'>,
  profile: Pick<AccountContext['profile'], 'sessionsEndedAt' | 'passwordVersion'>,
): boolean =>
  (profile.sessionsEndedAt !== undefined && signedInAt(login) < profile.sessionsEndedAt.getTime()) ||
  profile.passwordVersion !== login.passwordVersion;
