import type * as ldap from '@carnet/directory-ldap';
import type * as sql from '@carnet/directory-sql';
import { AccountsError } from '../accounts-error.ts';

/** The packages that are installed only where the configuration needs them. */
interface OptionalPackages {
  readonly '@carnet/directory-ldap': typeof ldap;
  readonly '@carnet/directory-sql': typeof sql;
}

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND';

/**
 * Loads an optional package by its name.
 *
 * @throws AccountsError `not_supported` with the command that installs it
 */
export const loadPackage = async <Name extends keyof OptionalPackages>(name: Name): Promise<OptionalPackages[Name]> => {
  try {
    return (await import(name)) as OptionalPackages[Name];
  } catch (cause) {
    if (!isMissing(cause)) throw cause;
    const message = `accounts: the package ${name} is not installed. Run \`npm install ${name}\`.`;
    throw new AccountsError('not_supported', message, { cause });
  }
};
