import type { Outcome } from './outcome.ts';
import type { ShownUser } from './sign-in.ts';

/** The account of a user. `claims` is empty, and `user` absent, if the user is unknown, disabled or to be deleted. */
export interface Account {
  readonly user?: ShownUser | undefined;
  readonly claims: Readonly<Record<string, unknown>>;
  readonly directory?: string | undefined;
  /**
   * End every sign-in of the user with an earlier `auth_time`, remembered or not. A sign-in after this time is done in a
   * later second, so that its `auth_time` is later, too.
   */
  readonly sessionsEndedAt?: Date | undefined;
  /** End every sign-in of the user that was begun with another version. Absent where the directory has none. */
  readonly passwordVersion?: string | undefined;
  /** The actions of the account page that the user may take. */
  readonly can: {
    readonly changePassword: boolean;
    readonly editProfile: boolean;
    readonly changeEmail: boolean;
    readonly deleteAccount: boolean;
  };
}

export interface PasswordChange {
  readonly subject: string;
  readonly current: string;
  readonly next: string;
  /** The IP address by which failed attempts are counted. */
  readonly address?: string | undefined;
  /** The `device` of an earlier sign-in in this browser. */
  readonly device?: string | undefined;
  /** A language tag (BCP 47) for the email to the user. */
  readonly language?: string | undefined;
}

export interface EmailChange {
  readonly subject: string;
  readonly email: string;
  readonly language?: string | undefined;
  /** The page for the link, which gets `?token=...`. It must have an origin of the login app. */
  readonly linkBase: string;
  /** The IP address by which requests are counted. */
  readonly address?: string | undefined;
}

/** The account page. The caller has authenticated the user: the functions trust `subject`. */
export interface AccountOperations {
  /** Gets the claims of a user, the directory, and the actions that the directory supports. */
  show(input: { readonly subject: string }): Promise<Account>;
  /** Changes claims of the profile (OpenID Connect Core, section 5.1). */
  update(input: {
    readonly subject: string;
    readonly claims: Readonly<Record<string, unknown>>;
  }): Promise<Outcome<'not_supported' | 'invalid_claims'>>;
  /** Changes the password. It ends the remembered logins of the user, and by default revokes the tokens. */
  changePassword(
    input: PasswordChange,
  ): Promise<Outcome<'wrong_password' | 'weak_password' | 'not_supported' | 'limited'>>;
  /**
   * Sends a link to the new address. The answer is equal for free and taken addresses; only the email differs.
   *
   * @throws `invalid_request` (in process) or `foreign_link` if `linkBase` has another origin
   */
  changeEmail(input: EmailChange): Promise<
    Outcome<
      'invalid_email' | 'unchanged' | 'limited' | 'not_supported',
      {
        /** Keep it in the browser, for `confirmEmail`. */
        readonly proof: string;
      }
    >
  >;
  /** Changes the address by the link, for the user and in the browser that requested it. */
  confirmEmail(input: {
    readonly subject: string;
    readonly token: string;
    readonly proof: string;
  }): Promise<Outcome<'invalid_token' | 'already_registered', { readonly user: ShownUser }>>;
  /**
   * Signs the user out everywhere, revokes all tokens, and deletes the account when the grace period is over
   * (`accounts.deletion`). A sign-in before then can keep it.
   */
  delete(input: {
    readonly subject: string;
    readonly language?: string | undefined;
  }): Promise<Outcome<'not_supported', { readonly deleteAt: Date }>>;
}
