import type { AccountsOptions } from '@carnet/accounts';
import type { AccountsConfig } from './config.ts';

/** The client id of the account pages of the login app. */
const accountPages = 'carnet-account';

/**
 * The second factors as configured, with a policy for the account pages that is at least `optional`: there users remove
 * factors and add others, and the password of a user who has a factor must not be enough for that.
 */
export const secondFactorsOf = ({ database, secondFactors }: AccountsConfig): AccountsConfig['secondFactors'] => {
  // Without the database there are no factors.
  if (database === undefined) return secondFactors;
  const { [accountPages]: policy = 'none', ...others } = secondFactors.clients;
  return { ...secondFactors, clients: { ...others, [accountPages]: policy === 'none' ? 'optional' : policy } };
};

/** The parts of the configuration that decide about accounts. */
export interface AccountsSettings {
  readonly issuer: string;
  readonly dev: boolean;
  readonly accounts?: AccountsConfig | undefined;
  readonly urls: { readonly login?: string | undefined; readonly registration?: string | undefined };
}

/** Whether browsers accept passkeys of a page: its host is a name, and it is https or on this machine. */
const isForPasskeys = ({ hostname, protocol }: URL): boolean => {
  const isAddress = hostname.startsWith('[') || /^[\d.]+$/.test(hostname);
  return !isAddress && (protocol === 'https:' || /(?:^|\.)localhost$/.test(hostname));
};

/** The domain of passkeys: as configured, or the host of the login page. Undefined if browsers would refuse it. */
export const passkeyDomain = ({ accounts, urls }: Pick<AccountsSettings, 'accounts' | 'urls'>): string | undefined => {
  const page = urls.login === undefined ? undefined : new URL(urls.login);
  return accounts?.passkeys.rpId ?? (page !== undefined && isForPasskeys(page) ? page.hostname : undefined);
};

/** The options of `openAccounts`; undefined if another program checks users. */
export const accountsOptionsOf = (settings: AccountsSettings): AccountsOptions | undefined => {
  const { accounts, urls, dev } = settings;
  if (accounts === undefined) return undefined;
  const rpId = passkeyDomain(settings);
  const pages = [urls.login, urls.registration].filter((url) => url !== undefined).map((url) => new URL(url).origin);
  const origins = accounts.passkeys.origins.length > 0 ? accounts.passkeys.origins : pages.slice(0, 1);
  return {
    ...accounts,
    issuer: settings.issuer,
    secondFactors: secondFactorsOf(accounts),
    migrate: accounts.migrate ?? dev,
    directories: accounts.directories.map((directory) => ({
      ...directory,
      subjectPrefix: directory.subjectPrefix ?? `${directory.name}.`,
    })),
    passkeys: {
      ...accounts.passkeys,
      enabled: rpId !== undefined && accounts.secondFactors.kinds.includes('passkey'),
      rpId,
      origins,
    },
    // Emails link to these pages only: a caller of the admin API cannot send users a link to another site.
    linkOrigins: [...new Set([...pages, ...origins])],
  };
};

type Policy = AccountsConfig['secondFactors']['policy'];

/** From lax to strict. */
const policies: readonly Policy[] = ['none', 'optional', 'required', 'phishing_resistant'];

const isStricter = (policy: Policy, than: Policy): boolean => policies.indexOf(policy) > policies.indexOf(than);

/**
 * The classes (`acr`) of a remembered login that are sufficient for the clients with a policy of their own. A client that
 * is absent accepts each login: every login has fulfilled the policy of its realm.
 */
export const sufficientAcrsOf = (
  secondFactors: Pick<AccountsConfig['secondFactors'], 'policy' | 'realms' | 'clients'> | undefined,
): ReadonlyMap<string, readonly string[]> => {
  if (secondFactors === undefined) return new Map();
  const { policy, realms, clients } = secondFactors;
  const everywhere = [policy, ...Object.values(realms)];
  const demanding = Object.entries(clients).filter(([, own]) => everywhere.some((each) => isStricter(own, each)));
  return new Map(
    demanding.map(([id, own]) => [id, own === 'phishing_resistant' ? ['phr'] : ['urn:carnet:2fa', 'phr']]),
  );
};
