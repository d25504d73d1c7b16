export type Claims = Readonly<Record<string, unknown>>;

export interface User {
  /** The immutable id that becomes `sub`; never the email address. */
  readonly subject: string;
  readonly claims: Claims;
}

/**
 * The user directory. Both methods throw a `directory_unavailable` problem during an outage, which is never "wrong
 * password".
 */
export interface UserDirectory {
  /** The user with this name and password. An unknown user name takes as long as a wrong password. */
  authenticate(userName: string, password: string): Promise<User | undefined>;
  /** The claims of a user (OpenID Connect Core, section 5.1), or undefined if there is no such user. */
  claims(subject: string): Promise<Claims | undefined>;
}
