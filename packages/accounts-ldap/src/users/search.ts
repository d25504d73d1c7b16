import { DirectoryError, type DirectoryUser, type Refusal } from '@carnet/accounts/directory';
import type { Client, SearchOptions as ClientSearchOptions, Entry, Filter } from 'ldapts';
import { describeFailure, resultCodeOf } from '../connection/answers.ts';
import type { Pool } from '../connection/pool.ts';
import type { LdapSettings } from '../settings.ts';
import { hasLock, passwordVersionOf, refusalOf, stateAttributes, textsOf, valuesOf } from './entry.ts';
import { groupAttributes, groupsOf } from './groups.ts';

interface SearchOptions {
  readonly settings: LdapSettings;
  /** Connections that are bound as the service account. */
  readonly pool: Pick<Pool, 'use'>;
}

/** An account as its entry has it at one moment. */
interface Account {
  readonly id: string;
  readonly refusal: Refusal | undefined;
  /** Wrong passwords locked the account, perhaps only for a time that is over. */
  readonly hasLock: boolean;
}

/** How long a found entry is fresh: long enough for the password check that follows in the same sign-in. */
const freshMs = 1_000;
const longestLogin = 1_024;
const noSuchObject = 32;

/** One form for canonically equivalent text, in lower case. Servers ignore more differences. */
const comparable = (value: string): string => value.normalize('NFC').toLowerCase();

/**
 * Whether one of the attributes equals the login. Servers also ignore spaces, widths of letters, invisible characters and
 * sometimes accents (RFC 4518): a login that equals the attribute only by these rules is refused.
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

/** The id of the entry. Without an id, nothing identifies the user permanently: that is an outage. */
const idOf = (entry: Entry, { name, idAttribute, idFormat }: LdapSettings): string => {
  const value = valuesOf(entry, idAttribute)[0];
  if (value !== undefined && value.length > 0) return idFormat.toText(value);
  const message = `the entry ${entry.dn} has no ${idAttribute}: give the service account the right to read it, or set idAttribute`;
  throw new DirectoryError('unavailable', name, message);
};

const toUser = (entry: Entry, groups: readonly string[] | undefined, settings: LdapSettings): DirectoryUser => ({
  id: idOf(entry, settings),
  handle: entry.dn,
  claims: { ...claimsOf(entry, settings), ...(groups === undefined ? {} : { groups }) },
  refusal: refusalOf(entry),
  passwordVersion: passwordVersionOf(entry),
});

const readState = async (client: Client, dn: string, options: ClientSearchOptions): Promise<Entry | undefined> => {
  try {
    return (await client.search(dn, { ...options, scope: 'base' })).searchEntries[0];
  } catch (error) {
    if (resultCodeOf(error) === noSuchObject) return undefined;
    throw error;
  }
};

/** Runs searches on the connections of the service account. Every answer but a result is an outage. */
const createUse =
  ({ settings: { name }, pool }: SearchOptions) =>
  async <T>(run: (client: Client) => Promise<T>): Promise<T> => {
    try {
      return await pool.use('search', run);
    } catch (error) {
      if (resultCodeOf(error) === undefined) throw error;
      throw new DirectoryError('unavailable', name, `search: ${describeFailure(error)}`, { cause: error });
    }
  };

/** Searches for users as the service account. */
export const createUserSearch = (options: SearchOptions) => {
  const { settings } = options;
  const { name, base, filters, idAttribute, idFormat } = settings;
  const use = createUse(options);
  const explicitBufferAttributes = idFormat.isBinary ? [idAttribute] : [];
  const claimAttributes = [...filters.loginAttributes, ...Object.values(settings.claims), ...groupAttributes(settings)];
  const attributes = [...new Set([idAttribute, ...claimAttributes, ...stateAttributes])];

  const fresh = new WeakMap<DirectoryUser, Account & { readonly foundAt: number }>();
  const accountOf = (entry: Entry): Account => ({
    id: idOf(entry, settings),
    refusal: refusalOf(entry),
    hasLock: hasLock(entry),
  });

  /** The only matching user, with groups. Referrals are not followed: entries on other servers are not found. */
  const searchOne = (filter: Filter, accepts: (entry: Entry) => boolean) =>
    use(async (client) => {
      // Two results suffice to refuse the login.
      const wanted = { filter, attributes, explicitBufferAttributes, sizeLimit: 2 };
      const { searchEntries } = await client.search(base, wanted);
      const [entry, second] = searchEntries;
      if (second !== undefined) {
        const dns = searchEntries.map(({ dn }) => dn).join(' and ');
        throw new DirectoryError('ambiguous', name, `two entries match: ${dns}`);
      }
      if (entry === undefined || !accepts(entry)) return undefined;
      const user = toUser(entry, await groupsOf(client, settings, entry), settings);
      fresh.set(user, { ...accountOf(entry), foundAt: performance.now() });
      return user;
    });

  return {
    async find(login: string): Promise<DirectoryUser | undefined> {
      if (login === '' || login.length > longestLogin || login.includes('\0')) return undefined;
      return searchOne(filters.forLogin(login), (entry) => hasLogin(entry, settings, login));
    },

    async load(id: string): Promise<DirectoryUser | undefined> {
      const value = idFormat.toValue(id);
      return value === undefined ? undefined : searchOne(filters.forId(value), () => true);
    },

    /** The account, if the user has just been found. Answers once, because the same user may come from a cache later. */
    takeFresh(user: DirectoryUser): Account | undefined {
      const found = fresh.get(user);
      fresh.delete(user);
      return found !== undefined && performance.now() - found.foundAt < freshMs ? found : undefined;
    },

    /** The account at this DN now; undefined if there is no entry. */
    async accountAt(dn: string): Promise<Account | undefined> {
      const wanted = { attributes: [idAttribute, ...stateAttributes], explicitBufferAttributes };
      const entry = await use((client) => readState(client, dn, wanted));
      return entry && accountOf(entry);
    },
  };
};
