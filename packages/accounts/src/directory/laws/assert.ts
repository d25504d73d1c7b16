import { isDeepStrictEqual } from 'node:util';
import { DirectoryError } from '../directory-error.ts';
import type { Directory, DirectoryUser, Verdict } from '../port.ts';

const shown = (value: unknown): string => {
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  return value === undefined ? 'undefined' : JSON.stringify(value);
};

const differs = (what: string, expected: unknown, received: unknown): Error =>
  new Error(`${what}: expected ${shown(expected)}, got ${shown(received)}`);

export const assertSame = (received: unknown, expected: unknown, what: string): void => {
  if (!isDeepStrictEqual(received, expected)) throw differs(what, expected, received);
};

export const assertAbsent = (received: unknown, what: string): void => assertSame(received, undefined, what);

/** The user with this login. @throws Error if the directory does not know it */
export const findKnown = async (directory: Directory, login: string): Promise<DirectoryUser> => {
  const user = await directory.find(login);
  if (user === undefined) throw differs(`find(${JSON.stringify(login)})`, 'a user', user);
  return user;
};

export const assertAccepted = (verdict: Verdict, what: string): void => {
  if (!verdict.accepted) throw differs(what, { accepted: true }, verdict);
};

export const assertRefused = (verdict: Verdict, what: string): void => {
  if (verdict.accepted) throw differs(what, { accepted: false }, verdict);
};

/** The outcome of an operation that should fail; the error itself if it does. */
const failureOf = async (operation: Promise<unknown>): Promise<unknown> =>
  operation.then(
    (value) => ({ value }),
    (error: unknown) => error,
  );

/** @returns the error */
export const assertUnavailable = async (operation: Promise<unknown>, what: string): Promise<DirectoryError> => {
  const failure = await failureOf(operation);
  if (failure instanceof DirectoryError && failure.code === 'unavailable') return failure;
  throw differs(`${what} during an outage`, 'DirectoryError unavailable', failure);
};

/** Waits for an operation for at most `seconds`: a directory that never answers breaks the law. */
export const within = async <Value>(seconds: number, operation: Promise<Value>, what: string): Promise<Value> => {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`${what}: no answer in ${seconds} s`)), seconds * 1000);
  try {
    return await Promise.race([operation, promise]);
  } finally {
    clearTimeout(timer);
  }
};
