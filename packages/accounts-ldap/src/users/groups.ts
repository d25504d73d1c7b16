import { type Client, type Entry, EqualityFilter, ExtensibleFilter, type Filter, OrFilter } from 'ldapts';
import type { LdapSettings } from '../settings.ts';
import { isBelow, nameOf } from './distinguished-name.ts';
import { textsOf } from './entry.ts';

/** The most levels of nested groups, as a limit for groups that contain each other. */
const deepestNesting = 20;
const pageSize = 500;

type GroupSettings = Pick<
  LdapSettings,
  'base' | 'groupBase' | 'groupNames' | 'groups' | 'memberAttributes' | 'nestedGroups' | 'nestedRule'
>;

const containing = (members: readonly string[], { memberAttributes }: GroupSettings, rule?: string): Filter =>
  new OrFilter({
    filters: members.flatMap((value) =>
      memberAttributes.map((attribute) =>
        rule === undefined
          ? new EqualityFilter({ attribute, value })
          : new ExtensibleFilter({ matchType: attribute, rule, value }),
      ),
    ),
  });

/** All results, page by page, so that a server's limit for one answer does not shorten the list. */
const searchGroups = async (
  client: Pick<Client, 'search'>,
  { base, groupBase }: GroupSettings,
  filter: Filter,
): Promise<string[]> => {
  const search = { filter, attributes: ['1.1'], paged: { pageSize } };
  const { searchEntries } = await client.search(groupBase ?? base, search);
  return searchEntries.map(({ dn }) => dn);
};

/** The groups with the member, and with `nestedGroups` the groups with these as members. */
const searchAll = async (
  client: Pick<Client, 'search'>,
  settings: GroupSettings,
  dn: string,
): Promise<readonly string[]> => {
  const { nestedGroups, nestedRule } = settings;
  if (nestedGroups && nestedRule !== undefined)
    return searchGroups(client, settings, containing([dn], settings, nestedRule));
  const found = new Set(await searchGroups(client, settings, containing([dn], settings)));
  let latest = [...found];
  for (let depth = 0; nestedGroups && latest.length > 0 && depth < deepestNesting; depth += 1) {
    const next = await searchGroups(client, settings, containing(latest, settings));
    latest = next.filter((group) => !found.has(group));
    for (const group of latest) found.add(group);
  }
  return [...found];
};

/** The attributes of a user's entry that `groupsOf` reads. */
export const groupAttributes = ({ groups }: Pick<GroupSettings, 'groups'>): readonly string[] =>
  groups === 'memberOf' ? ['memberOf'] : [];

/** Active Directory returns the first 1,500 values of an attribute as `memberOf;range=0-1499` (MS-ADTS, section 3.1.1.3.1.3.3). */
const isCut = (entry: Entry): boolean => Object.keys(entry).some((name) => /^memberof;range=/i.test(name));

/** The DNs of the user's groups, by a search if `memberOf` does not have all of them. */
const groupDns = async (
  client: Pick<Client, 'search'>,
  settings: GroupSettings,
  entry: Entry,
): Promise<readonly string[]> => {
  const isSearch = settings.groups === 'search' || settings.nestedGroups || isCut(entry);
  if (isSearch) return searchAll(client, settings, entry.dn);
  const { groupBase } = settings;
  const memberOf = textsOf(entry, 'memberOf');
  return groupBase === undefined ? memberOf : memberOf.filter((dn) => isBelow(dn, groupBase));
};

/** The value of the claim `groups`, sorted; undefined if groups are not configured. */
export const groupsOf = async (
  client: Pick<Client, 'search'>,
  settings: GroupSettings,
  entry: Entry,
): Promise<readonly string[] | undefined> => {
  if (settings.groups === 'none') return undefined;
  const dns = await groupDns(client, settings, entry);
  return [...new Set(settings.groupNames === 'dn' ? dns : dns.map(nameOf))].toSorted();
};
