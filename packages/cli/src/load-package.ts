import { findPackageJSON } from 'node:module';
import type { Config } from '@carnet/provider/config';

/** The packages of the accounts that dev mode and `carnet demo` set up. */
export const accountsPackages = ['@carnet/accounts', '@carnet/accounts-sql'] as const;

const isInstalled = (name: string): boolean => {
  try {
    return findPackageJSON(name, import.meta.url) !== undefined;
  } catch {
    return false;
  }
};

export const missingPackages = (names: readonly string[]): readonly string[] =>
  names.filter((name) => !isInstalled(name));

const failureOf = (names: readonly string[]): string =>
  `${names.length === 1 ? 'The package' : 'The packages'} ${names.join(' and ')} ${names.length === 1 ? 'is' : 'are'} not installed. Run \`npm install ${names.join(' ')}\`.`;

/** @throws Error with the command that installs those which are missing */
export const assertInstalled = (names: readonly string[]): void => {
  const missing = missingPackages(names);
  if (missing.length > 0) throw new Error(failureOf(missing));
};

/** The packages that the users of a configuration need. Those of stores and signers are named when they are opened. */
export const packagesOf = ({ accounts }: Pick<Config, 'accounts'>): readonly string[] => {
  if (accounts === undefined) return [];
  const kinds = accounts.directories.map(({ kind }) => kind);
  return [
    '@carnet/accounts',
    ...(accounts.database !== undefined || kinds.includes('sql') ? ['@carnet/accounts-sql'] : []),
    ...(kinds.includes('ldap') ? ['@carnet/accounts-ldap'] : []),
  ];
};

/** Loads an optional package by its name. @throws Error with the command that installs it */
export const loadPackage = async <Module>(name: string): Promise<Module> => {
  assertInstalled([name]);
  return (await import(name)) as Module;
};
