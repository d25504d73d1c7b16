import type { PasswordSignIn, SignIn } from '@carnet/accounts/client';
import type { LoginAttempts } from '../attempts/login-attempts.ts';
import type { UserDirectory } from '../directory/user-directory.ts';
import { normalizeUserName } from '../directory/user-name.ts';
import type { Users } from './users.ts';

export interface DirectoryUsersDependencies {
  readonly directory: UserDirectory;
  readonly attempts: Pick<LoginAttempts, 'begin' | 'forgive'>;
  /** The `acr` of a sign-in by password. */
  readonly passwordAcr: string;
}

/** The users of a directory of this app, who sign in with a password only. */
export const createDirectoryUsers = ({ directory, attempts, passwordAcr }: DirectoryUsersDependencies): Users => {
  const check = async ({ login, password }: PasswordSignIn): Promise<SignIn> => {
    const user = await directory.authenticate(login, password);
    if (user === undefined) return { state: 'refused' };
    const { subject, claims } = user;
    const authTime = Math.floor(Date.now() / 1000);
    const shown = { subject, name: login };
    return {
      state: 'done',
      user: shown,
      subject,
      acr: passwordAcr,
      amr: ['pwd'],
      authTime,
      claims: { ...claims },
    };
  };
  return {
    signIn: async (attempt) => {
      const userName = normalizeUserName(attempt.login);
      const address = attempt.address ?? 'unknown';
      const retryAfterSeconds = attempts.begin(userName, address);
      if (retryAfterSeconds !== undefined) return { state: 'limited', retryAfterSeconds };
      let signIn: SignIn | undefined;
      try {
        signIn = await check(attempt);
        return signIn;
      } finally {
        // A right password, and an outage of the directory, are no failed attempts.
        if (signIn?.state !== 'refused') attempts.forgive(userName, address);
      }
    },
    claims: (subject) => directory.claims(subject),
  };
};
