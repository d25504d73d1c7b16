import type { Outcome } from './outcome.ts';
import type { ShownUser } from './sign-in.ts';

/** An email with a link. */
export interface LinkRequest {
  /** A language tag (BCP 47) for the email. */
  readonly language?: string | undefined;
  /** The page for the link, which gets `?token=...`. It must have an origin of the login app. */
  readonly linkBase: string;
  /** The page after the link: a path, or a URL with an origin of the login app. `confirm` returns it. */
  readonly returnTo?: string | undefined;
  /** The IP address by which requests are counted. */
  readonly address?: string | undefined;
}

export interface SignUpRequest extends LinkRequest {
  readonly email: string;
  /** Can be omitted if `settings.emailSignIn` is true: the user then signs in with codes by email. */
  readonly password?: string | undefined;
  /** At most 200 characters. */
  readonly name?: string | undefined;
}

export interface SignUpConfirmation {
  readonly token: string;
  /** The `proof` of the request, in the browser that sent the form. */
  readonly proof?: string | undefined;
  readonly password?: string | undefined;
  /** The login challenge of the browser that sent the form. */
  readonly binding?: string | undefined;
}

/** Creating an account by email. */
export interface SignUpOperations {
  /**
   * Sends an email with a link that creates an account. The answer is equal for known and unknown addresses; only the email differs.
   *
   * @throws `invalid_request` (in process) or `foreign_link` if `linkBase` or `returnTo` has another origin
   */
  request(input: SignUpRequest): Promise<
    Outcome<
      'weak_password' | 'invalid_email' | 'limited' | 'not_supported',
      {
        /** Keep it in the browser, for `confirm`. */
        readonly proof: string;
      }
    >
  >;
  /**
   * Creates the account of a link, which can be used once. Without the `proof` of the request, the password of the request is
   * not used: another one must be chosen (`password_needed`), because an attacker may have sent the form. Without `proof`
   * and `password`, the link stays valid.
   */
  confirm(input: SignUpConfirmation): Promise<
    Outcome<
      'invalid_token' | 'already_registered' | 'password_needed' | 'weak_password',
      {
        readonly user: ShownUser;
        /** For `signIn.resume` with the `binding`: the password is verified. */
        readonly progress?: string | undefined;
        readonly returnTo?: string | undefined;
      }
    >
  >;
}

/** Setting a new password by email. */
export interface RecoveryOperations {
  /**
   * Sends an email with a link that sets a new password. The answer is equal for known and unknown users.
   *
   * @throws `invalid_request` (in process) or `foreign_link` if `linkBase` or `returnTo` has another origin
   */
  request(input: LinkRequest & { readonly login: string }): Promise<Outcome<'limited' | 'not_supported'>>;
  /** Checks the link without using it. */
  inspect(input: { readonly token: string }): Promise<Outcome<'invalid_token', { readonly user: ShownUser }>>;
  /** Sets a new password. The link can be used once. */
  confirm(input: {
    readonly token: string;
    readonly password: string;
  }): Promise<
    Outcome<'invalid_token' | 'weak_password', { readonly user: ShownUser; readonly returnTo?: string | undefined }>
  >;
}
