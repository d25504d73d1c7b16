import type { FactorKind } from '../second-factors/store.ts';
import type { ShownOrganization } from './organizations.ts';

export type { FactorKind };

/** JSON of WebAuthn, such as that of `PublicKeyCredential.toJSON()`. */
export type WebAuthnJson = Readonly<Record<string, unknown>>;

/** The user as pages show it. */
export interface ShownUser {
  readonly subject: string;
  readonly name: string;
  /** The email address, or another login name, if it is not the name. */
  readonly detail?: string | undefined;
}

/** The circumstances of a sign-in: pass the same ones to each step. */
export interface Circumstances {
  /** The login challenge: `progress` is accepted for the same binding only. At most 8,192 characters. */
  readonly binding: string;
  /** The client that asks for the login: it may have a policy of its own. */
  readonly clientId?: string | undefined;
  /** The `organization` of the login request: only members complete the sign-in. Pass it only if `settings.organizations`. */
  readonly organization?: string | undefined;
  /** The `acr_values` of the login request. At most 20. */
  readonly acrValues?: readonly string[] | undefined;
  /** The IP address by which failed attempts are counted. */
  readonly address?: string | undefined;
  /** The `device` of an earlier sign-in in this browser. Wrong passwords are then counted separately. */
  readonly device?: string | undefined;
  /** The `link` of `providers.finish`: when the sign-in is done, the identity at the provider is linked to the user, once. */
  readonly link?: string | undefined;
}

export interface SignInStep extends Circumstances {
  /** The `progress` of the previous step. */
  readonly progress: string;
}

export interface PasswordSignIn extends Circumstances {
  /** The login name as the user entered it. At most 320 characters. */
  readonly login: string;
  /** At most 1,024 characters. */
  readonly password: string;
}

export interface FactorSignIn extends SignInStep {
  readonly kind: FactorKind;
  /** At most 64 characters. */
  readonly code: string;
}

export interface EmailCodeRequest extends Circumstances {
  /** The login name as the user entered it. At most 320 characters. */
  readonly login: string;
  /** A language tag (BCP 47) for the email. */
  readonly language?: string | undefined;
}

export interface EmailCodeSignIn extends Circumstances {
  /** The `progress` of `requestEmailCode`. */
  readonly progress: string;
  /** At most 64 characters. */
  readonly code: string;
}

export interface PasskeySignIn extends Circumstances {
  /** The `challenge` of `passkeyOptions`. */
  readonly challenge: string;
  /** The answer of the browser. */
  readonly response: WebAuthnJson;
  /** Absent: the sign-in begins with the passkey. */
  readonly progress?: string | undefined;
}

export interface NewPasswordSignIn extends SignInStep {
  readonly password: string;
  readonly next: string;
  /** A language tag (BCP 47) for the email to the user. */
  readonly language?: string | undefined;
}

/**
 * A sign-in after a step. `progress` is a sealed text of the user and of the verified factors. It is valid for 10 minutes,
 * for the same binding. Put it into the form of the next page.
 */
export type SignIn =
  /** Wrong login, password or code; or the account is locked or disabled. */
  | { readonly state: 'refused' }
  /** Too many failed attempts. */
  | { readonly state: 'limited'; readonly retryAfterSeconds: number }
  /** The progress or the passkey challenge is too old, or belongs to another binding: the sign-in must start again. */
  | { readonly state: 'expired' }
  /** The user must verify one of these factors: `signIn.factor` (`signIn.sendCode` first for `email`) or `signIn.passkey`. */
  | {
      readonly state: 'factor';
      readonly progress: string;
      readonly user: ShownUser;
      readonly kinds: readonly FactorKind[];
    }
  /** The policy asks for a second factor, and the user has none: `factors.begin`, or `signIn.skipEnrolment`. */
  | {
      readonly state: 'enrol';
      readonly progress: string;
      readonly user: ShownUser;
      readonly kinds: readonly FactorKind[];
      /** False: the page may offer to skip. */
      readonly required: boolean;
    }
  /** The user is a member of several organizations, and the request names none: `signIn.chooseOrganization`. */
  | {
      readonly state: 'choose_organization';
      readonly progress: string;
      readonly user: ShownUser;
      readonly organizations: readonly ShownOrganization[];
    }
  /**
   * The user is not a member of the organization of the request, or of any organization of the client. A user who has not signed in
   * with the provider that makes users members is not a member either. Reject the login request with `access_denied`.
   */
  | { readonly state: 'not_member' }
  /** The directory asks for a new password: `signIn.newPassword`. */
  | { readonly state: 'password_change'; readonly progress: string; readonly user: ShownUser }
  /** The user has asked to be deleted at this time: `signIn.keepAccount` keeps the account and continues. */
  | { readonly state: 'deletion'; readonly progress: string; readonly user: ShownUser; readonly deleteAt: Date }
  | SignedIn;

