import { findPackageJSON } from 'node:module';
import { isTree } from '@carnet/provider/config';

/** The packages of the accounts that dev mode and `carnet demo` set up. */
export const accountsPackages = ['@carnet/accounts', '@carnet/accounts-sql'] as const;

const isInstalled = (name: string): boolean => {
  try {
    return findPackageJSON(name, import.meta.url) !== undefined;
  } catch {
    return false;
  }
};

const load = async <Module>(name: string): Promise<Module> => (await import(name)) as Module;

export const missingPackages = (names: readonly string[]): readonly string[] =>
  names.filter((name) => !isInstalled(name));

/** That these packages are not installed, with the command that installs them. */
export const notInstalled = (names: readonly string[]): string =>
  `${names.length === 1 ? 'The package' : 'The packages'} ${names.join(' and ')} ${names.length === 1 ? 'is' : 'are'} not installed. Run \`npm install ${names.join(' ')}\`.`;

/** @throws Error with the command that installs those which are missing */
export const assertInstalled = (names: readonly string[]): void => {
  const missing = missingPackages(names);
  if (missing.length > 0) throw new Error(notInstalled(missing));
};

const kindsOf = (items: unknown): readonly unknown[] =>
  Array.isArray(items) ? items.map((each: unknown) => isTree(each) && each.kind) : [];

const packagesOfAccounts = (accounts: unknown): readonly string[] => {
  if (!isTree(accounts)) return accounts === undefined ? [] : ['@carnet/accounts'];
  const { database, directories, providers, scim } = accounts;
  const kinds = kindsOf(directories);
  const providerKinds = kindsOf(providers);
  return [
    '@carnet/accounts',
    ...(database !== undefined || kinds.includes('sql') ? ['@carnet/accounts-sql'] : []),
    ...(kinds.includes('ldap') ? ['@carnet/accounts-ldap'] : []),
    ...(providerKinds.includes('oidc') ? ['@carnet/accounts-federation'] : []),
    ...(providerKinds.includes('saml') ? ['@carnet/accounts-saml'] : []),
    ...(isTree(scim) && scim.enabled === true ? ['@carnet/scim'] : []),
  ];
};

/** The sections of a configuration that optional packages read. */
export interface OptionalSections {
  readonly accounts?: unknown;
  readonly events?: unknown;
  readonly issuers?: unknown;
  readonly limits?: unknown;
}

/** The packages that the sections of a configuration need. Those of stores and signers are named when they are opened. */
export const packagesOf = ({ accounts, events, issuers, limits }: OptionalSections): readonly string[] => [
  ...packagesOfAccounts(accounts),
  ...(events === undefined ? [] : ['@carnet/events']),
  ...(issuers === undefined && limits === undefined ? [] : ['@carnet/issuers']),
];

/** The section `accounts` of the configuration. Undefined if its package is not installed. */
export const accountsConfig = isInstalled('@carnet/accounts')
  ? await load<typeof import('@carnet/accounts/config')>('@carnet/accounts/config')
  : undefined;

/** The section `events` of the configuration. Undefined if its package is not installed. */
export const eventsConfig = isInstalled('@carnet/events')
  ? await load<typeof import('@carnet/events/config')>('@carnet/events/config')
  : undefined;

/** The sections `issuers` and `limits` of the configuration. Undefined if their package is not installed. */
export const issuersConfig = isInstalled('@carnet/issuers')
  ? await load<typeof import('@carnet/issuers/config')>('@carnet/issuers/config')
  : undefined;

/** Loads an optional package by its name. @throws Error with the command that installs it */
export const loadPackage = async <Module>(name: string): Promise<Module> => {
  assertInstalled([name]);
  return load(name);
};
