/** The configuration of an LDAP directory. */
export interface LdapDirectoryOptions {
  /** The name of the directory, for errors. */
  readonly name: string;
  /** `ldaps://host:port` or `ldap://host:port`, the preferred server first. */
  readonly urls: readonly string[];
  /**
   * Encrypts connections to `ldap://` URLs by StartTLS (RFC 4511, section 4.14) before anything else is sent. Default:
   * true. Without it, `ldap://` is accepted for this machine only.
   */
  readonly startTls?: boolean;
  /** The certificates of the authorities that sign the servers' certificates, in PEM. Default: those of Node.js. */
  readonly ca?: string;
  /** The service account that searches. Default: anonymous. */
  readonly bindDn?: string;
  readonly bindPassword?: string;
  /** The DN below which users are searched. */
  readonly base: string;
  /** Default: `openldap`. */
  readonly preset?: PresetName;
  /** One of these attributes must equal the login name. Default: `uid`, or `sAMAccountName` and `userPrincipalName` in Active Directory. */
  readonly loginAttributes?: readonly string[];
  /**
   * The filter for users (RFC 4515). With `{login}` in an equality, such as `(mail={login})`, it replaces
   * `loginAttributes`; without it, it is required in addition to them.
   */
  readonly filter?: string;
  /** The attribute that identifies a user for ever. Default: `entryUUID` or `objectGUID`. */
  readonly idAttribute?: string;
  /** The attribute for each claim, in addition to the claims of the preset, which these override. */
  readonly claims?: Readonly<Record<string, string>>;
  /** The source of the claim `groups`. Default: `none`. */
  readonly groups?: 'none' | 'memberOf' | 'search';
  /** The DN below which groups are searched. With `memberOf`, groups elsewhere are left out. Default: `base` for a search. */
  readonly groupBase?: string;
  /** The text of a group in the claim: the value of its RDN, or the whole DN. Default: `name`. */
  readonly groupNames?: 'name' | 'dn';
  /** Includes the groups of groups. */
  readonly nestedGroups?: boolean;
  /** The maximum number of connections for searches, and the same number again for password checks. Default: 10. */
  readonly poolSize?: number;
  /** The time for one operation in milliseconds, connecting included. Default: 5,000. */
  readonly timeoutMs?: number;
}

export type PresetName = 'openldap' | 'active-directory';