/** A sign-in that is complete. Accept the login request with `subject`, `acr`, `amr` and `authTime`. */
export interface SignedIn {
  readonly state: 'done';
  readonly user: ShownUser;
  readonly subject: string;
  readonly acr: string;
  /** RFC 8176. */
  readonly amr: readonly string[];
  /**
   * When the password, the code by email or the passkey was verified, in seconds since 1970. After a sign-in at a provider, it is
   * when the user authenticated there (0 if the provider does not state it), or when the user then verified a second factor of Carnet. It is
   * the claim `auth_time` if the login request is accepted with it. Without it, the time of the acceptance is taken.
   */
  readonly authTime: number;
  readonly claims: Readonly<Record<string, unknown>>;
  /**
   * The name of the organization for which the user has signed in, after its check. Pass it to the consent in the `context` of
   * the acceptance: it is the claim `organization`, for the scope `organization`.
   */
  readonly organization?: string | undefined;
  /** The provider with which this sign-in began. `organizations.ofUser` needs it for the remembered login. */
  readonly provider?: string | undefined;
  /**
   * A sealed token of this browser, valid for 180 days. Keep it in an HttpOnly cookie, and pass it to the next sign-in: an
   * attacker who uses up the attempts of the user then does not lock out this browser. Absent after a sign-in with a passkey alone.
   */
  readonly device?: string | undefined;
}

/**
 * The steps of a sign-in. Each returns the next `state`. An unknown user, a locked account and a wrong password get the same
 * answer; the audit log has the reason.
 */
export interface SignInOperations {
  /** Gets the realm of a login name, and how its users sign in. The answer reveals nothing about users. */
  identify(
    input: Circumstances & { readonly login: string },
  ): Promise<{ readonly realm?: string | undefined; readonly methods: readonly ('password' | 'passkey')[] }>;
  /** Checks a login name and a password. */
  password(input: PasswordSignIn): Promise<SignIn>;
  /**
   * Sends a code to the verified address of a user, in place of the password. The answer is the same for known and unknown users, after
   * the same time. `limited`: a login name has had five requests within an hour, or an IP address 100. In a browser with a `device` of
   * the user, the requests are counted separately.
   *
   * @throws `not_supported` if `accounts.emailSignIn` is off
   */
  requestEmailCode(
    input: EmailCodeRequest,
  ): Promise<
    | { readonly state: 'email_code'; readonly progress: string }
    | { readonly state: 'limited'; readonly retryAfterSeconds: number }
  >;
  /**
   * Verifies the code of `requestEmailCode`. It is valid for 10 minutes, once, for the same binding, and has five guesses. `limited`:
   * the guesses are used up, and the user must request another code. The mailbox is the first factor: the policy decides which others follow, and
   * a code by email is not one of them.
   *
   * @throws `not_supported` if `accounts.emailSignIn` is off
   */
  emailCode(input: EmailCodeSignIn): Promise<SignIn>;
  /**
   * Sends the user a code by email, if `email` is among the `kinds` of the state `factor`. Pass the returned `progress` to
   * `factor`: the code belongs to it, and is valid as long as it. `limited`: the user has got five codes in an hour.
   */
  sendCode(input: SignInStep & { readonly language?: string | undefined }): Promise<SignIn>;
  /** Verifies a code as the second factor. */
  factor(input: FactorSignIn): Promise<SignIn>;
  /**
   * Gets the options with which a browser asks for a passkey.
   *
   * @throws `expired_progress` if the progress is too old or belongs to another binding
   */
  passkeyOptions(
    input: Circumstances & { readonly progress?: string | undefined },
  ): Promise<{ readonly options: WebAuthnJson; readonly challenge: string }>;
  /** Verifies the answer of a passkey, as the second factor or as the whole sign-in. */
  passkey(input: PasskeySignIn): Promise<SignIn>;
  /** Continues without enrolling a second factor, if the policy allows it. */
  skipEnrolment(input: SignInStep): Promise<SignIn>;
  /** Continues after the enrolment of a second factor. */
  resume(input: SignInStep): Promise<SignIn>;
  /** Continues for an organization that the user has chosen. Its policy may require a further step. */
  chooseOrganization(input: SignInStep & { readonly chosen: string }): Promise<SignIn>;
  /** Cancels the deletion of the account. Until then, the user cannot sign in. */
  keepAccount(input: SignInStep & { readonly language?: string | undefined }): Promise<SignIn>;
  /** Sets the new password that the directory asks for. */
  newPassword(
    input: NewPasswordSignIn,
  ): Promise<SignIn | { readonly state: 'weak_password'; readonly message?: string | undefined }>;
}
