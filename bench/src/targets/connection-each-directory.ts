import type { Directory, DirectoryUser } from '@carnet/accounts/directory';
import { Client, EqualityFilter } from 'ldapts';
import type { PinServerOptions } from './pin-server.ts';

const lookupsPerRequest = 3;

/**
 * A directory that finds users as privacyIDEA 2.18 did: three lookups a request, each with a connection, a bind of the
 * service account and a search of its own (privacyidea#664). It is the first scenario of the user-cache study.
 */
export const connectionEachDirectory = ({ tlsUrl, ca, peopleDn, reader }: PinServerOptions['slapd']): Directory => {
  const lookUp = async (login: string): Promise<DirectoryUser | undefined> => {
    const client = new Client({ url: tlsUrl, timeout: 5_000, connectTimeout: 3_000, tlsOptions: { ca: [ca] } });
    await client.bind(reader.dn, reader.password);
    try {
      const { searchEntries } = await client.search(peopleDn, {
        scope: 'sub',
        filter: new EqualityFilter({ attribute: 'uid', value: login }),
        attributes: ['entryUUID', 'mail', 'cn'],
        sizeLimit: 2,
      });
      const [entry] = searchEntries;
      return entry && { id: String(entry.entryUUID), handle: entry.dn, claims: { name: entry.cn, email: entry.mail } };
    } finally {
      await client.unbind();
    }
  };
  const unused = async (): Promise<never> => {
    throw new Error('The user-cache study checks PINs, not passwords.');
  };
  return {
    name: 'ldap',
    async find(login) {
      let user: DirectoryUser | undefined;
      for (let lookups = 0; lookups < lookupsPerRequest; lookups++) user = await lookUp(login);
      return user;
    },
    load: unused,
    verify: unused,
    verifyUnknown: unused,
    check: unused,
    close: async () => {},
  };
};
