import type { CurrentUser } from '../server/console-server.ts';
import type { Role } from './operator.ts';

/** Who may use the console. */
export interface AccessRules {
  /** The claim of a user that the lists name values of, such as `groups`, or `sub` for the subject. Default `groups`. */
  readonly claim?: string;
  /** The values of the claim whose users may read. */
  readonly viewer?: readonly string[];
  /** The values of the claim whose users may also change. */
  readonly operator?: readonly string[];
  /** The directories whose users may have a role. Default: all. */
  readonly directories?: readonly string[] | undefined;
}

/**
 * The one step that keeps the administrators of a customer's directory from naming operators: the claims of other directories
 * give no role. Nor has a user a role who may not sign in, and thus has no directory: the subject stays the same.
 *
 * @param account undefined without directories
 */
export const mayHaveRole = (account: CurrentUser | undefined, { directories }: AccessRules): boolean => {
  if (account === undefined) return directories === undefined;
  const { directory } = account;
  return directory !== undefined && (directories === undefined || directories.includes(directory));
};

export interface SessionLimits {
  /** Seconds after which an operator signs in again. Default 28,800 (8 hours). */
  readonly maximumSeconds?: number;
  /** Seconds without a request after which the session ends. Default 1,800 (30 minutes). */
  readonly idleSeconds?: number;
}

const valuesOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);

/**
 * The role of a user with these claims; undefined if the user may not use the console.
 *
 * An address that its user has not confirmed may be that of a colleague: `email` without `email_verified` is no claim.
 */
export const roleOf = (
  claims: Readonly<Record<string, unknown>>,
  { claim = 'groups', viewer = [], operator = [] }: AccessRules,
): Role | undefined => {
  if (claim === 'email' && claims.email_verified !== true) return undefined;
  const values = valuesOf(claims[claim]);
  const isIn = (list: readonly string[]): boolean => list.some((value) => values.includes(value));
  if (isIn(operator)) return 'operator';
  return isIn(viewer) ? 'viewer' : undefined;
};

/** The claim as it is shown: a name, or else the subject. */
export const nameOf = (claims: Readonly<Record<string, unknown>>, subject: string): string => {
  const found = [claims.name, claims.preferred_username, claims.email].find(
    (value) => typeof value === 'string' && value !== '',
  );
  return String(found ?? subject);
};
