import { randomBytes } from 'node:crypto';
import type { Verdict } from '../port.ts';
import { type FoundUser, findUser } from './find-user.ts';
import type { Candidate } from './realms.ts';

/** A user and the directory's verdict on the password. */
export interface Checked {
  /** Undefined for an unknown user. */
  readonly found: FoundUser | undefined;
  readonly verdict: Verdict;
}

/** Whether the password of a user who was found may be checked, because the limit of guesses is not reached. */
export type MayCheck = (found: FoundUser) => Promise<boolean>;

/**
 * Safe beyond the limit: a random password is checked in place of the one that was sent. So the duration does not reveal
 * whether that one is right.
 */
const verify = async (found: FoundUser, password: string, mayCheck: MayCheck): Promise<Checked> => {
  const isAllowed = await mayCheck(found);
  const { user, isAuthenticated, entry } = found;
  if (!isAuthenticated) {
    const checked = isAllowed ? password : randomBytes(16).toString('base64url');
    return { found, verdict: await entry.directory.verify(user, checked) };
  }
  return { found, verdict: isAllowed ? { accepted: true } : { accepted: false, reason: 'wrong_password' } };
};

/**
 * Runs the lookups and verifications that are still missing, so that each refusal takes one of both in each candidate.
 * Otherwise the duration of a refusal would reveal whether the user exists, and where. Failures are ignored: the password is
 * already refused, whether or not another directory answers. Besides, a failure would not be counted as a failed attempt.
 */
const balance = async (candidates: readonly Candidate[], found: FoundUser, password: string): Promise<void> => {
  const at = candidates.findIndex(({ entry }) => entry === found.entry);
  for (const [index, { entry, login }] of candidates.entries()) {
    const { directory } = entry;
    if (index === at) continue;
    try {
      if (index > at) await (directory.authenticate?.(login, password) ?? directory.find(login));
      if (directory.authenticate === undefined) await directory.verifyUnknown(password, login);
    } catch {}
  }
};

const refuseUnknown = async (candidates: readonly Candidate[], password: string): Promise<Checked> => {
  for (const { entry, login } of candidates)
    if (entry.directory.authenticate === undefined)
      await entry.directory.verifyUnknown(password, login).catch((error: unknown) => {
        if (!entry.optional) throw error;
      });
  return { found: undefined, verdict: { accepted: false, reason: 'unknown_user' } };
};

/**
 * Finds the user and checks the password.
 *
 * @throws DirectoryError `unavailable` if a directory that is not `optional` fails before the user is found, or if the
 * user's directory fails
 */
export const authenticate = async (
  candidates: readonly Candidate[],
  password: string,
  mayCheck: MayCheck,
): Promise<Checked> => {
  const found = await findUser(candidates, password);
  if (found === undefined) return refuseUnknown(candidates, password);
  let checked = await verify(found, password, mayCheck);
  if (!checked.verdict.accepted && checked.verdict.reason === 'unknown_user') {
    // The user was moved, renamed or deleted since it was found or cached. A cache has dropped the user: search again once.
    const again = await findUser(candidates, password);
    if (again === undefined) return refuseUnknown(candidates, password);
    checked = await verify(again, password, mayCheck);
  }
  if (!checked.verdict.accepted && checked.found) await balance(candidates, checked.found, password);
  return checked;
};
