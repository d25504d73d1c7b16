import type { Directory } from './directory/index.ts';
import type { FactorKind, Policy } from './second-factors/index.ts';

interface DirectoryCommon {
  /** Part of each subject by default: never change it. */
  readonly name: string;
  /** The text before the user's id in each subject. Default of the configuration: the name and a dot. */
  readonly subjectPrefix: string;
  /** The realms of a login (`user@realm`, `realm\user`) that this directory serves. Empty: logins without a realm. */
  readonly realms: readonly string[];
  /** Whether logins without a realm are looked up here too, although the directory has realms. */
  readonly isDefault?: boolean | undefined;
  /** Whether the directory gets the login with its realm, such as a `userPrincipalName`. */
  readonly keepsRealm?: boolean | undefined;
  /** An outage of this directory is skipped: later directories are asked. */
  readonly optional: boolean;
  /** How long a found user is cached, in seconds; 0: not at all. */
  readonly cacheSeconds: number;
}

export interface SqlDirectoryOptions extends DirectoryCommon {
  /** The users in the accounts database. */
  readonly kind: 'sql';
}

export interface FileDirectoryOptions extends DirectoryCommon {
  readonly kind: 'file';
  readonly path: string;
}

export interface HttpDirectoryOptions extends DirectoryCommon {
  readonly kind: 'http';
  readonly url: string;
  readonly token?: string | undefined;
  readonly timeoutMs: number;
}

export interface LdapDirectoryOptions extends DirectoryCommon {
  readonly kind: 'ldap';
  readonly urls: readonly string[];
  readonly startTls: boolean;
  readonly caFile?: string | undefined;
  readonly bindDn?: string | undefined;
  readonly bindPassword?: string | undefined;
  readonly base: string;
  readonly preset: 'openldap' | 'active-directory';
  /** Empty: the preset's. */
  readonly loginAttributes: readonly string[];
  readonly filter?: string | undefined;
  readonly idAttribute?: string | undefined;
  /** Claim to attribute, in addition to the preset's. */
  readonly claims: Readonly<Record<string, string>>;
  readonly groups: 'none' | 'memberOf' | 'search';
  readonly groupBase?: string | undefined;
  /** Default: `name`. */
  readonly groupNames?: 'name' | 'dn' | undefined;
  readonly nestedGroups: boolean;
  readonly poolSize: number;
  readonly timeoutMs: number;
}

/** The part of `@carnet/accounts-ldap` that this package uses. */
export interface AccountsLdap {
  openLdapDirectory(
    options: Omit<LdapDirectoryOptions, 'kind' | 'caFile'> & { readonly ca?: string | undefined },
  ): Promise<Directory>;
}

export type DirectoryOptions = SqlDirectoryOptions | FileDirectoryOptions | HttpDirectoryOptions | LdapDirectoryOptions;

/** The options of `openAccounts`: plain data, with every default filled in. Durations are whole seconds. */
export interface AccountsOptions {
  /** The URL of the issuer. The tokens of browsers are bound to it. */
  readonly issuer: string;
  /** `sqlite:<path>` or `postgres://...`. Without a database, only password checks are supported. */
  readonly database?: string | undefined;
  /** Whether `openAccounts` brings the schema of the database up to date. */
  readonly migrate: boolean;
  /** In the order in which they are asked. */
  readonly directories: readonly DirectoryOptions[];
  readonly cache: { readonly place: 'process' | 'database'; readonly maxEntries: number };
  readonly secondFactors: {
    readonly policy: Policy;
    /** The policies by realm. The stricter of the policies of realm and client applies. */
    readonly realms: Readonly<Record<string, Policy>>;
    readonly clients: Readonly<Record<string, Policy>>;
    readonly kinds: readonly FactorKind[];
  };
  readonly passkeys: {
    readonly enabled: boolean;
    /** The domain of the login app. Never change it: passkeys are bound to it. */
    readonly rpId?: string | undefined;
    readonly rpName: string;
    /** The origins of the login app. */
    readonly origins: readonly string[];
  };
  readonly signUp: {
    readonly enabled: boolean;
    /** The SQL directory that gets new users. Default: the first one. */
    readonly directory?: string | undefined;
  };
  readonly recovery: { readonly enabled: boolean };
  readonly deletion: {
    /** Whether users can delete their account. */
    readonly enabled: boolean;
    /** How long a user can keep the account after the request. */
    readonly graceSeconds: number;
  };
  /**
   * The origins that `linkBase` and `returnTo` of sign-up and recovery may have: those of the login app. Any other origin
   * is refused, so that no caller can send users an email with a foreign link.
   */
  readonly linkOrigins: readonly string[];
  readonly mail: {
    /** `smtp(s)://user:password@host:port`, or `log:` in dev mode. */
    readonly url?: string | undefined;
    readonly from?: string | undefined;
  };
  /** Whether an empty accounts database gets a user with a public password, in dev mode. */
  readonly demoUser?: boolean | undefined;
  /** The names of the claims of each scope, besides the standard scopes. */
  readonly scopes: Readonly<Record<string, readonly string[]>>;
  readonly passwords: {
    readonly minimumLength: number;
    /** The URL of a range API of leaked passwords, before the five digits. */
    readonly check?: string | undefined;
  };
  /** Failed attempts that are allowed in a window. */
  readonly attempts: { readonly perLogin: number; readonly perAddress: number; readonly windowSeconds: number };
  readonly validateCheck: {
    readonly enabled: boolean;
    readonly token?: string | undefined;
    /** Addresses or networks (CIDR) that may ask without the token. */
    readonly allow: readonly string[];
    /** The content of `pass`: a static PIN, a PIN and a code, or the password and a code. */
    readonly mode: 'pin' | 'pin_otp' | 'password_otp';
  };
}
