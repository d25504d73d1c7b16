import type { CachedDirectoryOptions } from '../cache/cached-directory.ts';
import type { Directory } from '../port.ts';

/** The realm of a directory. Logins that name the realm are looked up only in directories of this realm. */
export interface Realm {
  /** The realm's name in policies and in `Account.realm`. Default: the first suffix, otherwise the first prefix. */
  readonly name?: string;
  /** `example.com` for `alice@example.com`. */
  readonly suffixes?: readonly string[];
  /** The NetBIOS name of a domain: `corp` for `corp\alice`. */
  readonly prefixes?: readonly string[];
  /** Whether the directory gets the login with its suffix or prefix. Default: it gets the name without the realm. */
  readonly keep?: boolean;
}

/** A directory and its place in the list. */
export interface DirectoryEntry {
  readonly directory: Directory;
  /** Without a realm, the directory is asked for all logins that name no realm of another directory. */
  readonly realm?: Realm;
  /** Whether a directory with a realm is also asked for logins without a realm. */
  readonly isDefault?: boolean;
  /** Whether later directories are asked during an outage of this one. Default: an outage ends the lookup. */
  readonly optional?: boolean;
  /** The beginning of each subject of this directory. Default: its name and a dot. `''` for one directory at most. */
  readonly subjectPrefix?: string;
  /** The cache of found users. Default: none. */
  readonly cache?: Omit<CachedDirectoryOptions, 'directory'>;
}
