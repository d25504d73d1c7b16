import { normaliseLogin } from '../logins/normalise-login.ts';
import type { DirectoryEntry } from './directory-entry.ts';

/** A directory in which a login is looked up, and the login as this directory knows it. */
export interface Candidate {
  readonly entry: DirectoryEntry;
  readonly login: string;
}

export interface Resolved {
  /** The realm that the login names. */
  readonly realm: string | undefined;
  /** In the order of the list. */
  readonly candidates: readonly Candidate[];
}

interface NamedRealm {
  readonly name: string;
  readonly entries: DirectoryEntry[];
}

const suffixesOf = ({ realm }: DirectoryEntry): readonly string[] => realm?.suffixes ?? [];
const prefixesOf = ({ realm }: DirectoryEntry): readonly string[] => realm?.prefixes ?? [];

/** The name of a directory's realm; undefined for a directory without one. */
export const realmNameOf = (entry: DirectoryEntry): string | undefined => {
  const name = entry.realm?.name ?? suffixesOf(entry)[0] ?? prefixesOf(entry)[0];
  return name && normaliseLogin(name);
};

const group = (
  entries: readonly DirectoryEntry[],
  namesOf: (entry: DirectoryEntry) => readonly string[],
): ReadonlyMap<string, NamedRealm> => {
  const realms = new Map<string, NamedRealm>();
  for (const entry of entries)
    for (const name of new Set(namesOf(entry).map((each) => normaliseLogin(each) ?? each))) {
      const realm = realms.get(name) ?? { name: realmNameOf(entry) ?? name, entries: [] };
      realm.entries.push(entry);
      realms.set(name, realm);
    }
  return realms;
};

/** Decides which directories a login is looked up in. Reveals nothing about users: the text of the login alone decides. */
export const createRealms = (entries: readonly DirectoryEntry[]) => {
  const bySuffix = group(entries, suffixesOf);
  const byPrefix = group(entries, prefixesOf);
  const withoutRealm = entries.filter((entry) => entry.isDefault || realmNameOf(entry) === undefined);

  const within = (realm: NamedRealm, login: string, local: string): Resolved => ({
    realm: realm.name,
    candidates: local === '' ? [] : realm.entries.map((entry) => ({ entry, login: entry.realm?.keep ? login : local })),
  });

  /** @param login the normalised login */
  return (login: string): Resolved => {
    const at = login.lastIndexOf('@');
    const suffix = at === -1 ? undefined : bySuffix.get(login.slice(at + 1));
    if (suffix !== undefined) return within(suffix, login, login.slice(0, at));
    const backslash = login.indexOf('\\');
    const prefix = backslash === -1 ? undefined : byPrefix.get(login.slice(0, backslash));
    if (prefix !== undefined) return within(prefix, login, login.slice(backslash + 1));
    return { realm: undefined, candidates: withoutRealm.map((entry) => ({ entry, login })) };
  };
};
