import { inspect } from 'node:util';
import { assertHolds, assertSame } from '@carnet/adapter-contract/kit';
import { DirectoryError } from '../directory-error.ts';
import type { Directory, DirectoryUser, Verdict } from '../port.ts';

export const assertAbsent = (received: unknown, what: string): void => assertSame(received, undefined, what);

/** The user with this login. @throws Error if the directory does not know it */
export const findKnown = async (directory: Directory, login: string): Promise<DirectoryUser> => {
  const user = await directory.find(login);
  assertHolds(user !== undefined, `find(${login}): expected a user, got undefined`);
  return user;
};

export const assertAccepted = ({ accepted }: Verdict, what: string): void =>
  assertSame(accepted, true, `${what}: accepted`);

export const assertRefused = ({ accepted }: Verdict, what: string): void =>
  assertSame(accepted, false, `${what}: accepted`);

/** @returns the error */
export const assertUnavailable = async (operation: Promise<unknown>, what: string): Promise<DirectoryError> => {
  const failure: unknown = await operation.catch((error: unknown) => error);
  if (failure instanceof DirectoryError && failure.code === 'unavailable') return failure;
  throw new Error(`${what} during an outage: expected DirectoryError unavailable, got ${inspect(failure)}`);
};
