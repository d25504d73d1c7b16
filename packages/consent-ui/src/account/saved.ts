import { seeOther } from '../page/respond.ts';

/** The sections of the overview, which are the fragments of its URL. */
export type Section =
  | 'profile'
  | 'password'
  | 'factors'
  | 'passkeys'
  | 'recovery-codes'
  | 'providers'
  | 'sessions'
  | 'applications'
  | 'data';

export const savedParameter = 'saved';

/** Back to a section of the overview, which reports the change. */
export const respondSaved = (section: Section, ...cookies: readonly string[]): Response =>
  seeOther(`/account?${savedParameter}=1#${section}`, ...cookies);
