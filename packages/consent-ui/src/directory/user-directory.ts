export type Claims = Readonly<Record<string, unknown>>;

export interface User {
  /** The immutable id that becomes `sub`; never the email address. */
  readonly subject: string;
  readonly claims: Claims;
}

/** Who the users are. Both methods throw a `directory_unavailable` problem when it can't be said: an outage is never "wrong password". */
export interface UserDirectory {
  /** The user whose password this is. A user name nobody has takes as long as a wrong password. */
  authenticate(userName: string, password: string): Promise<User | undefined>;
  /** The claims of a user (OpenID Connect Core, section 5.1), or undefined if there is no such user. */
  claims(subject: string): Promise<Claims | undefined>;
}
