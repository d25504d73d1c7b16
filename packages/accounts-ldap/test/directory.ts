import type { Directory } from '@carnet/accounts/directory';
import type { SlapdServer } from '@carnet/test-servers';
import { onTestFinished } from 'vitest';
import { type LdapDirectoryOptions, openLdapDirectory } from '../src/index.ts';

type Slapd = Pick<SlapdServer, 'ca' | 'groupsDn' | 'peopleDn' | 'reader' | 'tlsUrl'>;

/** The options for the tests' slapd by LDAPS. */
export const optionsFor = (slapd: Slapd, options: Partial<LdapDirectoryOptions> = {}): LdapDirectoryOptions => ({
  name: 'corp',
  urls: [slapd.tlsUrl],
  ca: slapd.ca,
  bindDn: slapd.reader.dn,
  bindPassword: slapd.reader.password,
  base: slapd.peopleDn,
  groupBase: slapd.groupsDn,
  ...options,
});

/** Opens a directory on the tests' slapd, and closes it after the test. */
export const open = async (slapd: Slapd, options: Partial<LdapDirectoryOptions> = {}): Promise<Directory> => {
  const directory = await openLdapDirectory(optionsFor(slapd, options));
  onTestFinished(() => directory.close());
  return directory;
};

/** The options by which the tests' slapd is taken for Active Directory: it does not have Microsoft's object classes. */
export const asActiveDirectory = { preset: 'active-directory', filter: '(objectClass=adUser)' } as const;
