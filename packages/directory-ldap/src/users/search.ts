import { DirectoryError, type DirectoryUser } from '@carnet/directory';
import type { Client, Entry, Filter } from 'ldapts';
import { describeFailure, resultCodeOf } from '../connection/answers.ts';
import type { Pool } from '../connection/pool.ts';
import type { LdapSettings } from '../settings.ts';
import { accountState, stateAttributes, textsOf, valuesOf } from './entry.ts';
import { groupAttributes, groupsOf } from './groups.ts';

interface SearchOptions {
  readonly settings: LdapSettings;
  /** Connections that are bound as the service account. */
  readonly pool: Pick<Pool, 'use'>;
}

const longestLogin = 1_024;
const noSuchObject = 32;

/** Canonically equivalent text in one form, in lower case: less than what servers ignore. */
const comparable = (value: string): string => value.normalize('NFC').toLowerCase();

/**
 * Whether one of the attributes is the login. Servers also ignore spaces, widths of letters, invisible characters and
 * sometimes accents (RFC 4518): a login that only they take for the user's is unknown here.
 */
const hasLogin = (entry: Entry, { filters }: LdapSettings, login: string): boolean =>
  filters.loginAttributes.some((attribute) => {
    const expected = comparable(filters.expected(attribute, login));
    return textsOf(entry, attribute).some((value) => comparable(value) === expected);
  });

const claimsOf = (entry: Entry, { claims }: LdapSettings): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(claims)
      .map(([claim, attribute]) => [claim, textsOf(entry, attribute)[0]] as const)
      .filter(([, value]) => value !== undefined),
  );

/** The id; an entry without one is no user, because nothing else identifies it for ever. */
const idOf = (entry: Entry, { name, idAttribute, idFormat }: LdapSettings): string => {
  const value = valuesOf(entry, idAttribute)[0];
  if (value !== undefined && value.length > 0) return idFormat.toText(value);
  const message = `the entry ${entry.dn} has no ${idAttribute}: give the service account the right to read it, or set idAttribute`;
  throw new DirectoryError('unavailable', name, message);
};

/** Searches for users as the service account. */
export const createUserSearch = ({ settings, pool }: SearchOptions) => {
  const { name, base, filters, idAttribute, idFormat } = settings;
  const buffers = idFormat.isBinary ? [idAttribute] : [];
  const attributes = [
    ...new Set([idAttribute, ...filters.loginAttributes, ...Object.values(settings.claims)]),
    ...groupAttributes(settings),
    ...stateAttributes,
  ];

  const use = async <T>(run: (client: Client) => Promise<T>): Promise<T> => {
    try {
      return await pool.use('search', run);
    } catch (error) {
      if (resultCodeOf(error) === undefined) throw error;
      throw new DirectoryError('unavailable', name, `search: ${describeFailure(error)}`, { cause: error });
    }
  };

  /** The one entry, and its groups. Referrals are not followed: an entry elsewhere is not found. */
  const searchOne = async (filter: Filter) => {
    const { entries, groups } = await use(async (client) => {
      const options = { filter, attributes, explicitBufferAttributes: buffers, sizeLimit: 2 };
      const { searchEntries } = await client.search(base, options);
      const [entry, second] = searchEntries;
      const isOne = entry !== undefined && second === undefined;
      return { entries: searchEntries, groups: isOne ? await groupsOf(client, settings, entry) : undefined };
    });
    if (entries.length > 1)
      throw new DirectoryError('ambiguous', name, `two entries match: ${entries.map(({ dn }) => dn).join(' and ')}`);
    return entries[0] === undefined ? undefined : { entry: entries[0], groups };
  };

  const toUser = (entry: Entry, groups: readonly string[] | undefined): DirectoryUser => ({
    id: idOf(entry, settings),
    handle: entry.dn,
    claims: { ...claimsOf(entry, settings), ...(groups === undefined ? {} : { groups }) },
  });

  return {
    async find(login: string): Promise<DirectoryUser | undefined> {
      if (login === '' || login.length > longestLogin || login.includes('\0')) return undefined;
      const found = await searchOne(filters.forLogin(login));
      if (found === undefined || !hasLogin(found.entry, settings, login)) return undefined;
      return toUser(found.entry, found.groups);
    },

    /** An account that is disabled is not loaded: a passkey must not outlive it, and no bind checks it then. */
    async load(id: string): Promise<DirectoryUser | undefined> {
      const value = idFormat.toValue(id);
      if (value === undefined) return undefined;
      const found = await searchOne(filters.forId(value));
      if (found === undefined || accountState(found.entry) === 'disabled') return undefined;
      return toUser(found.entry, found.groups);
    },

    /** The id and the state at this DN now; undefined if there is no entry. */
    async stateAt(dn: string) {
      const entry = await use(async (client) => {
        const options = {
          scope: 'base',
          attributes: [idAttribute, ...stateAttributes],
          explicitBufferAttributes: buffers,
        };
        try {
          return (await client.search(dn, { ...options, scope: 'base' })).searchEntries[0];
        } catch (error) {
          if (resultCodeOf(error) === noSuchObject) return undefined;
          throw error;
        }
      });
      return entry && { id: idOf(entry, settings), state: accountState(entry) };
    },
  };
};
