import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type SlapdOptions, startSlapd } from '@carnet/test-servers';
import { beforeTests } from '@carnet/test-servers/before-tests';
import { afterAll, beforeAll } from 'vitest';
import type { DirectoryOptions } from '../src/index.ts';
import { directoryOf } from './open-test-accounts.ts';

/** Starts slapd for a test file, with a folder. `ldapOptions` are those of a directory on it. */
export const useLdap = (options?: SlapdOptions) => {
  const slapd = beforeTests(() => startSlapd(options));
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'carnet-accounts-ldap-'));
    writeFileSync(join(folder, 'ca.pem'), slapd.ca);
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  const ldapOptions = (members: object): DirectoryOptions =>
    directoryOf({
      kind: 'ldap',
      name: 'corp',
      urls: [slapd.tlsUrl],
      caFile: join(folder, 'ca.pem'),
      bindDn: slapd.reader.dn,
      bindPassword: slapd.reader.password,
      base: slapd.peopleDn,
      poolSize: 2,
      timeoutMs: 1_000,
      ...members,
    });
  return { slapd, ldapOptions, fileIn: (name: string) => join(folder, name) };
};
