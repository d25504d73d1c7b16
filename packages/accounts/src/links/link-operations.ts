import type { Accounts } from '../wire.ts';

type LinkOperations = Pick<Accounts, Extract<keyof Accounts, `sign-up/${string}` | `recovery/${string}`>>;

/** Sign-up and recovery are off. */
export const linkOperations: LinkOperations = {
  'sign-up/request': async () => ({ ok: false, error: 'not_supported' }),
  'sign-up/confirm': async () => ({ ok: false, error: 'invalid_token' }),
  'recovery/request': async () => ({ ok: false, error: 'not_supported' }),
  'recovery/inspect': async () => ({ ok: false, error: 'invalid_token' }),
  'recovery/confirm': async () => ({ ok: false, error: 'invalid_token' }),
};
