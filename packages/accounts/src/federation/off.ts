import { notSupported } from '../accounts-error.ts';
import type { ProviderOperations } from '../api/providers.ts';

const off = async (): Promise<never> => {
  throw notSupported('Sign-in with other providers', 'Set accounts.providers.');
};

/** The operations without `accounts.providers`. */
export const withoutProviders: ProviderOperations = {
  list: async () => ({ providers: [] }),
  begin: off,
  metadata: off,
  read: async () => undefined,
  finish: off,
  signUp: off,
  signOut: async () => undefined,
  backchannelLogout: off,
  identities: async () => ({ identities: [] }),
  unlink: async () => ({ ok: false, error: 'not_found' }),
};
