import type { Directories } from '../directory/index.ts';
import { beginProgress, type ProgressCodec } from './progress.ts';
import { isBarred } from './sign-in-machine.ts';

/** Begins the sign-in of a user who has just verified this first factor. Returns its sealed progress; undefined if the user is barred. */
export type BeginSignIn = (user: {
  readonly subject: string;
  readonly login: string;
  readonly binding: string;
  readonly kind: 'password' | 'mailbox';
}) => Promise<string | undefined>;

export const createBeginSignIn =
  (directories: Pick<Directories, 'load'>, codec: Pick<ProgressCodec, 'seal'>, now: () => number): BeginSignIn =>
  async ({ subject, login, binding, kind }) => {
    const account = await directories.load(subject);
    if (account === undefined || isBarred(account)) return undefined;
    const { realm, passwordVersion } = account;
    const verified = [{ kind }];
    return codec.seal(beginProgress({ subject, login, realm, passwordVersion, verified }, now()), binding);
  };
