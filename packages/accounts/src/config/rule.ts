import { isLoopbackHost } from '@carnet/adapter-contract/kit';
import type { AccountsConfig, OtherSections } from '../options.ts';

export interface Surroundings {
  /** The environment variable that sets a key, in a program that reads the environment. */
  readonly variableFor?: ((key: string) => string | undefined) | undefined;
}

type Draft = OtherSections & { readonly accounts?: AccountsConfig | undefined };

/** A rule between keys of the configuration. */
export interface AccountsRule {
  readonly key: string;
  /** The problem and the remedy. False: none. */
  readonly check: (draft: Draft, surroundings: Surroundings) => string | false;
}

type Check = (accounts: AccountsConfig, others: OtherSections, surroundings: Surroundings) => string | false;

export const rule = (key: string, check: Check): AccountsRule => ({
  key: `accounts.${key}`,
  check: (draft, surroundings) => draft.accounts !== undefined && check(draft.accounts, draft, surroundings),
});

export const hasSql = ({ directories }: Pick<AccountsConfig, 'directories'>): boolean =>
  directories.some(({ kind }) => kind === 'sql');

/** Whether users exist at the providers only: nothing of them is stored. */
export const isBrokerOnly = ({ directories, providers }: Pick<AccountsConfig, 'directories' | 'providers'>): boolean =>
  directories.length === 0 && providers.length > 0;

export const isLoopbackUrl = (url: string): boolean => {
  // `URL` knows no host of an ldap: URL with capitals or an empty path, so the scheme is replaced.
  const asHttp = url.replace(/^ldaps?:/i, 'http:');
  return URL.canParse(asHttp) && isLoopbackHost(new URL(asHttp).hostname);
};
