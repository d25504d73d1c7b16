import { type Accounts, AccountsError } from '@carnet/accounts/client';
import { Problem } from '../problem.ts';
import type { Users } from './users.ts';

/** The page for an operation that has no result. Other errors are bugs. */
const toProblem = (error: unknown): unknown => {
  if (!(error instanceof AccountsError)) return error;
  return new Problem(error.code === 'unavailable' ? 'directory_unavailable' : 'api_refused', { cause: error });
};

const withProblems = async <T>(call: Promise<T>): Promise<T> => {
  try {
    return await call;
  } catch (error) {
    throw toProblem(error);
  }
};

/** The users of Carnet's accounts API: this app holds no credentials of a directory or a database. */
export const createAccountsUsers = (accounts: Pick<Accounts, 'signIn' | 'account'>): Users => ({
  signIn: (attempt) => withProblems(accounts.signIn.password(attempt)),
  claims: async (subject) => {
    const { user, claims } = await withProblems(accounts.account.show({ subject }));
    return user && claims;
  },
});
