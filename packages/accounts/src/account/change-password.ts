import { beginOnDevice, countOf, type GuessCounts } from '../attempts/guess-password.ts';
import type { Directories, PasswordChange } from '../directory/index.ts';

export interface PasswordChangeDependencies {
  readonly directories: Pick<Directories, 'changePassword'>;
  readonly counts: GuessCounts;
}

export type LimitedChange =
  | PasswordChange
  | { readonly changed: false; readonly reason: 'limited'; readonly retryAfterSeconds: number };

/**
 * Checks the current password and sets the new one. Wrong passwords are counted as in a sign-in.
 *
 * @throws DirectoryError `unavailable` or `not_supported`; the attempt is given back
 */
export const changePassword = async (
  { directories, counts }: PasswordChangeDependencies,
  input: {
    readonly subject: string;
    readonly current: string;
    readonly next: string;
    readonly address?: string | undefined;
    readonly device?: string | undefined;
  },
): Promise<LimitedChange> => {
  const known = await beginOnDevice(counts.devices, input.device, input);
  const attempt = known ?? (await counts.attempts.begin(countOf.user(input.subject), input.address));
  const retryAfterSeconds = 'retryAfterSeconds' in attempt ? attempt.retryAfterSeconds : undefined;
  if (retryAfterSeconds !== undefined) return { changed: false, reason: 'limited', retryAfterSeconds };
  try {
    const change = await directories.changePassword(input.subject, input.current, input.next);
    if (change.changed || change.reason === 'weak_password') await attempt.giveBack();
    return change;
  } catch (error) {
    await attempt.giveBack();
    throw error;
  }
};
