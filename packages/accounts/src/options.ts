import type { z } from 'zod';
import type { accountsSchema } from './config/schema.ts';
import type { Directory } from './directory/index.ts';
import { type Policy, policies } from './second-factors/policy/settings.ts';

/** The section `accounts` of a configuration, with every default filled in. Durations are whole seconds. */
export type AccountsConfig = NonNullable<z.output<typeof accountsSchema>>;

type Immutable<Value> = Value extends object ? { readonly [Key in keyof Value]: Immutable<Value[Key]> } : Value;

/** A directory, with the text before the user's id in each subject. */
export type DirectoryOptions = Immutable<AccountsConfig['directories'][number]> & { readonly subjectPrefix: string };

type OfKind<Kind extends DirectoryOptions['kind']> = Extract<DirectoryOptions, { readonly kind: Kind }>;

export type FileDirectoryOptions = OfKind<'file'>;
export type HttpDirectoryOptions = OfKind<'http'>;
export type LdapDirectoryOptions = OfKind<'ldap'>;
export type SqlDirectoryOptions = OfKind<'sql'>;

/** A provider of identities. */
export type ProviderOptions = Immutable<AccountsConfig['providers'][number]>;

type ProviderOfKind<Kind> = Extract<ProviderOptions, { readonly kind: Kind }>;

/** An organization of users. */
export type OrganizationOptions = Immutable<AccountsConfig['organizations'][number]>;

export type OidcProviderOptions = ProviderOfKind<'oidc'>;
export type SamlProviderOptions = ProviderOfKind<'saml'>;

/** The part of `@carnet/accounts-ldap` that this package uses. */
export interface AccountsLdap {
  openLdapDirectory(
    options: Omit<LdapDirectoryOptions, 'kind' | 'caFile'> & { readonly ca?: string | undefined },
  ): Promise<Directory>;
}

/** The options of `openAccounts`: the configuration, and what follows from its other sections. */
export interface AccountsOptions extends Immutable<AccountsConfig> {
  /** The URL of the issuer. The tokens of browsers are bound to it. */
  readonly issuer: string;
  /** How long after an accepted sign-in its tokens can be issued: the lifetimes of a flow and of its codes. */
  readonly flowSeconds: number;
  /** Whether `openAccounts` brings the schema of the database up to date. */
  readonly migrate: boolean;
  readonly directories: readonly DirectoryOptions[];
  readonly passkeys: Immutable<AccountsConfig['passkeys']> & { readonly enabled: boolean };
  /**
   * The origins that `linkBase` and `returnTo` of sign-up and recovery may have: those of the login app. Any other origin
   * is refused, so that no caller can send users an email with a foreign link.
   */
  readonly linkOrigins: readonly string[];
}

/** The other sections that decide about accounts. */
export interface OtherSections {
  readonly dev: boolean;
  readonly urls: { readonly login?: string | undefined; readonly registration?: string | undefined };
  /** Default: the defaults of the configuration. */
  readonly ttl?:
    | { readonly loginConsentRequest: number; readonly authCode: number; readonly deviceUserCode: number }
    | undefined;
}

/** The defaults of the section `ttl`. */
const defaultTtl = { loginConsentRequest: 1_800, authCode: 600, deviceUserCode: 600 };

/** The client id of the account pages of the login app. */
export const accountPages = 'carnet-account';

/**
 * The second factors as configured, with a policy for the account pages that is at least `optional`: there users remove
 * factors and add others, and the password of a user who has a factor must not be enough for that.
 */
const secondFactorsOf = ({ database, secondFactors }: AccountsConfig): AccountsConfig['secondFactors'] => {
  // Without the database there are no factors.
  if (database === undefined) return secondFactors;
  const { [accountPages]: policy = 'none', ...others } = secondFactors.clients;
  return { ...secondFactors, clients: { ...others, [accountPages]: policy === 'none' ? 'optional' : policy } };
};

/** Whether browsers accept passkeys of a page: its host is a name, and it is https or on this machine. */
const isForPasskeys = ({ hostname, protocol }: URL): boolean => {
  const isAddress = hostname.startsWith('[') || /^[\d.]+$/.test(hostname);
  return !isAddress && (protocol === 'https:' || /(?:^|\.)localhost$/.test(hostname));
};

/** The domain of passkeys: as configured, or the host of the login page. Undefined if browsers would refuse it. */
export const passkeyDomain = (accounts: AccountsConfig, { urls }: Pick<OtherSections, 'urls'>): string | undefined => {
  const page = urls.login === undefined ? undefined : new URL(urls.login);
  return accounts.passkeys.rpId ?? (page !== undefined && isForPasskeys(page) ? page.hostname : undefined);
};

/** The options of `openAccounts`. */
export const accountsOptionsOf = (
  accounts: AccountsConfig,
  { issuer, dev, urls, ttl = defaultTtl }: OtherSections & { readonly issuer: string },
): AccountsOptions => {
  const rpId = passkeyDomain(accounts, { urls });
  const pages = [urls.login, urls.registration].filter((url) => url !== undefined).map((url) => new URL(url).origin);
  const origins = accounts.passkeys.origins.length > 0 ? accounts.passkeys.origins : pages.slice(0, 1);
  return {
    ...accounts,
    issuer,
    flowSeconds: ttl.loginConsentRequest + ttl.authCode + ttl.deviceUserCode,
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
    invitations: {
      ...accounts.invitations,
      page:
        accounts.invitations.page ?? (urls.login === undefined ? undefined : new URL('/invitation', urls.login).href),
    },
    // Emails link to these pages only: a caller of the admin API cannot send users a link to another site.
    linkOrigins: [...new Set([...pages, ...origins])],
  };
};

/** The policies of the organizations that have one. */
export const organizationPolicies = ({
  organizations,
}: Pick<AccountsOptions, 'organizations'>): Readonly<Record<string, Policy>> =>
  Object.fromEntries(
    organizations.flatMap(({ name, secondFactors }) => (secondFactors === undefined ? [] : [[name, secondFactors]])),
  );

const isStricter = (policy: Policy, than: Policy): boolean => policies.indexOf(policy) > policies.indexOf(than);

/** For each of these policies that is stricter than that of a realm, the classes that fulfil it. */
export const sufficientAcrsOf = (
  { secondFactors: { policy, realms } }: Pick<AccountsOptions, 'secondFactors'>,
  policyByName: Readonly<Record<string, Policy>>,
): ReadonlyMap<string, readonly string[]> => {
  const everywhere = [policy, ...Object.values(realms)];
  const demanding = Object.entries(policyByName).filter(([, own]) => everywhere.some((each) => isStricter(own, each)));
  return new Map(
    demanding.map(([name, own]) => [name, own === 'phishing_resistant' ? ['phr'] : ['urn:carnet:2fa', 'phr']]),
  );
};
